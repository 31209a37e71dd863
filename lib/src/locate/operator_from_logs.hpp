// Facts on a task → answers to "which operator".
#pragma once

#include <vector>

#include <opdebug/locate.hpp>

#include "locate/task_search.hpp"

namespace opdebug::locate_stage {

/// The operators that one match names: several when its lines name several. Empty when it names none; then
/// `diagnostics` may say what the task is instead (end-of-graph or overflow-debug task).
std::vector<OperatorAnswer> operators_of_match(const TaskMatch& match,
                                               const std::vector<const logs::StoredFact*>& device,
                                               const TaskQuery& query, const TaskMap::Contents& map,
                                               std::vector<Diagnostic>& diagnostics);

/// The operators that device-side logs alone name.
std::vector<OperatorAnswer> operators_of_device(const std::vector<const logs::StoredFact*>& device,
                                                const TaskQuery& query, const TaskMap::Contents& map,
                                                std::vector<Diagnostic>& diagnostics);

/// What a launch line, or the line of a failure, tells: the kernel, and node or type where its name holds them. Where
/// the numbers in front of a node's name can be read in several ways, the one that gives a node which the process's
/// lines know.
OperatorAnswer answer_from_kernel(const logs::StoredFact& kernel, const logs::Process& process,
                                  const TaskMap::Contents& map, std::vector<Diagnostic>& diagnostics);

}  // namespace opdebug::locate_stage
