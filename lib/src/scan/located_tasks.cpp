// Looks tasks of logs up, as if each had written a dump, and puts them in order.
#include <algorithm>
#include <cstdint>
#include <iterator>
#include <limits>
#include <set>
#include <string_view>
#include <utility>
#include <vector>

#include "logs/facts/task_map.hpp"
#include "scan/logged_tasks.hpp"
#include "scan/unnamed_failures.hpp"

namespace opdebug::scan_stage {
namespace {

/// A dump as the task would have written it: one record that overflowed.
Dump dump_of(const LoggedTaskIds& ids) {
    Record record;
    record.overflow = true;
    record.fields = {{Field::stream_id, ids.stream_id.value_or(0)}, {Field::task_id, ids.task_id.value_or(0)}};
    DecodedPayload payload;
    payload.records.push_back(std::move(record));
    Dump dump;
    dump.payloads.push_back(std::move(payload));
    if (ids.time_us && *ids.time_us > 0) {
        dump.timestamp_us = static_cast<std::uint64_t>(*ids.time_us);
    }
    return dump;
}

/// `device`: the number that the process sees, if `options` has no other.
Location location_of(const LoggedTaskIds& ids, std::optional<std::uint64_t> device,
                     const std::shared_ptr<const TaskMap>& map, const Limits& limits, LocateOptions options) {
    options.task_map = map;
    options.use_op_dumps = false;
    options.utc_offset_minutes = 0;  // the time is the logs' own
    options.limits = limits;
    Dump dump = dump_of(ids);
    dump.path_ids.device_id = device;
    Location location = locate(dump, options);
    // Remarks on the dump's time: there is no dump.
    std::erase_if(location.diagnostics, [](const Diagnostic& remark) {
        return remark.code == "time_zone" || remark.code == "time_unknown" || remark.code == "overflow_in_log";
    });
    return location;
}

}  // namespace

/// Tasks that may depend on others come after these. Some printed errors have whole seconds only: within such a second
/// the order is that of the lines.
void sort_by_cause(std::vector<LoggedTask>& tasks) {
    static constexpr std::int64_t kLast = std::numeric_limits<std::int64_t>::max() - kSameReportUs;
    static constexpr std::int64_t kSecondUs = 1'000'000;
    std::set<std::int64_t> whole_seconds;
    for (const LoggedTask& task : tasks) {
        if (task.ids.time_us && *task.ids.time_us % kSecondUs == 0) {
            whole_seconds.insert(*task.ids.time_us);
        }
    }
    const auto time_of = [&whole_seconds](const LoggedTask& task) {
        const std::int64_t time_us = task.ids.time_us.value_or(kLast);
        const std::int64_t second = time_us - time_us % kSecondUs;
        return whole_seconds.count(second) != 0 ? second : time_us;
    };
    std::vector<std::int64_t> independent;
    for (const LoggedTask& task : tasks) {
        if (!task.depends_on_others && task.report == TaskReport::failed) {
            independent.push_back(time_of(task));
        }
    }
    std::sort(independent.begin(), independent.end());
    const auto rank = [&](const LoggedTask& task) {
        const std::int64_t time = time_of(task);
        const auto next = std::lower_bound(independent.begin(), independent.end(), time);
        const bool waits = task.depends_on_others && next != independent.end() && *next - time <= kSameReportUs;
        return std::pair(waits ? *next : time, waits);
    };
    std::stable_sort(tasks.begin(), tasks.end(),
                     [&](const LoggedTask& a, const LoggedTask& b) { return rank(a) < rank(b); });
}

bool is_wait(const LoggedTask& task) {
    // Types as the runtime prints them, and collectives as HCCL does.
    constexpr std::string_view kWaits[] = {"wait",      "WAIT",     "hccl",    "AllReduce",
                                           "AllGather", "Reduce",   "Scatter", "BatchSendRecv",
                                           "Broadcast", "AlltoAll", "Send",    "Receive"};
    return std::any_of(std::begin(kWaits), std::end(kWaits),
                       [&task](std::string_view word) { return task.type.find(word) != std::string::npos; });
}

LoggedTask located_task(const LoggedTaskIds& ids, const std::shared_ptr<const TaskMap>& map, const Limits& limits) {
    LoggedTask task;
    task.ids = ids;
    task.location = location_of(ids, ids.device_id, map, limits, {});
    return task;
}

Location location_of_report(const LoggedTaskIds& ids, const std::shared_ptr<const TaskMap>& map, const Limits& limits) {
    const std::vector<logs::Process>& processes = map->contents().processes;
    const bool is_renumbered = std::any_of(processes.begin(), processes.end(), [](const logs::Process& process) {
        return !process.visible_devices.empty();
    });
    LocateOptions options;
    options.driver_device = is_renumbered ? ids.device_id : std::nullopt;
    return location_of(ids, is_renumbered ? std::nullopt : ids.device_id, map, limits, options);
}

}  // namespace opdebug::scan_stage
