#include "scan/logged_tasks.hpp"

#include <algorithm>
#include <iterator>
#include <map>
#include <set>
#include <string_view>
#include <tuple>
#include <utility>

#include "locate/operator_lines.hpp"
#include "logs/facts/task_map.hpp"
#include "scan/unnamed_failures.hpp"

namespace opdebug::scan_stage {
namespace {

using logs::FactKind;
using logs::StoredFact;

constexpr std::size_t kMostLines = 4;

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

/// Whether the text was not there.
bool add_once(std::vector<std::string>& texts, const std::string& text) {
    const bool is_new = std::find(texts.begin(), texts.end(), text) == texts.end();
    if (is_new) {
        texts.push_back(text);
    }
    return is_new;
}

/// A task while its lines are collected.
struct Report {
    LoggedTask task;
    Source source;
    bool is_kernel = false;  ///< of AI Core
    bool has_code = false;
    Number chip_id;                             ///< the number of the device where no line has one
    std::optional<std::uint32_t> printed_in{};  ///< a file of printed errors that repeats the process's own lines
};

class ReportedTasks {
public:
    explicit ReportedTasks(const TaskMap::Contents& contents) : contents_(contents) {}

    void add(const logs::Process& process) {
        std::map<std::tuple<TaskReport, std::uint64_t, std::uint64_t>, std::size_t> latest;  // of one task
        FailureTimes times(process);
        for (const StoredFact& stored : process.facts) {
            const logs::Fact& fact = stored.fact;
            const LoggedTaskIds ids = ids_of(process, stored, times.of_next(stored));
            if (fact.kind == FactKind::stated_error) {
                errors_.push_back({&process, &stored, ids});
                continue;
            }
            if (fact.kind == FactKind::stated_overflow) {
                add_overflow(process, stored, ids);
                continue;
            }
            if (fact.kind == FactKind::failure) {
                add_line(process, stored, ids, unnamed_);
                if (!fact.suspect.empty()) {
                    suspects_.push_back(&stored);
                }
                continue;
            }
            const auto report = report_of(fact);
            LoggedTask task;
            task.report = report;
            task.ids = ids;
            if (!report || !task.ids.stream_id || !task.ids.task_id) {
                continue;
            }
            const auto [known, is_new] =
                latest.emplace(std::tuple(*report, *task.ids.stream_id, *task.ids.task_id), reports_.size());
            if (is_new && (process.on_device || process.pid < 0)) {
                known->second = only_report_of(task, process);
            } else if (!is_new && !is_same_report(reports_[known->second].task.ids, task.ids)) {
                known->second = reports_.size();
            }
            if (known->second == reports_.size()) {
                const bool is_kernel =
                    fact.kind == FactKind::fault_kernel && fact.format_id.find("aicpu") == std::string::npos;
                reports_.push_back({std::move(task), source_of(process, stored), is_kernel, false, {}, {}});
            }
            Report& reported = reports_[known->second];
            if (process.pid < 0 && reported.source.process != &process) {
                reported.printed_in = stored.place.file;
            }
            describe(reported, stored);
        }
    }

    std::vector<LoggedTask> take() {
        for (const StatedError& error : errors_) {
            UnnamedFailure* const failure = failure_of(*error.process, *error.stored, error.ids, unnamed_);
            const auto is_failed_call = [](const StoredFact* line) {
                return !line->fact.fault_code && !line->fact.reason.empty() && !line->fact.chip_id;
            };
            if (failure != nullptr && !failure->lines.empty() &&
                std::all_of(failure->lines.begin(), failure->lines.end(), is_failed_call)) {
                failure->lines.push_back(error.stored);
            }
        }
        place_failures();
        if (reports_.empty()) {
            for (const StatedError& error : errors_) {
                add_line(*error.process, *error.stored, error.ids, unnamed_);
            }
            place_failures();
        }
        std::set<const Report*> repeated;
        for (const Report& report : reports_) {
            if (repeats_overflow(report)) {
                repeated.insert(&report);
            }
        }
        std::vector<LoggedTask> tasks;
        for (Report& report : reports_) {
            if (repeated.contains(&report)) {
                continue;
            }
            LoggedTask& task = report.task;
            task.ids.device_id = task.ids.device_id ? task.ids.device_id : report.chip_id;
            for (const StoredFact* suspect : is_wait(task) ? suspects_ : std::vector<const StoredFact*>()) {
                if (add_once(task.suspects, suspect->fact.suspect)) {
                    add_evidence(*suspect, task);
                }
            }
            tasks.push_back(std::move(task));
        }
        return tasks;
    }

private:
    struct StatedError {
        const logs::Process* process;
        const StoredFact* stored;
        LoggedTaskIds ids;
    };

    void place_failures() {
        for (const UnnamedFailure& failure : unnamed_) {
            if (!failure.lines.empty()) {
                place(failure);
            }
        }
    }

