// The kernel by the address of its code: the last resort, and a check of what the ids gave.
#pragma once

#include <opdebug/locate.hpp>

#include "locate/found.hpp"
#include "locate/query.hpp"
#include "locate/task_search.hpp"

namespace opdebug::locate_stage {

/// Adds the kernels that have an address of the record, in every process: when nothing else tells it.
void find_by_address(const TaskMap::Contents& map, const Dump& dump, const TaskQuery& query,
                     const LocateOptions& options, Found& found);

/// Compares the kernel that the ids gave with the one that the address gives, in the same process. `found` has an
/// operator.
void check_address(const TaskMatch& match, const TaskMap::Contents& map, const TaskQuery& query, Found& found);

}  // namespace opdebug::locate_stage
