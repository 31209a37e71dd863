#include "locate/answer_remarks.hpp"

#include <algorithm>
#include <optional>
#include <tuple>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "locate/reasons.hpp"
#include "logs/facts/time_gap.hpp"
#include "logs/lookup/map_index.hpp"
#include "logs/lookup/visible_devices.hpp"
#include "logs/text/line.hpp"

namespace opdebug::locate_stage {
namespace {

bool same_operator(const OperatorAnswer& a, const OperatorAnswer& b) {
    return std::tie(a.name, a.type, a.kernel) == std::tie(b.name, b.type, b.kernel);
}

/// Whether a log line has a place for its time, and what stands there is none: a placeholder, or no moment that a clock
/// shows (a month 13, the year 0001 or 9999).
bool lacks_time(const Evidence& evidence) {
    const std::optional<logs::LogLine> line =
        evidence.line ? logs::parse_line_prefix(evidence.text) : std::optional<logs::LogLine>();
    return line && !line->short_form && !line->local_time_us;
}

bool is_printed_error(const Evidence& evidence) {
    const std::optional<logs::LogLine> line =
        evidence.line ? logs::parse_line_prefix(evidence.text) : std::optional<logs::LogLine>();
    return line && line->module.empty();
}

}  // namespace

void remark_numbers(const std::vector<MatchAnswer>& answers, const TaskQuery& query,
                    std::vector<Diagnostic>& diagnostics) {
    if (answers.empty() || answers.front().operators.empty()) {
        return;
    }
    if (answers.front().is_unconfirmed()) {
        diagnostics.push_back(
            {Severity::warning, "task_id_unconfirmed",
             fmt::format("the launch line was printed before task id {} was final, and no later line confirms it: the "
                         "answer may be another task's; set ASCEND_MODULE_LOG_LEVEL=RUNTIME=1 for the next run, so "
                         "that the lines that send a task are logged",
                         *query.task_id)});
    }
    const OperatorAnswer& best = answers.front().operators.front();
    const bool is_unclear = std::any_of(answers.begin(), answers.end(), [&](const MatchAnswer& answer) {
        const bool is_serial = answer.match->number == TaskNumber::from_serial_number && !answer.operators.empty();
        return is_serial && (&answer == &answers.front() || !same_operator(answer.operators.front(), best));
    });
    if (is_unclear) {
        diagnostics.push_back(
            {Severity::warning, "task_number_unclear",
             fmt::format("lines of Ascend 950 carry two numbers of a task, its position in the queue and a serial "
                         "number; which of them the record's task id {} is, is not known: {}",
                         *query.task_id,
                         answers.front().match->number == TaskNumber::from_serial_number
                             ? "only a serial number ends in it"
                             : "both were looked up and give different operators")});
    }
}

void remark_unclear_device(const std::vector<MatchAnswer>& answers, const TaskQuery& query,
                           const std::vector<OperatorAnswer>& operators, std::vector<Diagnostic>& diagnostics) {
    const auto unclear = std::find_if(answers.begin(), answers.end(), [](const MatchAnswer& answer) {
        return !answer.match->possible_devices.empty();
    });
    if (operators.size() > 1 && unclear != answers.end()) {
        diagnostics.push_back(
            {Severity::warning, "device_unclear",
             fmt::format("stream {} is open on the devices {} at that time, and lines on task {} tell neither by "
                         "themselves nor by their thread which of them they speak of: each of the operators may be it",
                         *query.stream_id, fmt::join(unclear->match->possible_devices, ", "), *query.task_id)});
    }
}

void remark_damaged_files(const Found& found, const TaskMap::Contents& map, std::vector<Diagnostic>& diagnostics) {
    const auto find_in = [&map](const std::vector<Evidence>& evidence) {
        return std::find_if(evidence.begin(), evidence.end(),
                            [&map](const Evidence& line) { return map.damaged_files.count(line.file) != 0; });
    };
    const auto remark = [&diagnostics](const Evidence& line) {
        diagnostics.push_back(
            {Severity::warning, "log_damaged",
             fmt::format("{} is damaged: its lines may be garbled, and the answer with them; copy the "
                         "file again",
                         line.file)});
    };
    for (const OperatorAnswer& answer : found.operators) {
        if (const auto line = find_in(answer.evidence); line != answer.evidence.end()) {
            remark(*line);
            return;
        }
    }
    if (found.model) {
        if (const auto line = find_in(found.model->evidence); line != found.model->evidence.end()) {
            remark(*line);
        }
    }
}

void remark_lines_without_time(const Found& found, std::vector<Diagnostic>& diagnostics) {
    for (const OperatorAnswer& answer : found.operators) {
        const auto line =
            std::find_if(answer.evidence.begin(), answer.evidence.end(), [&answer](const Evidence& evidence) {
                return lacks_time(evidence) || (answer.confidence == Confidence::exact && is_printed_error(evidence));
            });
        if (line != answer.evidence.end()) {
            diagnostics.push_back(
                {Severity::warning, "line_time_unusable",
                 fmt::format("{}:{}: the line has no time that can be used, it is taken to be of the time of the line "
                             "before: whether it was written before the overflow, or in the same run, is not known",
                             line->file, *line->line)});
            return;
        }
    }
}

namespace {

/// The lines on the task name no device: those that set the process's streams up tell as much.
void remark_other_devices(const TaskMatch& match, std::uint64_t of_dump, const TaskMap::Contents& map,
                          std::vector<Diagnostic>& diagnostics) {
    const std::vector<std::uint64_t>& devices = map.index().own_devices(*match.process);
    const auto is_dumps = [&](std::uint64_t device) {
        return logs::is_seen_as(*match.process, device, of_dump, time_in_run(match));
    };
    if (devices.empty() || std::any_of(devices.begin(), devices.end(), is_dumps)) {
        return;
    }
    diagnostics.push_back(
        {Severity::warning, "device_differs",
         fmt::format(
             "the dump's folder says device {}; the lines on the task name none, and process {} works on "
             "device{} {}: right where it sees the device under another number (containers), else they are another "
             "device's",
             of_dump, match.process->pid, devices.size() == 1 ? "" : "s", fmt::join(devices, ", "))});
}

}  // namespace

void remark_device(const TaskMatch& match, const Dump& dump, const TaskMap::Contents& map,
                   std::vector<Diagnostic>& diagnostics) {
    const logs::DeviceFilter of_dump = dump.path_ids.device_id;
    const auto time_us = time_in_run(match);
    if (const logs::StoredFact* said = logs::renumbering_of(*match.process, match.device, of_dump, time_us)) {
        diagnostics.push_back(
            {Severity::info, "device_renumbered",
             fmt::format("the dump's folder says device {}, the log's lines device {}: process {} "
                         "sees it under the folder's number ({}:{})",
                         *of_dump, *match.device, match.process->pid, map.files[said->place.file], said->place.line)});
    } else if (match.device && of_dump && !logs::is_seen_as(*match.process, match.device, of_dump, time_us)) {
        diagnostics.push_back({Severity::warning, "device_differs",
                               fmt::format("the dump's folder says device {}, the log's lines device {}: right where "
                                           "the process sees the device under "
                                           "another number (containers), else they are another device's",
                                           *of_dump, *match.device)});
    } else if (!match.device && of_dump) {
        remark_other_devices(match, *of_dump, map, diagnostics);
    }
}

void remark_clocks(const TaskMatch& match, const TaskMap::Contents& map, std::vector<Diagnostic>& diagnostics) {
    if (!match.time_us || match.use.facts.empty()) {
        return;
    }
    const auto seconds = [](std::int64_t us) { return static_cast<double>(us) / 1e6; };
    const Severity severity = match.fit.is_at_best_offset ? Severity::info : Severity::warning;
    const logs::LogPlace& line = match.use.facts.front()->place;
    const std::string known = match.offset.dumps == 0 && !match.fit.is_reported
                                  ? std::string("which may differ by seconds")
                                  : fmt::format("which differ by {:.3f} to {:.3f} s", seconds(match.offset.lowest_us),
                                                seconds(match.offset.highest_us));
    if (match.use.span.begin > *match.time_us + kBorderUs) {
        diagnostics.push_back(
            {severity, "launch_after_dump",
             fmt::format("the first line on the task ({}:{}) is {:.3f} s later than the dump: taken "
                         "for the clocks of device and host, {}",
                         map.files[line.file], line.line, seconds(match.use.span.begin - *match.time_us), known)});
    } else if (match.use.span.end < *match.time_us - kBorderUs) {
        diagnostics.push_back({severity, "dump_after_end",
                               fmt::format("the ids lost this meaning {:.3f} s before the dump: taken for the clocks "
                                           "of device and host, {}",
                                           seconds(*match.time_us - match.use.span.end), known)});
    } else if (!match.fit.is_at_best_offset) {
        diagnostics.push_back({severity, "clocks_unclear",
                               fmt::format("only for some of the possible differences of the clocks, {}, the dump lies "
                                           "in this use of the ids",
                                           known)});
    }
}

void remark_unseen_end(const TaskMatch& match, const TaskMap::Contents& map, std::vector<Diagnostic>& diagnostics) {
    if (!match.time_us || match.is_end_seen || match.use.facts.empty() ||
        *match.time_us + match.offset.highest_us < match.sure_until_us) {
        return;
    }
    const logs::LogPlace& line = match.use.facts.front()->place;
    diagnostics.push_back(
        {Severity::warning, "use_end_unseen",
         fmt::format("another process has the stream from {} on, and no line tells when the use of the ids that this "
                     "answer rests on ({}:{}) ended: the overflow may be behind it",
                     show_time(match.sure_until_us), map.files[line.file], line.line)});
}

namespace {

/// Another thread's set-up of the stream: at any time where no line binds it to models, else before the dump, and not
/// unbound before the use.
const logs::StoredFact* set_up_of_other_thread(const TaskMatch& match, std::uint64_t stream_id,
                                               const TaskMap::Contents& map) {
    const logs::Process& process = *match.process;
    const std::vector<logs::ModelBinding>& bindings = match.use.bindings;
    if (!bindings.empty()) {
        const auto history = map.index().history(process, stream_id, match.device);
        for (const logs::WindowHistory& window : *history) {
            for (const logs::ModelBinding& other : window.bindings) {
                const bool is_at_the_time = !match.time_us || other.span.begin <= *match.time_us;
                const bool is_over = other.unbound_by != nullptr && other.unbound_by->time_us <= match.use.span.begin;
                if (is_at_the_time && !is_over && other.bound_by->tid != match.use.facts.front()->tid) {
                    return other.bound_by;
                }
            }
        }
        return nullptr;
    }
    const logs::Places set_ups = map.index().facts(process, logs::About::set_up, stream_id);
    const auto other_thread = std::find_if(set_ups.begin(), set_ups.end(), [&](std::uint32_t place) {
        return process.facts[place].tid != match.use.facts.front()->tid;
    });
    return other_thread == set_ups.end() ? nullptr : &process.facts[*other_thread];
}

}  // namespace

void remark_unknown_device(const TaskMatch& match, bool is_model_named, const Dump& dump, const TaskQuery& query,
                           const TaskMap::Contents& map, std::vector<Diagnostic>& diagnostics) {
    const logs::Process& process = *match.process;
    if (match.device || match.use.facts.empty()) {
        return;
    }
    if (const logs::StoredFact* other = set_up_of_other_thread(match, *query.stream_id, map)) {
        const logs::LogPlace& line = other->place;
        diagnostics.push_back(
            {Severity::warning, "device_unknown",
             fmt::format(
                 "several threads of process {} set stream {} up ({}:{}), and no line tells on which devices: the "
                 "lines on the ids may be of another device",
                 process.pid, *query.stream_id, map.files[line.file], line.line)});
        return;
    }
    if (!match.use.bindings.empty()) {
        return;
    }
    if (map.index().host_processes().size() < 2 || !dump.path_ids.device_id || !map.index().devices(process).empty() ||
        is_model_named || match.fit.folder == Agreement::agrees || match.fit.model_id == Agreement::agrees) {
        return;
    }
    diagnostics.push_back({Severity::warning, "device_unknown",
                           fmt::format("the dump's folder says device {}, and no line tells on which device process {} "
                                       "works: the dump may be of another process, whose lines on the ids are missing",
                                       *dump.path_ids.device_id, process.pid)});
}

void remark_ended_log(const TaskMatch& match, const Dump& dump, const TaskQuery& query, const TaskMap::Contents& map,
                      const LocateOptions& options, std::vector<Diagnostic>& diagnostics) {
    const std::int64_t last_us = match.process->last_time_us;
    if (last_us == 0 || !match.use.persistent || !match.time_us || !logs::is_gap(last_us, *match.time_us, kSilentUs)) {
        return;
    }
    const bool has_info_lines = map.runtime_info_lines + map.ge_info_lines != 0;
    const bool is_of_map = std::any_of(match.use.facts.begin(), match.use.facts.end(),
                                       [](const auto* fact) { return fact->from_saved_map; });
    if (!has_info_lines || is_of_map) {
        return;  // warnings alone come rarely, and a map ends where it was made
    }
    const auto earliest_us = earliest_local_time(query.timestamp_us, dump.path_ids.time, options);
    if (!earliest_us || !logs::is_gap(last_us, *earliest_us, kSilentUs)) {
        return;  // in another zone it may have ended just before
    }
    const std::uint64_t minutes =
        (static_cast<std::uint64_t>(*match.time_us) - static_cast<std::uint64_t>(last_us)) / 60'000'000U;
    diagnostics.push_back(
        {Severity::warning, "log_ended",
         fmt::format("the log of process {} ends at {}, {} h {} min before the overflow at {} (the log's local time), "
                     "and a process that logs its tasks logs their executions as well: the log is probably that of "
                     "another run, whose task {} may be another operator; give the logs that were written then",
                     match.process->pid, show_time(last_us), minutes / 60, minutes % 60, show_time(*match.time_us),
                     *query.task_id)});
}

void remark_pause(const TaskMatch& match, const TaskMap::Contents& map, std::vector<Diagnostic>& diagnostics) {
    if (!match.time_us || match.use.facts.empty()) {
        return;
    }
    const std::int64_t last_us = match.use.facts.back()->time_us;
    const logs::Places pauses = map.index().facts(*match.process, logs::About::pause);
    const auto next = std::upper_bound(pauses.begin(), pauses.end(), last_us, [&](std::int64_t time, auto place) {
        return time < match.process->facts[place].time_us;
    });
    if (next != pauses.end() && match.process->facts[*next].time_us <= *match.time_us) {
        diagnostics.push_back(
            {Severity::warning, "run_unclear",
             fmt::format("process {} logged nothing for a while before {}, and the lines on the task are older: if "
                         "the process was started anew under the same process id, the answer is that of the "
                         "earlier run",
                         match.process->pid, map.files[match.process->facts[*next].place.file])});
    }
}

}  // namespace opdebug::locate_stage
