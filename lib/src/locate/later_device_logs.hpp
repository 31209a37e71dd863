// Device logs of runs of a job that began when the dump had been written.
#pragma once

#include <vector>

#include "locate/query.hpp"
#include "locate/task_search.hpp"

namespace opdebug::locate_stage {

/// Takes out what the device's log of a later run says: where the log of its host process begins behind the end of
/// another one's that covers the dump's time, and whose device log, of the same device, knows the ids as well. Device
/// logs may be in another zone than the dump's time is brought to; the hosts' clock is one. Without the earlier run's
/// device log the later one stays: its host's older files may have been rotated away.
void take_out_later_device_logs(std::vector<DeviceFact>& device, const Dump& dump, const TaskQuery& query,
                                const TaskMap::Contents& map, const LocateOptions& options);

}  // namespace opdebug::locate_stage
