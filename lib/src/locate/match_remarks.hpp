// What makes one match in the logs less sure than it looks: remarks for the user.
#pragma once

#include <vector>

#include <opdebug/dump.hpp>

#include "locate/query.hpp"
#include "locate/task_search.hpp"

namespace opdebug::locate_stage {

/// Device numbers in logs are the driver's, those of folders the process's: in a container they may differ, and where
/// ASCEND_RT_VISIBLE_DEVICES chooses devices.
void remark_device(const TaskMatch& match, const Dump& dump, const TaskMap::Contents& map,
                   std::vector<Diagnostic>& diagnostics);

/// The answer rests on lines that are later than the dump.
void remark_later_line(const TaskMatch& match, const TaskMap::Contents& map, std::vector<Diagnostic>& diagnostics);

/// The task of a model keeps its meaning, but the process logged nothing for so long that the dump is probably of
/// another run: whatever the zone of the logs is.
void remark_ended_log(const TaskMatch& match, const Dump& dump, const TaskQuery& query, const TaskMap::Contents& map,
                      const LocateOptions& options, std::vector<Diagnostic>& diagnostics);

/// All lines on the task are older than a pause of the log, behind which a new process may have the same id.
void remark_pause(const TaskMatch& match, const TaskMap::Contents& map, std::vector<Diagnostic>& diagnostics);

}  // namespace opdebug::locate_stage
