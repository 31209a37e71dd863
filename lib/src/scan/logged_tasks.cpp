#include "scan/logged_tasks.hpp"

#include <algorithm>
#include <cstdlib>
#include <limits>
#include <map>
#include <tuple>
#include <utility>

#include "locate/operator_lines.hpp"
#include "logs/facts/task_map.hpp"

namespace opdebug::scan_stage {
namespace {

using logs::FactKind;
using logs::StoredFact;

/// Reports of one failure come together; the same ids can fail again later.
constexpr std::int64_t kSameReportUs = 10'000'000;

constexpr std::size_t kMostLines = 4;

bool is_same_report(const LoggedTaskIds& a, const LoggedTaskIds& b) {
    const bool is_far = a.time_us && b.time_us && std::abs(*a.time_us - *b.time_us) > kSameReportUs;
    const bool is_elsewhere = a.device_id && b.device_id && a.device_id != b.device_id;
    return !is_far && !is_elsewhere;
}

std::optional<TaskReport> report_of(const logs::Fact& fact) {
    switch (fact.kind) {
        case FactKind::overflow_report: return TaskReport::overflow;
        case FactKind::task_fault:
        case FactKind::fault_kernel: return TaskReport::failed;
        case FactKind::operator_of_task:
            return locate_stage::statement_of(fact) == locate_stage::Statement::failure
                       ? std::optional(TaskReport::failed)
                       : std::nullopt;
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

class ReportedTasks {
public:
    explicit ReportedTasks(const TaskMap::Contents& contents) : contents_(contents) {}

    void add(const logs::Process& process) {
        std::map<std::tuple<TaskReport, std::uint64_t, std::uint64_t>, std::size_t> latest;  // of one task
        for (const StoredFact& stored : process.facts) {
            const auto report = report_of(stored.fact);
            const auto task_id = stored.fact.task_id ? stored.fact.task_id : stored.fact.task_sn;
            if (!report || !stored.fact.stream_id || !task_id) {
                continue;
            }
            LoggedTask task;
            task.report = report;
            const auto device_id =
                stored.fact.device_id || !process.on_device ? stored.fact.device_id : process.device_id;
            task.ids = {device_id, *stored.fact.stream_id, *task_id & logs::kLowHalfOfTask,
                        stored.time_us != 0 ? std::optional(stored.time_us) : std::nullopt};
            const auto [known, is_new] =
                latest.emplace(std::tuple(*report, task.ids.stream_id, task.ids.task_id), tasks_.size());
            if (is_new && process.on_device) {
                known->second = only_report_of(task);
            } else if (!is_new && !is_same_report(tasks_[known->second].ids, task.ids)) {
                known->second = tasks_.size();
            }
            if (known->second == tasks_.size()) {
                tasks_.push_back(task);
                is_of_device_.push_back(process.on_device);
            }
            add_line(stored, tasks_[known->second]);
        }
    }

    std::vector<LoggedTask> take() { return std::move(tasks_); }

private:
    /// The one task of a host that this report of a device may be about; if none or several, the end of the list.
    std::size_t only_report_of(const LoggedTask& task) const {
        std::size_t found = tasks_.size();
        for (std::size_t i = 0; i < tasks_.size(); ++i) {
            const LoggedTask& other = tasks_[i];
            if (!is_of_device_[i] && other.report == task.report && other.ids.stream_id == task.ids.stream_id &&
                other.ids.task_id == task.ids.task_id && is_same_report(other.ids, task.ids)) {
                if (found != tasks_.size()) {
                    return tasks_.size();
                }
                found = i;
            }
        }
        return found;
    }

    void add_line(const StoredFact& stored, LoggedTask& task) const {
        task.ids.device_id = task.ids.device_id ? task.ids.device_id : stored.fact.device_id;
        const auto add = [&](const logs::LogPlace& place) {
            const auto is_same = [&](const Evidence& line) {
                return line.line == place.line && line.file == contents_.files[place.file];
            };
            if (task.evidence.size() < kMostLines &&
                std::none_of(task.evidence.begin(), task.evidence.end(), is_same)) {
                task.evidence.push_back({kind_of(stored), contents_.files[place.file], place.line, place.text});
            }
        };
        for (const logs::LogPlace& earlier : stored.completed_by) {
            add(earlier);
        }
        add(stored.place);
    }

    const TaskMap::Contents& contents_;
    std::vector<LoggedTask> tasks_;
    std::vector<bool> is_of_device_;  ///< by task
};

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
    ReportedTasks reported(map->contents());
    for (const bool on_device : {false, true}) {
        for (const logs::Process& process : map->contents().processes) {
            if (process.on_device == on_device) {
                reported.add(process);
            }
        }
    }
    std::vector<LoggedTask> tasks = reported.take();
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
