// What ties a call to calls of other ranks, from its arguments.
#pragma once

#include <optional>
#include <string>

#include <opdebug/api_dump.hpp>

namespace opdebug::api_dump {

/// Adds what the arguments of a collective or point-to-point API say: the group, and the ranks and the tag among its
/// numbers. `group`: the process group among the values; `reduction`: as ApiCommunication::reduction.
void add_communication_of_arguments(const std::optional<ApiCommunication>& group, const std::string& reduction,
                                    ApiEntry& entry);

}  // namespace opdebug::api_dump
