#include <algorithm>
#include <array>
#include <optional>
#include <string_view>
#include <tuple>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "locate/answers.hpp"
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
constexpr std::array<std::string_view, 11> kUseInferred{
    "device_unknown",     // several processes: no line names the device of this one
    "device_differs",     // a container can renumber devices, but no line shows it
    "host_differs",       // dumps may be moved, but no line shows it
    "model_differs",      // a moved dump has another folder, but no line shows it
    "model_id_differs",   // the stream was bound to another model
    "clocks_unclear",     // the clocks can differ, but no other dump shows it
    "log_ended",          // the log can be that of another run
    "time_outside_logs",  // so can logs of another day
    "ids_wrapped",        // the line of a later task with these ids can be missing
    "launch_is_old",      // the same, where no line shows that the ids repeated
    "run_unclear",        // the process can have been restarted with the same process id
};

}  // namespace

bool is_use_inferred(const Dump& dump, const Fit& fit, const Diagnostics& diagnostics) {
    const bool contradicts_folder = fit.is_zone_inferred && dump.path_ids.time.has_value();
    return contradicts_folder || std::any_of(diagnostics.begin(), diagnostics.end(), [](const Diagnostic& remark) {
               return remark.severity == Severity::warning &&
                      std::find(kUseInferred.begin(), kUseInferred.end(), remark.code) != kUseInferred.end();
           });
}

void remark_numbers(const std::vector<Candidate>& candidates, const std::vector<OperatorAnswer>& operators,
                    const Lookup& lookup, Diagnostics& diagnostics) {
    const TaskNumber number = candidates.front().fit.number;
    if (!candidates.front().operators.empty() && number == TaskNumber::unconfirmed) {
        lookup.remark(diagnostics, "task_id_unconfirmed");
    }
    const bool is_unclear = std::any_of(candidates.begin(), candidates.end(), [&](const Candidate& candidate) {
        return candidate.fit.number == TaskNumber::from_serial_number && !candidate.operators.empty() &&
               (number == TaskNumber::from_serial_number || operators.size() > 1);
    });
    if (is_unclear) {
        const bool is_only_serial = number == TaskNumber::from_serial_number;
        lookup.remark(diagnostics, "task_number_unclear",
                      {{"why", remarks::phrase(is_only_serial ? "only_serial_number" : "both_numbers")}});
    }
}

void remark_bad_lines(const RecordResult& result, const Lookup& lookup, Diagnostics& diagnostics) {
    const Evidence* damaged = nullptr;
    const Evidence* timeless = nullptr;
    const auto note_damaged = [&](const Evidence& line) {
        damaged = damaged == nullptr && lookup.map.damaged_files.count(line.file) != 0 ? &line : damaged;
    };
    for (const OperatorAnswer& answer : result.operators) {
        for (const Evidence& line : answer.evidence) {
            note_damaged(line);
            timeless = timeless == nullptr && lacks_time(line, answer.confidence) ? &line : timeless;
        }
    }
    if (result.model) {
        std::for_each(result.model->evidence.begin(), result.model->evidence.end(), note_damaged);
    }
    if (damaged != nullptr) {
        lookup.remark(diagnostics, "log_damaged", {{"file", damaged->file}});
    }
    if (timeless != nullptr) {
        lookup.remark(diagnostics, "line_time_unusable",
                      {{"line", fmt::format("{}:{}", timeless->file, *timeless->line)}});
    }
}

void remark_device(const Candidate& candidate, const Lookup& lookup, Diagnostics& diagnostics) {
    const logs::DeviceFilter of_dump = lookup.dump.path_ids.device_id;
    const auto time_us = time_in_run(candidate);
    const auto is_dumps = [&](logs::DeviceFilter device) {
        return logs::is_seen_as(*candidate.process, device, of_dump, time_us);
    };
    if (candidate.fit.host == Agreement::doubtful) {
        lookup.remark(diagnostics, "host_differs", {{"root", candidate.process->root}});
    }
    if (!of_dump) {
        return;
    }
    if (const logs::StoredFact* said = logs::renumbering_of(*candidate.process, candidate.device, of_dump, time_us)) {
        lookup.remark(diagnostics, "device_renumbered",
                      {{"folder_device", *of_dump},
                       {"log_device", *candidate.device},
                       {"pid", candidate.process->pid},
                       {"line", lookup.at(*said)}});
    } else if (candidate.device && !is_dumps(candidate.device)) {
        lookup.remark(diagnostics, "device_differs", {{"folder_device", *of_dump}, {"log_device", *candidate.device}});
    } else if (!candidate.device) {
        // The lines on the task name no device: those that set up the process's streams show it.
        const std::vector<std::uint64_t>& devices = lookup.index().own_devices(*candidate.process);
        if (!devices.empty() && std::none_of(devices.begin(), devices.end(), is_dumps)) {
            lookup.remark(diagnostics, "device_differs.by_process",
                          {{"folder_device", *of_dump},
                           {"pid", candidate.process->pid},
                           {"devices", fmt::format("{}", fmt::join(devices, ", "))},
                           {"count", devices.size()}});
        }
    }
}