    /// One report for each operator of a process that the lines name, or for the process.
    void add_overflow(const logs::Process& process, const StoredFact& stored, const LoggedTaskIds& ids) {
        const std::string& name = stored.fact.operator_name;
        const auto known = std::find_if(reports_.begin(), reports_.end(), [&](const Report& report) {
            const std::optional<LocatedOperator>& op = report.task.location.op;
            return report.task.report == TaskReport::overflow && !report.task.ids.task_id &&
                   report.source.process == &process && (op ? op->best.name == name : name.empty());
        });
        if (known != reports_.end()) {
            add_evidence(stored, known->task);
            return;
        }
        LoggedTask task;
        task.report = TaskReport::overflow;
        task.ids = ids;
        add_evidence(stored, task);
        if (!name.empty()) {
            OperatorAnswer answer;
            answer.name = name;
            answer.evidence = task.evidence;
            task.location.op = LocatedOperator{answer, {answer}};
        }
        reports_.push_back({std::move(task), source_of(process, stored), false, false, {}, {}});
    }

    /// Whether the overflow without a task is that of one whose task another line of the process gives.
    bool repeats_overflow(const Report& unnamed) const {
        const LoggedTask& task = unnamed.task;
        return task.report == TaskReport::overflow && !task.ids.task_id && !task.location.op &&
               std::any_of(reports_.begin(), reports_.end(), [&](const Report& other) {
                   return other.source.process == unnamed.source.process && other.task.ids.task_id &&
                          other.task.report == TaskReport::overflow && !are_far(other.task.ids, task.ids);
               });
    }

    /// The one task of a host that this report of a device may be about, or that these printed lines repeat; if none or
    /// several, the end of the list. Printed lines without a time may be of any run.
    std::size_t only_report_of(const LoggedTask& task, const logs::Process& process) const {
        std::size_t only = reports_.size();
        for (std::size_t i = 0; i < reports_.size(); ++i) {
            const LoggedTask& other = reports_[i].task;
            const logs::Process& host = *reports_[i].source.process;
            const bool may_repeat = process.on_device || (host.pid >= 0 && task.ids.time_us && other.ids.time_us &&
                                                          task.ids.device_id == other.ids.device_id);
            if (!host.on_device && may_repeat && other.report == task.report &&
                other.ids.stream_id == task.ids.stream_id && other.ids.task_id == task.ids.task_id &&
                is_same_report(other.ids, task.ids)) {
                if (only != reports_.size()) {
                    return reports_.size();
                }
                only = i;
            }
        }
        return only;
    }

    void describe(Report& report, const StoredFact& stored) const {
        constexpr std::uint64_t kModelExecute = 13;  // runtime task_base.hpp
        LoggedTask& task = report.task;
        const logs::Fact& fact = stored.fact;
        task.ids.device_id = task.ids.device_id ? task.ids.device_id : fact.device_id;
        report.chip_id = report.chip_id ? report.chip_id : fact.chip_id;
        if (fact.kind == FactKind::task_fault && task.type.empty()) {
            task.type = fact.operator_type;
        }
        task.depends_on_others = task.depends_on_others || is_wait(task) || fact.task_type == kModelExecute;
        report.has_code = report.has_code || fact.fault_code;
        if (!fact.suspect.empty()) {
            add_once(task.suspects, fact.suspect);
        }
        add_evidence(stored, task);
    }

