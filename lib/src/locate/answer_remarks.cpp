#include "locate/answer_remarks.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <string_view>
#include <tuple>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "locate/reasons.hpp"
#include "logs/facts/time_gap.hpp"
#include "logs/lines/line.hpp"
#include "logs/lookup/map_index.hpp"
#include "logs/lookup/visible_devices.hpp"
#include "remarks/diagnose.hpp"

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

/// Warnings that the lines may be of another use of the ids than the record's.
constexpr std::array<std::string_view, 5> kUseInferred{
    "device_unknown",     // several processes: no line names the device of this one
    "device_differs",     // a container can renumber devices, but no line shows it
    "model_differs",      // a moved dump has another folder, but no line shows it
    "model_id_differs",   // the stream was bound to another model
    "launch_after_dump",  // the clocks can differ, but no other dump shows it
};

}  // namespace

bool is_use_inferred(const Dump& dump, const Fit& fit, const std::vector<Diagnostic>& diagnostics) {
    const bool contradicts_folder = fit.is_zone_inferred && dump.path_ids.time.has_value();
    return contradicts_folder || std::any_of(diagnostics.begin(), diagnostics.end(), [](const Diagnostic& remark) {
               return remark.severity == Severity::warning &&
                      std::find(kUseInferred.begin(), kUseInferred.end(), remark.code) != kUseInferred.end();
           });
}

void remark_numbers(const std::vector<MatchAnswer>& answers, const TaskQuery& query,
                    std::vector<Diagnostic>& diagnostics) {
    if (answers.empty() || answers.front().operators.empty()) {
        return;
    }
    if (answers.front().is_unconfirmed()) {
        diagnostics.push_back(remarks::diagnose("task_id_unconfirmed", {{"task", *query.task_id}}));
    }
    const OperatorAnswer& best = answers.front().operators.front();
    const bool is_unclear = std::any_of(answers.begin(), answers.end(), [&](const MatchAnswer& answer) {
        const bool is_serial = answer.match->number == TaskNumber::from_serial_number && !answer.operators.empty();
        return is_serial && (&answer == &answers.front() || !same_operator(answer.operators.front(), best));
    });
    if (is_unclear) {
        diagnostics.push_back(remarks::diagnose("task_number_unclear",
                                                {{"task", *query.task_id},
                                                 {"why", answers.front().match->number == TaskNumber::from_serial_number
                                                             ? remarks::phrase("only_serial_number")
                                                             : remarks::phrase("both_numbers")}}));
    }
}

void remark_unclear_device(const std::vector<MatchAnswer>& answers, const TaskQuery& query,
                           const std::vector<OperatorAnswer>& operators, std::vector<Diagnostic>& diagnostics) {
    const auto unclear = std::find_if(answers.begin(), answers.end(), [](const MatchAnswer& answer) {
        return !answer.match->possible_devices.empty();
    });
    if (operators.size() > 1 && unclear != answers.end()) {
        diagnostics.push_back(remarks::diagnose(
            "device_unclear", {{"stream", *query.stream_id},
                               {"devices", fmt::format("{}", fmt::join(unclear->match->possible_devices, ", "))},
                               {"task", *query.task_id}}));
    }
}

void remark_damaged_files(const Found& found, const TaskMap::Contents& map, std::vector<Diagnostic>& diagnostics) {
    const auto find_in = [&map](const std::vector<Evidence>& evidence) {
        return std::find_if(evidence.begin(), evidence.end(),
                            [&map](const Evidence& line) { return map.damaged_files.count(line.file) != 0; });
    };
    const auto remark = [&diagnostics](const Evidence& line) {
        diagnostics.push_back(remarks::diagnose("log_damaged", {{"file", line.file}}));
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
                remarks::diagnose("line_time_unusable", {{"file", line->file}, {"line", *line->line}}));
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
        remarks::diagnose("device_differs.by_process", {{"folder_device", of_dump},
                                                        {"pid", match.process->pid},
                                                        {"devices", fmt::format("{}", fmt::join(devices, ", "))},
                                                        {"count", devices.size()}}));
}

}  // namespace