namespace {

void remark_clocks(const Candidate& candidate, const Lookup& lookup, Diagnostics& diagnostics) {
    const logs::Span& use = candidate.use.span;
    const bool is_before = *candidate.time_us < use.begin - kBorderUs;
    const bool is_inside = !is_before && *candidate.time_us - kBorderUs <= use.end;
    if (is_inside && candidate.fit.is_at_best_offset) {
        return;
    }
    const auto seconds = [](std::int64_t us) { return fmt::format("{:.3f}", static_cast<double>(us) / 1e6); };
    const bool is_usual =
        candidate.fit.is_at_best_offset || (is_before && use.begin - *candidate.time_us <= kReportNearUs);
    lookup.remark(
        diagnostics, is_usual ? "clocks_unclear.likely" : "clocks_unclear",
        {{"line", lookup.at(*candidate.use.facts.front())},
         {"begin", show_time(use.begin)},
         {"end",
          use.end == logs::kEndOfTime ? LocalizedText() : remarks::phrase("until", {{"time", show_time(use.end)}})},
         {"time", show_time(*candidate.time_us)},
         {"clocks", candidate.offset.dumps == 0 && !candidate.fit.is_reported
                        ? remarks::phrase("clocks_may_differ")
                        : remarks::phrase("clocks_differ", {{"lowest", seconds(candidate.offset.lowest_us)},
                                                            {"highest", seconds(candidate.offset.highest_us)}})}});
}

void remark_unseen_end(const Candidate& candidate, const Lookup& lookup, Diagnostics& diagnostics) {
    if (*candidate.time_us + candidate.offset.highest_us >= candidate.sure_until_us) {
        lookup.remark(
            diagnostics, "use_end_unseen",
            {{"time", show_time(candidate.sure_until_us)}, {"line", lookup.at(*candidate.use.facts.front())}});
    }
}

void remark_unknown_device(const Candidate& candidate, bool is_model_named, const Lookup& lookup,
                           Diagnostics& diagnostics) {
    const logs::Process& process = *candidate.process;
    const bool is_known = candidate.device || is_model_named || candidate.fit.folder == Agreement::agrees ||
                          candidate.fit.model_id == Agreement::agrees || !candidate.use.bindings.empty();
    if (is_known || lookup.index().host_processes().size() < 2 || !lookup.dump.path_ids.device_id ||
        !lookup.index().devices(process).empty()) {
        return;
    }
    lookup.remark(diagnostics, "device_unknown", {{"device", *lookup.dump.path_ids.device_id}, {"pid", process.pid}});
}

/// Whether the dump may be of this process instead: it has the same root, and no other device.
bool may_own_dump(const logs::Process& other, const logs::Process& process, const Lookup& lookup) {
    const std::vector<std::uint64_t>& devices = lookup.index().devices(other);
    const std::vector<std::uint64_t>& own = lookup.index().devices(process);
    const bool has_own = std::any_of(devices.begin(), devices.end(), [&own](std::uint64_t device) {
        return std::find(own.begin(), own.end(), device) != own.end();
    });
    return &other != &process && other.root == process.root && (devices.empty() || own.empty() || has_own);
}

void remark_ended_log(const Candidate& candidate, const Lookup& lookup, Diagnostics& diagnostics) {
    const std::int64_t last_us = candidate.process->last_time_us;
    if (candidate.fit.folder_time == Agreement::doubtful) {
        lookup.remark(diagnostics, "log_ended.folder",
                      {{"pid", candidate.process->pid},
                       {"end", show_time(last_us)},
                       {"made", show_time(folder_time_us(*lookup.dump.path_ids.time))}});
        return;
    }
    // Where another process's log goes on, the dump is rather of that one.
    const logs::Process* const other = lookup.index().last_of_those_begun(*candidate.time_us);
    const bool goes_on_elsewhere = other != nullptr && other->last_time_us > *candidate.time_us &&
                                   may_own_dump(*other, *candidate.process, lookup);
    const std::int64_t silent_us = goes_on_elsewhere ? kClockDifferenceUs : kSilentUs;
    if (last_us == 0 || !candidate.use.persistent || !logs::is_gap(last_us, *candidate.time_us, silent_us)) {
        return;
    }
    const std::uint64_t minutes =
        (static_cast<std::uint64_t>(*candidate.time_us) - static_cast<std::uint64_t>(last_us)) / 60'000'000U;
    lookup.remark(diagnostics, "log_ended.executions",
                  {{"pid", candidate.process->pid},
                   {"end", show_time(last_us)},
                   {"hours", minutes / 60},
                   {"minutes", minutes % 60},
                   {"time", show_time(*candidate.time_us)}});
}

/// The last line of the use, except reports of overflows: they do not show which task overflowed.
std::int64_t time_of_last_line(const Candidate& candidate) {
    const std::vector<const logs::StoredFact*>& facts = candidate.use.facts;
    const auto last = std::find_if(facts.rbegin(), facts.rend(), [](const logs::StoredFact* fact) {
        return fact->fact.kind != logs::FactKind::overflow_report;
    });
    return last == facts.rend() ? 0 : (*last)->time_us;
}

void remark_pause(const Candidate& candidate, const Lookup& lookup, Diagnostics& diagnostics) {
    const std::int64_t last_us = time_of_last_line(candidate);
    const logs::Places pauses = lookup.index().facts(*candidate.process, logs::About::pause);
    const auto next = std::upper_bound(pauses.begin(), pauses.end(), last_us, [&](std::int64_t time, auto place) {
        return time < candidate.process->facts[place].time_us;
    });
    if (next != pauses.end() && candidate.process->facts[*next].time_us <= *candidate.time_us) {
        lookup.remark(
            diagnostics, "run_unclear",
            {{"pid", candidate.process->pid}, {"file", lookup.map.files[candidate.process->facts[*next].place.file]}});
    }
}

/// A task without a model runs once, within seconds; the ids of a busy stream repeat within minutes.
void remark_old_launch(const Candidate& candidate, const Lookup& lookup, Diagnostics& diagnostics) {
    constexpr std::int64_t kLongUs = 60'000'000;
    const std::int64_t last_us = time_of_last_line(candidate);
    if (last_us != 0 && !lookup.query.model_id && candidate.use.bindings.empty() &&
        logs::is_gap(last_us, *candidate.time_us, kLongUs)) {
        lookup.remark(diagnostics, "launch_is_old",
                      {{"duration", remarks::show_duration(*candidate.time_us - last_us)}});
    }
}

void remark_wraps(const Candidate& candidate, const Lookup& lookup, Diagnostics& diagnostics) {
    if (candidate.use.persistent || candidate.use.span.begin >= *candidate.time_us) {
        return;
    }
    // After the first line, up to the dump.
    const logs::Span span{candidate.use.span.begin + 1, *candidate.time_us + 1};
    std::size_t wraps = 0;
    std::uint32_t last_place = 0;
    const auto count = [&](logs::About about, std::uint64_t device) {
        const logs::Places inside = logs::places_inside(
            *candidate.process, lookup.index().facts(*candidate.process, about, lookup.stream(), device), span);
        wraps += inside.size();
        last_place = inside.empty() ? last_place : std::max(last_place, inside.back());
    };
    if (candidate.device) {
        count(logs::About::wrap_of_ids_on_device, *candidate.device);
        count(logs::About::wrap_of_ids_on_any_device, 0);
    } else {
        count(logs::About::wrap_of_ids, 0);
    }
    const logs::StoredFact* last = wraps == 0 ? nullptr : &candidate.process->facts[last_place];
    if (last != nullptr) {
        lookup.remark(diagnostics, "ids_wrapped", {{"line", lookup.at(last->place)}});
        return;
    }
    remark_old_launch(candidate, lookup, diagnostics);
}

}  // namespace

void remark_use(const Candidate& candidate, bool is_model_named, const Lookup& lookup, Diagnostics& diagnostics) {
    const bool has_time = candidate.time_us.has_value();
    const bool has_lines = candidate.fit.has_lines;
    if (has_time && has_lines) {
        remark_wraps(candidate, lookup, diagnostics);
        remark_clocks(candidate, lookup, diagnostics);
        remark_unseen_end(candidate, lookup, diagnostics);
    }
    if (has_lines) {
        remark_unknown_device(candidate, is_model_named, lookup, diagnostics);
    }
    if (has_time) {
        remark_ended_log(candidate, lookup, diagnostics);
    }
    if (has_time && has_lines) {
        remark_pause(candidate, lookup, diagnostics);
    }
}

}  // namespace opdebug::locate_stage
