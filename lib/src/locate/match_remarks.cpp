#include "locate/match_remarks.hpp"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "locate/match_fit.hpp"
#include "locate/reasons.hpp"
#include "logs/facts/time_gap.hpp"
#include "logs/lookup/map_index.hpp"
#include "logs/lookup/visible_devices.hpp"

namespace opdebug::locate_stage {
namespace {

/// The lines on the task name no device: those that set the process's streams up tell as much.
void remark_other_devices(const TaskMatch& match, std::uint64_t of_dump, const Dump& dump, const TaskMap::Contents& map,
                          std::vector<Diagnostic>& diagnostics) {
    const std::vector<std::uint64_t>& devices = map.index().own_devices(*match.process);
    if (devices.empty() || works_on_device_of(dump, *match.process, map, time_in_run(match))) {
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
        remark_other_devices(match, *of_dump, dump, map, diagnostics);
    }
}

void remark_later_line(const TaskMatch& match, const TaskMap::Contents& map, std::vector<Diagnostic>& diagnostics) {
    if (match.time_us && match.use.span.begin > *match.time_us && !match.use.facts.empty()) {
        const logs::LogPlace& line = match.use.facts.front()->place;
        const std::int64_t later_us = match.use.span.begin - *match.time_us;
        const bool is_little = later_us <= kClockSkewUs;
        diagnostics.push_back(
            {is_little ? Severity::info : Severity::warning, "launch_after_dump",
             fmt::format("the first line on the task ({}:{}) is {:.3f} s later than the dump: taken for the clocks of "
                         "device and host, {}",
                         map.files[line.file], line.line, static_cast<double>(later_us) / 1e6,
                         is_little
                             ? "which differ a little (up to 1 s is allowed)"
                             : "because the log knows no other use of the ids (up to 10 s are allowed for the tasks "
                               "of models); else the dump is of an earlier run")});
    }
}

void remark_ended_log(const TaskMatch& match, const Dump& dump, const TaskQuery& query, const TaskMap::Contents& map,
                      const LocateOptions& options, std::vector<Diagnostic>& diagnostics) {
    const std::int64_t last_us = match.process->last_time_us;
    if (last_us == 0 || !match.use.persistent || match.is_of_earlier_run || !match.time_us ||
        !logs::is_gap(last_us, *match.time_us, kSilentUs)) {
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
