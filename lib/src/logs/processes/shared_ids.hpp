// Several processes of one id that log into one folder, as containers and hosts with a shared home have them.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "logs/facts/task_map.hpp"

namespace opdebug::logs {

/// The remark on the first process whose logs of one folder were written at the same time. They stay together: which
/// logs of debug and run are one process's, the files do not tell. `files`: of the map.
std::optional<Diagnostic> shared_id(const std::vector<Process>& processes, const std::vector<std::string>& files);

}  // namespace opdebug::logs
