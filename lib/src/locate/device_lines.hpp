// Lines of device logs on a task: which of them hold at the time of the dump.
#pragma once

#include <cstdint>
#include <vector>

#include "locate/task_search.hpp"

namespace opdebug::locate_stage {

/// In which zones a device's log may be. of_host: that of the host's log, which tells the task as well, and later than
/// the dump, too.
enum class DeviceZone { any, of_host };

/// Without the operators that had the ids before: of names for one context and thread, those that were told last up to
/// the time of the dump, which comes from the device's clock as the lines do; where all are later, those that are so by
/// no more than clocks differ, for what is written later proves nothing, as in the host's log. All lines of a log that
/// ended before that time by its own zone.
std::vector<const logs::StoredFact*> lines_that_hold(const std::vector<DeviceFact>& device, const Dump& dump,
                                                     const TaskQuery& query, const TaskMap::Contents& map,
                                                     const LocateOptions& options, DeviceZone zone);

/// Without those of a model that had the stream before, by the name in its binding, and has it no more at the time of
/// the match. A name that no binding of the stream has says nothing: bindings and device logs may call a model
/// differently.
void drop_lines_of_past_models(const TaskMatch& match, std::uint64_t stream_id, const TaskMap::Contents& map,
                               std::vector<const logs::StoredFact*>& device);

/// Why none holds, where all are too late in every zone.
void explain_later_lines(const std::vector<DeviceFact>& device, const Dump& dump, const TaskQuery& query,
                         const TaskMap::Contents& map, const LocateOptions& options,
                         std::vector<Diagnostic>& diagnostics);

}  // namespace opdebug::locate_stage
