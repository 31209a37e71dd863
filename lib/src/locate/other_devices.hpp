// Lines on the task that are another device's, where the process of the dump's device is known.
#pragma once

#include "locate/query.hpp"
#include "locate/task_search.hpp"

namespace opdebug::locate_stage {

/// Ranks have equal ids, and of one rank's log the lines on the task may be missing. Takes the matches that work on
/// other devices out, with a remark where none remains: where another process shows that it has the record's stream on
/// the dump's device at that time, for the record's model where a match is, or reports this very overflow there. Of
/// another container or host it has to report it: devices are numbered anew there, and whose process says that it
/// writes into the dump's folder or reports this overflow itself stays.
/// Without such a line the matches stay, for device numbers in logs and folders may differ (match_remarks.hpp).
void take_out_other_devices(TaskSearch& search, const TaskMap::Contents& map, const Dump& dump, const TaskQuery& query,
                            const LocateOptions& options);

}  // namespace opdebug::locate_stage
