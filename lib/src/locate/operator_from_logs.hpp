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

}  // namespace opdebug::locate_stage
