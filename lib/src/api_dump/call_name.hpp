// Names of calls: meaning of the parts between dots or underscores. They are parsed from the right, because paths of
// modules and names of APIs contain dots and underscores too.
#pragma once

#include <string_view>

#include <opdebug/api.hpp>

namespace opdebug::api_dump {

/// Sets phase, api, count, is_module and placed_early from `entry.name` as msprobe writes it. A name of another format
/// is only `api`.
void read_call_name(ApiEntry& entry);

/// The same for names of ptdbg_ascend; up to version 5.0 underscores separate the parts.
void read_ptdbg_name(ApiEntry& entry);

/// Whether old versions measured the inputs after the call: those of a forward. Collectives change their inputs in
/// place, so their inputs are measured before.
bool is_measured_late(const ApiEntry& entry);

/// The name of the call with the stack: the forward of a backward and of a module's parameters_grad. Empty for names of
/// other formats, and for forwards.
std::string forward_name(std::string_view name);

/// Splits `name` at the last `separator`. The first part is empty if there is none.
struct NameParts {
    std::string_view front, back;
};
NameParts split_last(std::string_view name, char separator);

}  // namespace opdebug::api_dump