void remark_device(const TaskMatch& match, const Dump& dump, const TaskMap::Contents& map,
                   std::vector<Diagnostic>& diagnostics) {
    const logs::DeviceFilter of_dump = dump.path_ids.device_id;
    const auto time_us = time_in_run(match);
    if (const logs::StoredFact* said = logs::renumbering_of(*match.process, match.device, of_dump, time_us)) {
        diagnostics.push_back(remarks::diagnose("device_renumbered", {{"folder_device", *of_dump},
                                                                      {"log_device", *match.device},
                                                                      {"pid", match.process->pid},
                                                                      {"file", map.files[said->place.file]},
                                                                      {"line", said->place.line}}));
    } else if (match.device && of_dump && !logs::is_seen_as(*match.process, match.device, of_dump, time_us)) {
        diagnostics.push_back(
            remarks::diagnose("device_differs", {{"folder_device", *of_dump}, {"log_device", *match.device}}));
    } else if (!match.device && of_dump) {
        remark_other_devices(match, *of_dump, map, diagnostics);
    }
}

void remark_clocks(const TaskMatch& match, const TaskMap::Contents& map, std::vector<Diagnostic>& diagnostics) {
    if (!match.time_us || match.use.facts.empty()) {
        return;
    }
    const auto seconds = [](std::int64_t us) { return fmt::format("{:.3f}", static_cast<double>(us) / 1e6); };
    const bool is_likely = match.fit.is_at_best_offset;
    const logs::LogPlace& line = match.use.facts.front()->place;
    const LocalizedText clocks =
        match.offset.dumps == 0 && !match.fit.is_reported
            ? remarks::phrase("clocks_may_differ")
            : remarks::phrase("clocks_differ", {{"lowest", seconds(match.offset.lowest_us)},
                                                {"highest", seconds(match.offset.highest_us)}});
    if (match.use.span.begin > *match.time_us + kBorderUs) {
        const bool is_usual = is_likely || match.use.span.begin <= *match.time_us + kClockSkewUs;
        diagnostics.push_back(remarks::diagnose(is_usual ? "launch_after_dump.likely" : "launch_after_dump",
                                                {{"file", map.files[line.file]},
                                                 {"line", line.line},
                                                 {"seconds", seconds(match.use.span.begin - *match.time_us)},
                                                 {"clocks", clocks}}));
    } else if (match.use.span.end < *match.time_us - kBorderUs) {
        diagnostics.push_back(
            remarks::diagnose(is_likely ? "dump_after_end.likely" : "dump_after_end",
                              {{"seconds", seconds(*match.time_us - match.use.span.end)}, {"clocks", clocks}}));
    } else if (!is_likely) {
        diagnostics.push_back(remarks::diagnose("clocks_unclear", {{"clocks", clocks}}));
    }
}

void remark_unseen_end(const TaskMatch& match, const TaskMap::Contents& map, std::vector<Diagnostic>& diagnostics) {
    if (!match.time_us || match.is_end_seen || match.use.facts.empty() ||
        *match.time_us + match.offset.highest_us < match.sure_until_us) {
        return;
    }
    const logs::LogPlace& line = match.use.facts.front()->place;
    diagnostics.push_back(remarks::diagnose(
        "use_end_unseen",
        {{"time", show_time(match.sure_until_us)}, {"file", map.files[line.file]}, {"line", line.line}}));
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
        diagnostics.push_back(remarks::diagnose(
            "device_unknown.threads",
            {{"pid", process.pid}, {"stream", *query.stream_id}, {"file", map.files[line.file]}, {"line", line.line}}));
        return;
    }
    if (!match.use.bindings.empty()) {
        return;
    }
    if (map.index().host_processes().size() < 2 || !dump.path_ids.device_id || !map.index().devices(process).empty() ||
        is_model_named || match.fit.folder == Agreement::agrees || match.fit.model_id == Agreement::agrees) {
        return;
    }
    diagnostics.push_back(
        remarks::diagnose("device_unknown", {{"device", *dump.path_ids.device_id}, {"pid", process.pid}}));
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
    diagnostics.push_back(remarks::diagnose("log_ended.executions", {{"pid", match.process->pid},
                                                                     {"end", show_time(last_us)},
                                                                     {"hours", minutes / 60},
                                                                     {"minutes", minutes % 60},
                                                                     {"time", show_time(*match.time_us)},
                                                                     {"task", *query.task_id}}));
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
        diagnostics.push_back(remarks::diagnose(
            "run_unclear", {{"pid", match.process->pid}, {"file", map.files[match.process->facts[*next].place.file]}}));
    }
}

}  // namespace opdebug::locate_stage