    void add_evidence(const StoredFact& stored, LoggedTask& task) const {
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

    static bool is_of_device(const UnnamedFailure& failure, const Report& report) {
        return failure.ids.device_id && failure.ids.device_id == report.task.ids.device_id;
    }

    /// Whether the failure may be that of the task, or a consequence of it.
    static bool may_follow(const UnnamedFailure& failure, const Report& report) {
        const LoggedTask& task = report.task;
        const bool is_earlier = are_far(task.ids, failure.ids) && *failure.ids.time_us < *task.ids.time_us;
        const bool is_other_unit =
            report.is_kernel && std::any_of(failure.lines.begin(), failure.lines.end(), is_of_other_unit);
        return task.report == TaskReport::failed && task.ids.task_id && !is_earlier && !is_other_unit &&
               may_be_same(task.ids.device_id, failure.ids.device_id) &&
               may_be_same(task.ids.process_id, failure.ids.process_id) &&
               report.source.process == failure.source.process &&
               (is_of_device(failure, report) || report.source == failure.source ||
                (failure.source.process->pid >= 0 && may_be_same(task.ids.device_id, failure.chip_id)));
    }

    /// Whether the failure is that of the task: of its thread or device, and of no other chip.
    static bool is_of_task(const UnnamedFailure& failure, const Report& report) {
        const LoggedTask& task = report.task;
        return !are_far(task.ids, failure.ids) && may_be_same(task.ids.device_id, failure.chip_id) &&
               (is_of_device(failure, report) || report.source == failure.source);
    }

    /// A line of a printed log without device and process, or with the process of another one, repeats what others of
    /// the file state. The location that a collective waited for belongs to the collective.
    bool repeats_others(const UnnamedFailure& failure) const {
        const auto is_of_file = [&failure](const Source& source) {
            return source.process == failure.source.process && source.file == failure.source.file;
        };
        const bool is_reported = std::any_of(reports_.begin(), reports_.end(), [&](const Report& report) {
            return is_of_file(report.source) || report.printed_in == failure.source.file;
        });
        const bool is_in_own_log = std::any_of(reports_.begin(), reports_.end(), [&failure](const Report& report) {
            const LoggedTaskIds& ids = report.task.ids;
            return failure.source.process->pid < 0 && failure.ids.process_id && ids.time_us && failure.ids.time_us &&
                   report.source.process->pid == static_cast<std::int64_t>(*failure.ids.process_id) &&
                   is_same_report(ids, failure.ids);
        });
        bool is_other_known = is_reported;
        bool is_of_known_process = false;
        for (const UnnamedFailure& other : unnamed_) {
            if (&other == &failure || !is_of_file(other.source) || other.lines.empty()) {
                continue;
            }
            is_other_known = is_other_known || other.has_origin();
            is_of_known_process = is_of_known_process || (&other < &failure && failure.ids.process_id &&
                                                          other.ids.process_id == failure.ids.process_id);
        }
        const bool names_location = std::all_of(failure.lines.begin(), failure.lines.end(),
                                                [](const StoredFact* line) { return !line->fact.suspect.empty(); });
        return is_in_own_log || is_of_known_process ||
               (failure.source.process->pid < 0 && !failure.has_origin() && is_other_known) ||
               (names_location && std::any_of(reports_.begin(), reports_.end(),
                                              [](const Report& report) { return is_wait(report.task); }));
    }

    /// Adds the lines to the only task that they may be about, if its own lines have no code; makes a report of them if
    /// there is no such task. A code before the lines of a kernel may be of another kernel, unless it names the device.
    /// A fault of the device is no consequence of a wait: it may be what others waited for.
    void place(const UnnamedFailure& failure) {
        std::vector<Report*> fitting;
        bool is_covered = repeats_others(failure);
        const bool is_device_fault = failure.is_device_fault();
        for (Report& report : reports_) {
            if (may_follow(failure, report) && !(is_device_fault && is_wait(report.task))) {
                is_covered = true;
                if (is_of_task(failure, report)) {
                    fitting.push_back(&report);
                }
            }
        }
        const auto depends = [](const Report* report) { return report->task.depends_on_others; };
        if (!std::all_of(fitting.begin(), fitting.end(), depends)) {
            std::erase_if(fitting, depends);
        }
        if (!is_covered) {
            LoggedTask task;
            task.report = TaskReport::failed;
            task.ids = failure.ids;
            reports_.push_back({std::move(task), failure.source, false, false, failure.chip_id, {}});
        } else if (fitting.size() != 1 || fitting.front()->has_code) {
            return;
        }
        LoggedTask& task = is_covered ? fitting.front()->task : reports_.back().task;
        const bool is_sure = task.depends_on_others || !task.ids.task_id ||
                             (task.ids.device_id && task.ids.device_id == failure.ids.device_id);
        const Evidence first = is_covered ? task.evidence.front() : Evidence();
        for (const StoredFact* stored : failure.lines) {
            if (is_sure || first.file != contents_.files[stored->place.file] || first.line < stored->place.line) {
                add_evidence(*stored, task);
            }
            if (!task.ids.task_id && (stored->fact.kind == FactKind::stated_error || !stored->fact.suspect.empty())) {
                add_once(task.errors, stored->fact.reason);
            }
            if (!task.ids.task_id && !stored->fact.suspect.empty()) {
                add_once(task.suspects, stored->fact.suspect);
            }
        }
    }

    const TaskMap::Contents& contents_;
    std::vector<Report> reports_;
    std::vector<UnnamedFailure> unnamed_;
    std::vector<const StoredFact*> suspects_;
    std::vector<StatedError> errors_;
};

}  // namespace

std::vector<LoggedTask> reported_tasks(const std::shared_ptr<const TaskMap>& map, const Limits& limits) {
    ReportedTasks reported(map->contents());
    std::vector<const logs::Process*> processes;
    for (const logs::Process& process : map->contents().processes) {
        processes.push_back(&process);
    }
    // Lines of devices and printed errors repeat what the logs of hosts state.
    std::stable_sort(processes.begin(), processes.end(), [](const logs::Process* a, const logs::Process* b) {
        return std::pair(a->on_device, a->pid < 0) < std::pair(b->on_device, b->pid < 0);
    });
    for (const logs::Process* const process : processes) {
        reported.add(*process);
    }
    std::vector<LoggedTask> tasks = reported.take();
    sort_by_cause(tasks);
    for (LoggedTask& task : tasks) {
        if (task.ids.task_id) {
            task.location = location_of_report(task.ids, map, limits);
        }
    }
    return tasks;
}

}  // namespace opdebug::scan_stage
