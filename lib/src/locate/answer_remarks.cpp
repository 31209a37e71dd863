#include <algorithm>
#include <array>
#include <optional>
#include <string_view>
#include <tuple>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "locate/reasons.hpp"
#include "logs/facts/task_map.hpp"
#include "logs/lines/line.hpp"
#include "logs/lookup/devices.hpp"
#include "logs/lookup/map_index.hpp"
#include "remarks/diagnose.hpp"
#include "remarks/durations.hpp"

namespace opdebug::locate_stage {
namespace {

/// Whether a log line has no time that can be used: a placeholder, or no moment that a clock shows (a month 13, the
/// year 0001 or 9999); or it is an error that an application printed.
bool lacks_time(const Evidence& evidence, Confidence confidence) {
    const std::optional<logs::LogLine> line =
        evidence.line ? logs::parse_line_prefix(evidence.text) : std::optional<logs::LogLine>();
    const bool is_printed_error = line && line->module.empty() && confidence == Confidence::exact;
    return is_printed_error || (line && !line->short_form && !line->local_time_us);
}

/// Warnings that the lines may be of another use of the ids than the record's.
constexpr std::array<std::string_view, 6> kUseInferred{
    "device_unknown",    // several processes: no line names the device of this one
    "device_differs",    // a container can renumber devices, but no line shows it
    "model_differs",     // a moved dump has another folder, but no line shows it
    "model_id_differs",  // the stream was bound to another model
    "clocks_unclear",    // the clocks can differ, but no other dump shows it
    "log_ended",         // the log can be that of another run
};

}  // namespace

bool is_use_inferred(const Dump& dump, const Fit& fit, const std::vector<Diagnostic>& diagnostics) {
    const bool contradicts_folder = fit.is_zone_inferred && dump.path_ids.time.has_value();
    return contradicts_folder || std::any_of(diagnostics.begin(), diagnostics.end(), [](const Diagnostic& remark) {
               return remark.severity == Severity::warning &&
                      std::find(kUseInferred.begin(), kUseInferred.end(), remark.code) != kUseInferred.end();
           });
}

void remark_numbers(const std::vector<MatchAnswer>& answers, const std::vector<OperatorAnswer>& operators,
                    const Lookup& lookup, std::vector<Diagnostic>& diagnostics) {
    const TaskNumber number = answers.front().match->number;
    if (!answers.front().operators.empty() && number == TaskNumber::unconfirmed) {
        diagnostics.push_back(remarks::diagnose("task_id_unconfirmed", {{"task", lookup.task()}}));
    }
    const bool is_unclear = std::any_of(answers.begin(), answers.end(), [&](const MatchAnswer& answer) {
        return answer.match->number == TaskNumber::from_serial_number && !answer.operators.empty() &&
               (number == TaskNumber::from_serial_number || operators.size() > 1);
    });
    if (is_unclear) {
        const bool is_only_serial = number == TaskNumber::from_serial_number;
        diagnostics.push_back(remarks::diagnose(
            "task_number_unclear", {{"task", lookup.task()},
                                    {"why", remarks::phrase(is_only_serial ? "only_serial_number" : "both_numbers")}}));
    }
    const auto unclear = std::find_if(answers.begin(), answers.end(), [](const MatchAnswer& answer) {
        return !answer.match->possible_devices.empty();
    });
    if (operators.size() > 1 && unclear != answers.end()) {
        diagnostics.push_back(remarks::diagnose(
            "device_unclear", {{"stream", lookup.stream()},
                               {"devices", fmt::format("{}", fmt::join(unclear->match->possible_devices, ", "))},
                               {"task", lookup.task()}}));
    }
}

void remark_bad_lines(const Found& found, const TaskMap::Contents& map, std::vector<Diagnostic>& diagnostics) {
    const Evidence* damaged = nullptr;
    const Evidence* timeless = nullptr;
    for (const OperatorAnswer& answer : found.operators) {
        for (const Evidence& line : answer.evidence) {
            damaged = damaged == nullptr && map.damaged_files.count(line.file) != 0 ? &line : damaged;
            timeless = timeless == nullptr && lacks_time(line, answer.confidence) ? &line : timeless;
        }
    }
    if (found.model) {
        for (const Evidence& line : found.model->evidence) {
            damaged = damaged == nullptr && map.damaged_files.count(line.file) != 0 ? &line : damaged;
        }
    }
    if (damaged != nullptr) {
        diagnostics.push_back(remarks::diagnose("log_damaged", {{"file", damaged->file}}));
    }
    if (timeless != nullptr) {
        diagnostics.push_back(
            remarks::diagnose("line_time_unusable", {{"line", fmt::format("{}:{}", timeless->file, *timeless->line)}}));
    }
}

void remark_device(const TaskMatch& match, const Lookup& lookup, std::vector<Diagnostic>& diagnostics) {
    const logs::DeviceFilter of_dump = lookup.dump.path_ids.device_id;
    const auto time_us = time_in_run(match);
    const auto is_dumps = [&](logs::DeviceFilter device) {
        return logs::is_seen_as(*match.process, device, of_dump, time_us);
    };
    if (!of_dump) {
        return;
    }
    if (const logs::StoredFact* said = logs::renumbering_of(*match.process, match.device, of_dump, time_us)) {
        diagnostics.push_back(remarks::diagnose("device_renumbered", {{"folder_device", *of_dump},
                                                                      {"log_device", *match.device},
                                                                      {"pid", match.process->pid},
                                                                      {"line", lookup.at(*said)}}));
    } else if (match.device && !is_dumps(match.device)) {
        diagnostics.push_back(
            remarks::diagnose("device_differs", {{"folder_device", *of_dump}, {"log_device", *match.device}}));
    } else if (!match.device) {
        // The lines on the task name no device: those that set up the process's streams show it.
        const std::vector<std::uint64_t>& devices = lookup.index().own_devices(*match.process);
        if (!devices.empty() && std::none_of(devices.begin(), devices.end(), is_dumps)) {
            diagnostics.push_back(remarks::diagnose("device_differs.by_process",
                                                    {{"folder_device", *of_dump},
                                                     {"pid", match.process->pid},
                                                     {"devices", fmt::format("{}", fmt::join(devices, ", "))},
                                                     {"count", devices.size()}}));
        }
    }
}

namespace {

void remark_clocks(const TaskMatch& match, const Lookup& lookup, std::vector<Diagnostic>& diagnostics) {
    if (!match.time_us || match.use.facts.empty()) {
        return;
    }
    const logs::Span& use = match.use.span;
    const bool is_before = *match.time_us < use.begin - kBorderUs;
    const bool is_inside = !is_before && *match.time_us - kBorderUs <= use.end;
    if (is_inside && match.fit.is_at_best_offset) {
        return;
    }
    const auto seconds = [](std::int64_t us) { return fmt::format("{:.3f}", static_cast<double>(us) / 1e6); };
    const bool is_usual = match.fit.is_at_best_offset || (is_before && use.begin - *match.time_us <= kClockSkewUs);
    diagnostics.push_back(remarks::diagnose(
        is_usual ? "clocks_unclear.likely" : "clocks_unclear",
        {{"line", lookup.at(*match.use.facts.front())},
         {"begin", show_time(use.begin)},
         {"end",
          use.end == logs::kEndOfTime ? LocalizedText() : remarks::phrase("until", {{"time", show_time(use.end)}})},
         {"time", show_time(*match.time_us)},
         {"clocks", match.offset.dumps == 0 && !match.fit.is_reported
                        ? remarks::phrase("clocks_may_differ")
                        : remarks::phrase("clocks_differ", {{"lowest", seconds(match.offset.lowest_us)},
                                                            {"highest", seconds(match.offset.highest_us)}})}}));
}

void remark_unseen_end(const TaskMatch& match, const Lookup& lookup, std::vector<Diagnostic>& diagnostics) {
    if (match.time_us && !match.use.facts.empty() && *match.time_us + match.offset.highest_us >= match.sure_until_us) {
        diagnostics.push_back(remarks::diagnose("use_end_unseen", {{"time", show_time(match.sure_until_us)},
                                                                   {"line", lookup.at(*match.use.facts.front())}}));
    }
}

void remark_unknown_device(const TaskMatch& match, bool is_model_named, const Lookup& lookup,
                           std::vector<Diagnostic>& diagnostics) {
    const logs::Process& process = *match.process;
    const bool is_known = match.device || is_model_named || match.fit.folder == Agreement::agrees ||
                          match.fit.model_id == Agreement::agrees || !match.use.bindings.empty();
    if (is_known || match.use.facts.empty() || lookup.index().host_processes().size() < 2 ||
        !lookup.dump.path_ids.device_id || !lookup.index().devices(process).empty()) {
        return;
    }
    diagnostics.push_back(
        remarks::diagnose("device_unknown", {{"device", *lookup.dump.path_ids.device_id}, {"pid", process.pid}}));
}

void remark_ended_log(const TaskMatch& match, const Lookup& lookup, std::vector<Diagnostic>& diagnostics) {
    const std::int64_t last_us = match.process->last_time_us;
    const auto is_of_map = [](const logs::StoredFact* fact) {
        return fact->from_saved_map;
    };  // it ends when it is made
    if (last_us == 0 || !match.use.persistent || !match.time_us || !logs::is_gap(last_us, *match.time_us, kSilentUs) ||
        std::any_of(match.use.facts.begin(), match.use.facts.end(), is_of_map)) {
        return;
    }
    const std::uint64_t minutes =
        (static_cast<std::uint64_t>(*match.time_us) - static_cast<std::uint64_t>(last_us)) / 60'000'000U;
    diagnostics.push_back(remarks::diagnose("log_ended.executions", {{"pid", match.process->pid},
                                                                     {"end", show_time(last_us)},
                                                                     {"hours", minutes / 60},
                                                                     {"minutes", minutes % 60},
                                                                     {"time", show_time(*match.time_us)},
                                                                     {"task", lookup.task()}}));
}

void remark_pause(const TaskMatch& match, const Lookup& lookup, std::vector<Diagnostic>& diagnostics) {
    if (!match.time_us || match.use.facts.empty()) {
        return;
    }
    const std::int64_t last_us = match.use.facts.back()->time_us;
    const logs::Places pauses = lookup.index().facts(*match.process, logs::About::pause);
    const auto next = std::upper_bound(pauses.begin(), pauses.end(), last_us, [&](std::int64_t time, auto place) {
        return time < match.process->facts[place].time_us;
    });
    if (next != pauses.end() && match.process->facts[*next].time_us <= *match.time_us) {
        diagnostics.push_back(remarks::diagnose(
            "run_unclear",
            {{"pid", match.process->pid}, {"file", lookup.map.files[match.process->facts[*next].place.file]}}));
    }
}

void remark_wraps(const TaskMatch& match, const Lookup& lookup, std::vector<Diagnostic>& diagnostics) {
    if (match.use.persistent || !match.time_us || match.use.span.begin >= *match.time_us) {
        return;
    }
    // After the first line, up to the dump.
    const logs::Span span{match.use.span.begin + 1, *match.time_us + 1};
    std::size_t wraps = 0;
    std::uint32_t last_place = 0;
    const auto count = [&](logs::About about, std::uint64_t device) {
        const logs::Places inside = logs::places_inside(
            *match.process, lookup.index().facts(*match.process, about, lookup.stream(), device), span);
        wraps += inside.size();
        last_place = inside.empty() ? last_place : std::max(last_place, inside.back());
    };
    if (match.device) {
        count(logs::About::wrap_of_ids_on_device, *match.device);
        count(logs::About::wrap_of_ids_on_any_device, 0);
    } else {
        count(logs::About::wrap_of_ids, 0);
    }
    const logs::StoredFact* last = wraps == 0 ? nullptr : &match.process->facts[last_place];
    if (last != nullptr) {
        diagnostics.push_back(remarks::diagnose("ids_wrapped", {{"stream", lookup.stream()},
                                                                {"count", wraps},
                                                                {"line", lookup.at(last->place)},
                                                                {"task", lookup.task()}}));
    }
}

}  // namespace

void remark_use(const TaskMatch& match, bool is_model_named, const Lookup& lookup,
                std::vector<Diagnostic>& diagnostics) {
    remark_wraps(match, lookup, diagnostics);
    remark_clocks(match, lookup, diagnostics);
    remark_unseen_end(match, lookup, diagnostics);
    remark_unknown_device(match, is_model_named, lookup, diagnostics);
    remark_ended_log(match, lookup, diagnostics);
    remark_pause(match, lookup, diagnostics);
}

}  // namespace opdebug::locate_stage
