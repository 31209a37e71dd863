// Names of calls: what the parts between dots or underscores mean. They are read from the right, for paths of modules
// and names of APIs have dots and underscores themselves.
#pragma once

#include <string_view>

#include <opdebug/api.hpp>

namespace opdebug::api_dump {

/// Sets phase, api, count, is_module and placed_early by `entry.name` as msprobe writes it. A name of another format is
/// all `api`.
void read_call_name(ApiEntry& entry);

/// The same by a name as ptdbg_ascend writes it; up to version 5.0 its parts have underscores between.
void read_ptdbg_name(ApiEntry& entry);

/// The name of the call that has the stack: the forward of a backward and of a module's parameters_grad. Empty for
/// names of other formats, and for forwards.
std::string forward_name(std::string_view name);

/// The part of `name` up to the last one of `separator`, and what is behind it; the first is empty where there is none.
struct NameParts {
    std::string_view front, back;
};
NameParts split_last(std::string_view name, char separator);

}  // namespace opdebug::api_dump
