#include "locate/device_log_host.hpp"

#include <algorithm>

namespace opdebug::locate_stage {

std::vector<const logs::Process*> hosts_of(const logs::Process& device_log, const TaskMap::Contents& map) {
    std::vector<const logs::Process*> hosts;
    const std::int64_t pid = device_log.host_pid.value_or(-1);
    auto host = std::lower_bound(map.processes.begin(), map.processes.end(), pid,
                                 [](const logs::Process& process, std::int64_t id) { return process.pid < id; });
    for (; host != map.processes.end() && host->pid == pid; ++host) {
        if (!host->on_device && host->root == device_log.root) {
            hosts.push_back(&*host);
        }
    }
    return hosts;
}

}  // namespace opdebug::locate_stage
