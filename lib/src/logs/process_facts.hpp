// The facts of one process: which files are its, and facts in order.
#pragma once

#include <string>
#include <string_view>

#include "logs/task_map.hpp"

namespace opdebug::logs {

/// The part of a path above the folders that every log root has: plog, debug, run, security, device-N, host-N.
std::string root_of(std::string_view path);

/// Adds the facts of further logs of the same process.
void append(Process& process, Process&& further);

/// Brings the facts into time order, drops repeated lines and fills the indexes.
void index_facts(Process& process);

}  // namespace opdebug::logs
