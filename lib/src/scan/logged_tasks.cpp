#include "scan/logged_tasks.hpp"

#include <algorithm>
#include <cstdlib>
#include <iterator>
#include <limits>
#include <map>
#include <string_view>
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
constexpr std::uint64_t kSameReportLines = 50;  // without times

constexpr std::size_t kMostLines = 4;

using Number = std::optional<std::uint64_t>;

bool are_far(const LoggedTaskIds& a, const LoggedTaskIds& b) {
    return a.time_us && b.time_us && std::abs(*a.time_us - *b.time_us) > kSameReportUs;
}

bool may_be_same(const Number& a, const Number& b) {
    return !a || !b || a == b;
}

bool is_same_report(const LoggedTaskIds& a, const LoggedTaskIds& b) {
    return !are_far(a, b) && may_be_same(a.device_id, b.device_id) && may_be_same(a.process_id, b.process_id);
}

std::optional<TaskReport> report_of(const logs::Fact& fact) {
    switch (fact.kind) {
        case FactKind::overflow_report: return TaskReport::overflow;
        case FactKind::task_fault:
        case FactKind::failure:
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
    record.fields = {{Field::stream_id, ids.stream_id.value_or(0)}, {Field::task_id, ids.task_id.value_or(0)}};
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

/// What wrote a line: a thread of a process, or of printed errors, which name none, a carrier in a file.
struct Source {
    const logs::Process* process = nullptr;
    std::uint32_t file = 0;
    std::int64_t thread = -1;
    bool operator==(const Source&) const = default;
};

Source source_of(const logs::Process& process, const StoredFact& stored) {
    return {&process, process.pid < 0 ? stored.place.file : 0, stored.tid};
}

/// Whether the line is on a unit that runs no kernels of AI Core: by its words, or by its code (rt_error_codes.h).
bool is_of_other_unit(const StoredFact* line) {
    constexpr std::string_view kWords[] = {"aicpu", "AICPU", "AI CPU", "sdma", "SDMA"};
    constexpr std::uint64_t kCodes[] = {507013, 507017, 507018, 507019, 507900};
    const std::string_view text = line->place.text;
    return std::any_of(std::begin(kWords), std::end(kWords),
                       [text](std::string_view word) { return text.find(word) != std::string_view::npos; }) ||
           std::any_of(std::begin(kCodes), std::end(kCodes),
                       [line](std::uint64_t code) { return line->fact.fault_code == code; });
}

LoggedTaskIds ids_of(const logs::Process& process, const StoredFact& stored) {
    const logs::Fact& fact = stored.fact;
    LoggedTaskIds ids;
    ids.device_id = fact.device_id || !process.on_device ? fact.device_id : process.device_id;
    ids.stream_id = fact.stream_id;
    const Number& task_id = fact.task_id ? fact.task_id : fact.task_sn;
    ids.task_id = task_id ? Number(*task_id & logs::kLowHalfOfTask) : Number();
    ids.time_us = stored.time_us != 0 ? std::optional(stored.time_us) : std::nullopt;
    ids.process_id = fact.process_id;
    return ids;
}

/// Lines of failures that name no task, of one device or process.
struct UnnamedFailure {
    Source source;
    LoggedTaskIds ids;
    Number chip_id;
    std::vector<const StoredFact*> lines;  ///< that state a code, a reason or a location
    std::uint64_t last_line = 0;           ///< of the file
};

class ReportedTasks {
public:
    explicit ReportedTasks(const TaskMap::Contents& contents) : contents_(contents) {}

    void add(const logs::Process& process) {
        std::map<std::tuple<TaskReport, std::uint64_t, std::uint64_t>, std::size_t> latest;  // of one task
        for (const StoredFact& stored : process.facts) {
            const auto report = report_of(stored.fact);
            LoggedTask task;
            task.report = report;
            task.ids = ids_of(process, stored);
            if (stored.fact.kind == FactKind::failure) {
                add_unnamed(source_of(process, stored), task.ids, stored);
                continue;
            }
            if (!report || !task.ids.stream_id || !task.ids.task_id) {
                continue;
            }
            const auto [known, is_new] =
                latest.emplace(std::tuple(*report, *task.ids.stream_id, *task.ids.task_id), tasks_.size());
            if (is_new && process.on_device) {
                known->second = only_report_of(task);
            } else if (!is_new && !is_same_report(tasks_[known->second].ids, task.ids)) {
                known->second = tasks_.size();
            }
            if (known->second == tasks_.size()) {
                tasks_.push_back(task);
                sources_.push_back(source_of(process, stored));
                has_code_.push_back(false);
                is_kernel_.push_back(stored.fact.kind == FactKind::fault_kernel &&
                                     stored.fact.format_id.find("aicpu") == std::string::npos);
                chip_ids_.emplace_back();
            }
            describe(known->second, stored);
        }
    }

    std::vector<LoggedTask> take() {
        for (const UnnamedFailure& failure : unnamed_) {
            if (!failure.lines.empty()) {
                place(failure);
            }
        }
        for (std::size_t i = 0; i < tasks_.size(); ++i) {
            LoggedTask& task = tasks_[i];
            task.ids.device_id = task.ids.device_id ? task.ids.device_id : chip_ids_[i];
            for (const StoredFact* suspect : is_wait(task) ? suspects_ : std::vector<const StoredFact*>()) {
                std::vector<std::string>& known = task.suspects;
                if (std::find(known.begin(), known.end(), suspect->fact.suspect) == known.end()) {
                    known.push_back(suspect->fact.suspect);
                    add_line(*suspect, task);
                }
            }
        }
        return std::move(tasks_);
    }

private:
    /// The one task of a host that this report of a device may be about; if none or several, the end of the list.
    std::size_t only_report_of(const LoggedTask& task) const {
        std::size_t found = tasks_.size();
        for (std::size_t i = 0; i < tasks_.size(); ++i) {
            const LoggedTask& other = tasks_[i];
            if (!sources_[i].process->on_device && other.report == task.report &&
                other.ids.stream_id == task.ids.stream_id && other.ids.task_id == task.ids.task_id &&
                is_same_report(other.ids, task.ids)) {
                if (found != tasks_.size()) {
                    return tasks_.size();
                }
                found = i;
            }
        }
        return found;
    }

    void describe(std::size_t number, const StoredFact& stored) {
        constexpr std::uint64_t kModelExecute = 13;  // runtime task_base.hpp
        LoggedTask& task = tasks_[number];
        const logs::Fact& fact = stored.fact;
        task.ids.device_id = task.ids.device_id ? task.ids.device_id : fact.device_id;
        chip_ids_[number] = chip_ids_[number] ? chip_ids_[number] : fact.chip_id;
        if (fact.kind == FactKind::task_fault && task.type.empty()) {
            task.type = fact.operator_type;
        }
        task.depends_on_others = task.depends_on_others || is_wait(task) || fact.task_type == kModelExecute;
        has_code_[number] = has_code_[number] || fact.fault_code;
        add_line(stored, task);
    }

    void add_line(const StoredFact& stored, LoggedTask& task) const {
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

    /// Lines of which one names a process: without a time only near each other, and of one code if none has a carrier.
    static bool may_be_of_process(const UnnamedFailure& known, const LoggedTaskIds& ids, const StoredFact& stored) {
        if (known.ids.process_id == ids.process_id || stored.time_us != 0) {
            return true;
        }
        std::vector<std::uint64_t> codes;  // of the runtime: a core's error has another one
        for (const StoredFact* line : known.lines) {
            const std::uint64_t code = line->fact.fault_code.value_or(0);
            if (code / 1000 == 507 && std::find(codes.begin(), codes.end(), code) == codes.end()) {
                codes.push_back(code);
            }
        }
        return stored.place.line - known.last_line <= kSameReportLines &&
               (stored.tid >= 0 || known.ids.process_id || codes.size() < 2);
    }

    /// A line without device and process is of those that the last such line of its source named.
    void add_unnamed(const Source& source, const LoggedTaskIds& ids, const StoredFact& stored) {
        const auto is_its = [&](const UnnamedFailure& known) {
            return known.source.process == source.process && known.source.file == source.file &&
                   (known.source == source || (ids.process_id && known.ids.process_id == ids.process_id)) &&
                   may_be_same(known.ids.device_id, ids.device_id) &&
                   may_be_same(known.ids.process_id, ids.process_id) &&
                   (ids.device_id || may_be_same(known.chip_id, stored.fact.chip_id)) &&
                   may_be_of_process(known, ids, stored);
        };
        auto known = std::find_if(unnamed_.rbegin(), unnamed_.rend(), is_its);
        if (known == unnamed_.rend()) {
            unnamed_.push_back({source, ids, stored.fact.chip_id, {}, 0});
            known = unnamed_.rbegin();
        }
        known->ids.device_id = known->ids.device_id ? known->ids.device_id : ids.device_id;
        known->ids.process_id = known->ids.process_id ? known->ids.process_id : ids.process_id;
        known->ids.stream_id = known->ids.stream_id ? known->ids.stream_id : ids.stream_id;
        known->chip_id = known->chip_id ? known->chip_id : stored.fact.chip_id;
        known->last_line = stored.place.line;
        const logs::Fact& fact = stored.fact;
        if (fact.fault_code || fact.chip_id || fact.stream_id || !fact.reason.empty() || !fact.suspect.empty()) {
            known->lines.push_back(&stored);
        }
        if (!fact.suspect.empty()) {
            suspects_.push_back(&stored);
        }
    }

    /// Whether the failure may be that of the task, or a consequence of it.
    bool may_follow(const UnnamedFailure& failure, std::size_t number) const {
        const LoggedTask& task = tasks_[number];
        const bool is_earlier = are_far(task.ids, failure.ids) && *failure.ids.time_us < *task.ids.time_us;
        const bool is_other_unit =
            is_kernel_[number] && std::any_of(failure.lines.begin(), failure.lines.end(), is_of_other_unit);
        return task.report == TaskReport::failed && task.ids.task_id && !is_earlier && !is_other_unit &&
               may_be_same(task.ids.device_id, failure.ids.device_id) &&
               may_be_same(task.ids.process_id, failure.ids.process_id) &&
               sources_[number].process == failure.source.process &&
               (is_of_device(failure, number) || sources_[number] == failure.source ||
                (failure.source.process->pid >= 0 && may_be_same(task.ids.device_id, failure.chip_id)));
    }

    bool is_of_device(const UnnamedFailure& failure, std::size_t number) const {
        return failure.ids.device_id && failure.ids.device_id == tasks_[number].ids.device_id;
    }

    /// Whether the failure is that of the task: of its thread or device, and of no other chip.
    bool is_of_task(const UnnamedFailure& failure, std::size_t number) const {
        const LoggedTask& task = tasks_[number];
        return !are_far(task.ids, failure.ids) && may_be_same(task.ids.device_id, failure.chip_id) &&
               (is_of_device(failure, number) || sources_[number] == failure.source);
    }

    /// A line of a printed log without device and process, or with the process of another one, repeats what others of
    /// the file state. The location that a collective waited for belongs to the collective.
    bool repeats_others(const UnnamedFailure& failure) const {
        const auto is_of_file = [&failure](const Source& source) {
            return source.process == failure.source.process && source.file == failure.source.file;
        };
        const bool shows_source = failure.ids.device_id || failure.ids.process_id || failure.chip_id;
        const bool is_other_known = std::any_of(sources_.begin(), sources_.end(), is_of_file) ||
                                    std::any_of(unnamed_.begin(), unnamed_.end(), [&](const UnnamedFailure& other) {
                                        return &other != &failure && is_of_file(other.source) && !other.lines.empty() &&
                                               (other.ids.device_id || other.ids.process_id || other.chip_id);
                                    });
        const bool is_of_known_process = std::any_of(unnamed_.data(), &failure, [&](const UnnamedFailure& other) {
            return failure.ids.process_id && other.ids.process_id == failure.ids.process_id &&
                   is_of_file(other.source) && !other.lines.empty();
        });
        const bool names_location = std::all_of(failure.lines.begin(), failure.lines.end(),
                                                [](const StoredFact* line) { return !line->fact.suspect.empty(); });
        return is_of_known_process || (failure.source.process->pid < 0 && !shows_source && is_other_known) ||
               (names_location && std::any_of(tasks_.begin(), tasks_.end(), is_wait));
    }

    /// Adds the lines to the only task that they may be about, if its own lines have no code; makes a report of them if
    /// there is no such task. A code before the lines of a kernel may be of another kernel, unless it names the device.
    void place(const UnnamedFailure& failure) {
        std::vector<std::size_t> fitting;
        bool is_covered = repeats_others(failure);
        for (std::size_t i = 0; i < tasks_.size(); ++i) {
            if (may_follow(failure, i)) {
                is_covered = true;
                if (is_of_task(failure, i)) {
                    fitting.push_back(i);
                }
            }
        }
        const auto depends = [this](std::size_t number) { return tasks_[number].depends_on_others; };
        if (!std::all_of(fitting.begin(), fitting.end(), depends)) {
            std::erase_if(fitting, depends);
        }
        std::size_t number = tasks_.size();
        if (!is_covered) {
            LoggedTask task;
            task.report = TaskReport::failed;
            task.ids = failure.ids;
            tasks_.push_back(std::move(task));
            sources_.push_back(failure.source);
            has_code_.push_back(false);
            is_kernel_.push_back(false);
            chip_ids_.push_back(failure.chip_id);
        } else if (fitting.size() == 1 && !has_code_[fitting.front()]) {
            number = fitting.front();
        } else {
            return;
        }
        LoggedTask& task = tasks_[number];
        const bool is_sure = task.depends_on_others || !task.ids.task_id ||
                             (task.ids.device_id && task.ids.device_id == failure.ids.device_id);
        const Evidence first = is_covered ? task.evidence.front() : Evidence();
        for (const StoredFact* stored : failure.lines) {
            if (is_sure || first.file != contents_.files[stored->place.file] || first.line < stored->place.line) {
                add_line(*stored, task);
            }
        }
    }

    const TaskMap::Contents& contents_;
    std::vector<LoggedTask> tasks_;
    std::vector<Source> sources_;   ///< by task
    std::vector<bool> has_code_;    ///< by task
    std::vector<bool> is_kernel_;   ///< by task: of AI Core
    std::vector<Number> chip_ids_;  ///< by task; the number of the device where no line has one
    std::vector<UnnamedFailure> unnamed_;
    std::vector<const StoredFact*> suspects_;
};

/// Later than all tasks that they may depend on.
void sort_by_cause(std::vector<LoggedTask>& tasks) {
    static constexpr std::int64_t kLast = std::numeric_limits<std::int64_t>::max() - kSameReportUs;
    const auto time_of = [](const LoggedTask& task) { return task.ids.time_us.value_or(kLast); };
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

}  // namespace

bool is_wait(const LoggedTask& task) {
    // Types as the runtime prints them, and collectives as HCCL does.
    constexpr std::string_view kWaits[] = {"wait",      "WAIT",     "hccl",    "AllReduce",
                                           "AllGather", "Reduce",   "Scatter", "BatchSendRecv",
                                           "Broadcast", "AlltoAll", "Send",    "Receive"};
    return std::any_of(std::begin(kWaits), std::end(kWaits),
                       [&task](std::string_view word) { return task.type.find(word) != std::string::npos; });
}

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
    sort_by_cause(tasks);
    for (LoggedTask& task : tasks) {
        if (task.ids.task_id) {
            task.location = located_task(task.ids, map, limits).location;
        }
    }
    return tasks;
}

}  // namespace opdebug::scan_stage
