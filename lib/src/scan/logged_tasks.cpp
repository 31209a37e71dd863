#include "scan/logged_tasks.hpp"

#include <algorithm>
#include <limits>
#include <map>
#include <tuple>
#include <utility>

#include "logs/facts/task_map.hpp"

namespace opdebug::scan_stage {
namespace {

using logs::FactKind;
using logs::StoredFact;

/// Reports of one failure come together; the same ids can fail again later.
constexpr std::int64_t kSameReportUs = 10'000'000;

constexpr std::size_t kMostLines = 4;

bool is_same_report(const LoggedTaskIds& before, const LoggedTaskIds& now) {
    const bool is_far = before.time_us && now.time_us && *now.time_us - *before.time_us > kSameReportUs;
    const bool is_elsewhere = before.device_id && now.device_id && before.device_id != now.device_id;
    return !is_far && !is_elsewhere;
}

std::optional<TaskReport> report_of(FactKind kind) {
    switch (kind) {
        case FactKind::overflow_report: return TaskReport::overflow;
        case FactKind::task_fault:
        case FactKind::fault_kernel: return TaskReport::failed;
        default: return std::nullopt;
    }
}

EvidenceKind kind_of(const StoredFact& stored) {
    if (stored.from_saved_map) {
        return EvidenceKind::task_map;
    }
    switch (stored.place.log.value_or(stored.fact.log)) {
        case logs::LogKind::ge_log: return EvidenceKind::ge_log;
        case logs::LogKind::runtime_log: return EvidenceKind::runtime_log;
        case logs::LogKind::device_log: return EvidenceKind::device_log;
    }
    return EvidenceKind::runtime_log;
}

/// A dump as the task would have written it: one record that overflowed.
Dump dump_of(const LoggedTaskIds& ids) {
    Record record;
    record.overflow = true;
    record.fields = {{Field::stream_id, ids.stream_id}, {Field::task_id, ids.task_id}};
    DecodedPayload payload;
    payload.records.push_back(std::move(record));
    Dump dump;
    dump.payloads.push_back(std::move(payload));
    dump.path_ids.device_id = ids.device_id;
    if (ids.time_us && *ids.time_us > 0) {
        dump.timestamp_us = static_cast<std::uint64_t>(*ids.time_us);
    }
    return dump;
}

}  // namespace

LoggedTask located_task(const LoggedTaskIds& ids, const std::shared_ptr<const TaskMap>& map, const Limits& limits) {
    LocateOptions options;
    options.task_map = map;
    options.use_op_dumps = false;
    options.utc_offset_minutes = 0;  // the time is the logs' own
    options.limits = limits;
    LoggedTask task;
    task.ids = ids;
    task.location = locate(dump_of(ids), options);
    // Remarks on the dump's time: there is no dump.
    std::erase_if(task.location.diagnostics, [](const Diagnostic& remark) {
        return remark.code == "time_zone" || remark.code == "time_unknown" || remark.code == "overflow_in_log";
    });
    return task;
}

std::vector<LoggedTask> reported_tasks(const std::shared_ptr<const TaskMap>& map, const Limits& limits) {
    const TaskMap::Contents& contents = map->contents();
    std::vector<LoggedTask> tasks;
    for (const logs::Process& process : contents.processes) {
        std::map<std::tuple<TaskReport, std::uint64_t, std::uint64_t>, std::size_t> latest;  // of one task
        for (const StoredFact& stored : process.facts) {
            const auto report = report_of(stored.fact.kind);
            const auto task_id = stored.fact.task_id ? stored.fact.task_id : stored.fact.task_sn;
            if (!report || !stored.fact.stream_id || !task_id) {
                continue;
            }
            LoggedTask task;
            task.report = report;
            task.ids = {stored.fact.device_id, *stored.fact.stream_id, *task_id & logs::kLowHalfOfTask,
                        stored.time_us != 0 ? std::optional(stored.time_us) : std::nullopt};
            const auto [known, is_new] =
                latest.emplace(std::tuple(*report, task.ids.stream_id, task.ids.task_id), tasks.size());
            if (is_new || !is_same_report(tasks[known->second].ids, task.ids)) {
                known->second = tasks.size();
                tasks.push_back(task);
            }
            LoggedTask& reported = tasks[known->second];
            reported.ids.device_id = reported.ids.device_id ? reported.ids.device_id : task.ids.device_id;
            if (reported.evidence.size() < kMostLines) {
                reported.evidence.push_back(
                    {kind_of(stored), contents.files[stored.place.file], stored.place.line, stored.place.text});
            }
        }
    }
    std::stable_sort(tasks.begin(), tasks.end(), [](const LoggedTask& a, const LoggedTask& b) {
        constexpr std::int64_t kLast = std::numeric_limits<std::int64_t>::max();
        return a.ids.time_us.value_or(kLast) < b.ids.time_us.value_or(kLast);
    });
    for (LoggedTask& task : tasks) {
        task.location = located_task(task.ids, map, limits).location;
    }
    return tasks;
}

}  // namespace opdebug::scan_stage
