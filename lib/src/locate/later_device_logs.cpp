#include "locate/later_device_logs.hpp"

#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>

#include "locate/device_log_host.hpp"

namespace opdebug::locate_stage {
namespace {

using logs::Process;

/// From the first to the last line of the host processes that a device log is of; nothing: no line of theirs has a
/// time.
std::optional<logs::Span> span_of_hosts(const Process& device_log, const TaskMap::Contents& map) {
    std::optional<logs::Span> span;
    for (const Process* host : hosts_of(device_log, map)) {
        if (host->last_time_us != 0) {
            span = logs::Span{span ? std::min(span->begin, host->first_time_us) : host->first_time_us,
                              span ? std::max(span->end, host->last_time_us) : host->last_time_us};
        }
    }
    return span;
}

/// The dump's time, the latest of those that are possible, where the log of a host of the device log covers them all.
std::optional<std::int64_t> time_in_hosts(const Process& device_log, const Dump& dump, const TaskQuery& query,
                                          const TaskMap::Contents& map, const LocateOptions& options) {
    for (const Process* host : hosts_of(device_log, map)) {
        const std::vector<LocalTime> times = times_in(*host, dump, query, map, options);
        std::optional<std::int64_t> latest_us;
        for (const LocalTime& time : times) {
            latest_us = std::max(latest_us.value_or(time.time_us), time.time_us);
        }
        const auto is_covered = [host](const LocalTime& time) {
            return !time.unrelated && covers(span_of(*host), time.time_us);
        };
        if (host->last_time_us != 0 && std::all_of(times.begin(), times.end(), is_covered)) {
            return latest_us;
        }
    }
    return std::nullopt;
}

/// A device log that knows the ids.
struct DeviceLog {
    std::optional<logs::Span> hosts;
    std::optional<std::int64_t> time_us;  ///< of the dump, where its host's log covers it
};

using DeviceLogs = std::map<const Process*, DeviceLog>;

DeviceLogs logs_among(const std::vector<DeviceFact>& device, const Dump& dump, const TaskQuery& query,
                      const TaskMap::Contents& map, const LocateOptions& options) {
    DeviceLogs logs;
    for (const DeviceFact& said : device) {
        const auto [log, is_new] = logs.try_emplace(said.process);
        if (is_new && said.process->device_id) {
            log->second = {span_of_hosts(*said.process, map), time_in_hosts(*said.process, dump, query, map, options)};
        }
    }
    return logs;
}

bool is_of_later_run(const Process& log, const DeviceLogs& logs) {
    const std::optional<logs::Span>& hosts = logs.at(&log).hosts;
    return hosts && std::any_of(logs.begin(), logs.end(), [&](const auto& known) {
               const auto& [other, of_other] = known;
               return of_other.time_us && other->device_id == log.device_id && other->root == log.root &&
                      hosts->begin > of_other.hosts->end && hosts->begin > *of_other.time_us + kLargeClockSkewUs;
           });
}

}  // namespace

void take_out_later_device_logs(std::vector<DeviceFact>& device, const Dump& dump, const TaskQuery& query,
                                const TaskMap::Contents& map, const LocateOptions& options) {
    const auto is_of_another_log = [&device](const DeviceFact& said) { return said.process != device.front().process; };
    if (std::none_of(device.begin(), device.end(), is_of_another_log)) {
        return;
    }
    const DeviceLogs logs = logs_among(device, dump, query, map, options);
    device.erase(std::remove_if(device.begin(), device.end(),
                                [&logs](const DeviceFact& said) { return is_of_later_run(*said.process, logs); }),
                 device.end());
}

}  // namespace opdebug::locate_stage
