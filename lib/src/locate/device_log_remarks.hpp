// What makes an answer by the log of a device alone less sure than it looks.
#pragma once

#include <vector>

#include "locate/task_search.hpp"

namespace opdebug::locate_stage {

/// The log that names the operator ended so long before the dump that it is probably of another run. Device logs may be
/// in another zone than those of the host, so all zones that there are count. `names`: the lines that name it.
void remark_ended_device_log(const std::vector<DeviceFact>& device, const std::vector<const logs::StoredFact*>& names,
                             const Dump& dump, const TaskQuery& query, const TaskMap::Contents& map,
                             const LocateOptions& options, std::vector<Diagnostic>& diagnostics);

}  // namespace opdebug::locate_stage
