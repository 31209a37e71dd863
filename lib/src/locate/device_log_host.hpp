// Whose log a device's log is.
#pragma once

#include <vector>

#include "logs/facts/task_map.hpp"

namespace opdebug::locate_stage {

/// Whether the device log is called by the host process, and lies where its log does.
inline bool is_device_log_of(const logs::Process& device_log, const logs::Process& host) noexcept {
    return device_log.host_pid == host.pid && device_log.root == host.root;
}

/// The host processes that it is of: mostly one.
std::vector<const logs::Process*> hosts_of(const logs::Process& device_log, const TaskMap::Contents& map);

}  // namespace opdebug::locate_stage
