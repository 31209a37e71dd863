// Lines of device logs on a task: which of them hold at the time of the dump. Device and dump have one clock, but the
// logs may be in another zone than those of the host.
#pragma once

#include <vector>

#include "locate/candidates.hpp"
#include "logs/facts/task_map.hpp"

namespace opdebug::locate_stage {

using DeviceLines = std::vector<const logs::StoredFact*>;

/// The device's own lines on this very dump: within 20 ms of it, by its clock.
DeviceLines lines_on_dump(const std::vector<DeviceFact>& device, const Dump& dump, const TaskQuery& query,
                          const TaskMap::Contents& map, const LocateOptions& options);

/// The lines that are about a use: within a second of the dump, or in the binding of the model whose task it is.
DeviceLines lines_on_use(const std::vector<DeviceFact>& device, const TaskMatch& match, const Dump& dump,
                         const TaskQuery& query, const TaskMap::Contents& map, const LocateOptions& options);

/// Where no host line tells the task: of each context the operators that were told last before the dump; of logs whose
/// clock cannot be compared with the dump's all.
DeviceLines lines_alone(const std::vector<DeviceFact>& device, const Dump& dump, const TaskQuery& query,
                        const TaskMap::Contents& map, const LocateOptions& options);

/// Without those of a model that had the stream before, by the name in its binding, and has it no more at the time. A
/// name that no binding of the stream has says nothing: bindings and device logs may call a model differently.
void drop_lines_of_past_models(const TaskMatch& place, std::uint64_t stream_id, const TaskMap::Contents& map,
                               DeviceLines& lines);

/// Why none holds, where all are later than the dump.
void explain_later_lines(const std::vector<DeviceFact>& device, const Dump& dump, const TaskQuery& query,
                         const TaskMap::Contents& map, const LocateOptions& options,
                         std::vector<Diagnostic>& diagnostics);

/// "log_ended": the device log that names the operator ended more than half an hour before the dump, in every zone.
void remark_ended_device_log(const std::vector<DeviceFact>& device, const DeviceLines& names, const Dump& dump,
                             const TaskQuery& query, const TaskMap::Contents& map, const LocateOptions& options,
                             std::vector<Diagnostic>& diagnostics);

/// Whether the device log is called by the host process, and lies where its log does.
inline bool is_device_log_of(const logs::Process& device_log, const logs::Process& host) noexcept {
    return device_log.host_pid == host.pid && device_log.root == host.root;
}

/// The host processes that it is of: mostly one.
std::vector<const logs::Process*> hosts_of(const logs::Process& device_log, const TaskMap::Contents& map);

}  // namespace opdebug::locate_stage
