// Launches whose final task id one source of a process lacks and another one has.
#pragma once

#include <string>
#include <vector>

#include "logs/facts/task_map.hpp"
#include "logs/map_file/joined_runs.hpp"

namespace opdebug::logs {

/// Drops launches under the id that their line was printed with, where another piece of the process read the line and
/// what followed it, and does not say so: there the submit line gave the final id, or another launch took its place. So
/// it is where a map was made between the launch and its submit line. What the other piece says of the launch need not
/// be there: logs are read for some tasks only.
void drop_settled_launches(Process& process, const std::vector<PieceOfProcess>& pieces,
                           const std::vector<std::string>& files);

}  // namespace opdebug::logs
