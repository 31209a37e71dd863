#include "locate/not_in_logs.hpp"

#include <algorithm>
#include <optional>
#include <string>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "locate/candidates.hpp"
#include "locate/reasons.hpp"
#include "locate/task_uses.hpp"
#include "logs/lookup/map_index.hpp"
#include "remarks/diagnose.hpp"

namespace opdebug::locate_stage {
namespace {

using logs::Process;

/// The run logs have no INFO line of tasks by nature. Debug logs that could not be read were given ("logs_unread").
bool explain_missing_debug(const TaskMap::Contents& map, std::vector<Diagnostic>& diagnostics) {
    const bool is_missing = map.index().has_run_logs() && !map.index().has_debug_logs();
    if (is_missing && !map.index().may_miss_debug_logs()) {
        diagnostics.push_back(remarks::diagnose("debug_logs_missing"));
    }
    return is_missing;
}

/// Errors that an application printed: their lines have neither process nor time. Firmware is no host.
bool is_printed(const Process& process) noexcept {
    return !process.on_device && process.pid < 0 && process.last_time_us == 0 && !process.without_host_lines;
}

bool explain_missing_levels(const TaskMap::Contents& map, std::vector<Diagnostic>& diagnostics) {
    if (map.index().host_processes().empty()) {
        if (std::any_of(map.processes.begin(), map.processes.end(), is_printed)) {
            diagnostics.push_back(
                remarks::diagnose("printed_errors_only", {{"folders", remarks::phrase("host_logs")}}));
        } else {
            diagnostics.push_back(remarks::diagnose("no_host_logs", {{"folders", remarks::phrase("host_logs")}}));
        }
        return true;
    }
    if (map.runtime_info_lines + map.ge_info_lines == 0) {
        if (explain_missing_debug(map, diagnostics)) {
            return true;
        }
        diagnostics.push_back(remarks::diagnose("logs_without_info"));
        return true;
    }
    return false;
}

/// The time of the dump in a process's clock, where the two can be compared.
std::optional<std::int64_t> time_in(const Process& process, const Dump& dump, const TaskQuery& query,
                                    const TaskMap::Contents& map, const LocateOptions& options) {
    if (process.last_time_us == 0) {
        return std::nullopt;
    }
    const std::vector<LocalTime> times = times_in(process, dump, query, map, options);
    return times.empty() || times.front().unrelated ? std::nullopt : std::optional(times.front().time_us);
}

bool logs_at(const Process& process, std::int64_t time_us) {
    return process.first_time_us <= time_us + kClockSkewUs && time_us - kBehindLogUs <= process.last_time_us;
}

/// Whether the log of one process covers the time by its own clock: the one that ends last, by the clock of the first
/// process. Mostly this spares asking thousands of processes; false says nothing.
bool is_surely_covered(const TaskMap::Contents& map, const Dump& dump, const TaskQuery& query,
                       const LocateOptions& options) {
    const auto time_us = time_in(*map.index().host_processes().front(), dump, query, map, options);
    const Process* likely = time_us ? map.index().last_of_those_begun(*time_us + kClockSkewUs) : nullptr;
    const auto its_time_us = likely != nullptr ? time_in(*likely, dump, query, map, options) : std::nullopt;
    return its_time_us && logs_at(*likely, *its_time_us);
}

/// The log of each process begins after the overflow, or ended before it. There is a host process.
bool explain_cover(const TaskMap::Contents& map, const Dump& dump, const TaskQuery& query, const LocateOptions& options,
                   std::vector<Diagnostic>& diagnostics) {
    if (is_surely_covered(map, dump, query, options)) {
        return false;
    }
    const Process* first = nullptr;
    const Process* last = nullptr;
    std::int64_t time_us = 0;
    for (const Process* process : map.index().host_processes()) {
        const auto its_time_us = time_in(*process, dump, query, map, options);
        if (!its_time_us) {
            continue;
        }
        time_us = *its_time_us;
        if (logs_at(*process, time_us)) {
            return false;
        }
        first = first == nullptr || process->first_time_us < first->first_time_us ? process : first;
        last = last == nullptr || process->last_time_us > last->last_time_us ? process : last;
    }
    if (first == nullptr) {
        return false;
    }
    if (first->first_time_us > time_us + kClockSkewUs) {
        diagnostics.push_back(remarks::diagnose(
            "log_begins_later",
            {{"begin", show_time(first->first_time_us)}, {"pid", first->pid}, {"time", show_time(time_us)}}));
    } else {
        diagnostics.push_back(remarks::diagnose(
            "log_ended.all",
            {{"end", show_time(last->last_time_us)}, {"pid", last->pid}, {"time", show_time(time_us)}}));
    }
    return true;
}

/// "process 5100, process 5200", at most eight.
template <class Show>
LocalizedText list_processes(const std::vector<const Process*>& processes, const Show& show) {
    constexpr std::size_t kMost = 8;
    std::vector<LocalizedText> texts;
    for (const Process* process : processes) {
        texts.push_back(show(*process));
        if (texts.size() == kMost && processes.size() > kMost) {
            texts.push_back(remarks::phrase("more_of_list", {{"count", processes.size() - kMost}}));
            break;
        }
    }
    return remarks::joined(texts, {", ", "、"});
}

LocalizedText show_process(const Process& process) {
    return remarks::phrase("process", {{"pid", process.pid}});
}

/// "process 5100 (device 0)": with the devices that its lines on the task or the stream name.
LocalizedText show_with_devices(const Process& process, const TaskQuery& query) {
    std::vector<std::uint64_t> devices;
    for (const logs::DeviceFilter device : logs::devices_of_task(process, {*query.stream_id, *query.task_id})) {
        if (device) {
            devices.push_back(*device);
        }
    }
    std::sort(devices.begin(), devices.end());
    return devices.empty()
               ? show_process(process)
               : remarks::phrase("process_of_devices",
                                 {{"pid", process.pid}, {"devices", fmt::format("{}", fmt::join(devices, ", "))}});
}

/// The host processes among these of which that is so.
template <class IsSo>
std::vector<const Process*> hosts_among(const TaskMap::Contents& map, const logs::Places& places, const IsSo& is_so) {
    std::vector<const Process*> hosts;
    for (const std::uint32_t number : places) {
        const Process& process = map.processes[number];
        if (logs::MapIndex::is_host(process) && is_so(process)) {
            hosts.push_back(&process);
        }
    }
    return hosts;
}

/// Whether the process's lines on the task only report that it failed or overflowed.
bool only_reports(const Process& process, const TaskQuery& query) {
    const logs::Places places = process.of_task.of({*query.stream_id, *query.task_id});
    return std::all_of(places.begin(), places.end(),
                       [&process](std::uint32_t place) { return is_report(process.facts[place]); });
}

/// Who knows the task or the stream, or whose logs these are. Logs that were read for certain tasks leave out what is
/// said about the others. What is told hangs only on lines on the task, and on the stream as a whole, which are always
/// there: else it would hang on which dumps are decoded together. Nothing known of a stream does not mean that nobody
/// used it.
LocalizedText known_so_far(const TaskMap::Contents& map, const TaskQuery& query) {
    const logs::MapIndex& index = map.index();
    const auto show = [&query](const Process& process) { return show_with_devices(process, query); };
    const auto know_task = hosts_among(map, index.processes(logs::About::task, *query.stream_id, *query.task_id),
                                       [](const Process&) { return true; });
    if (!know_task.empty()) {
        const bool is_unnamed = std::all_of(know_task.begin(), know_task.end(),
                                            [&query](const Process* known) { return only_reports(*known, query); });
        return remarks::phrase(is_unnamed ? "task_only_failed" : "task_at_other_time",
                               {{"processes", list_processes(know_task, show)}});
    }
    const auto know_stream =
        hosts_among(map, index.processes(logs::About::stream, *query.stream_id),
                    [&query](const Process& process) { return !process.of_stream.of(*query.stream_id).empty(); });
    return know_stream.empty()
               ? remarks::phrase("task_not_mentioned",
                                 {{"processes", list_processes(index.host_processes(), show_process)}})
               : remarks::phrase("stream_only_mentioned", {{"processes", list_processes(know_stream, show)}});
}

}  // namespace

void explain_missing_module(const TaskMap::Contents& map, std::vector<Diagnostic>& diagnostics) {
    const bool is_complete = map.ge_info_lines != 0 && map.runtime_info_lines != 0;
    if (is_complete || map.index().may_miss_debug_logs()) {
        return;
    }
    diagnostics.push_back(
        remarks::diagnose(map.ge_info_lines == 0 ? "logs_without_ge_info" : "logs_without_runtime_info"));
}

void explain_task_not_in_logs(const TaskMap::Contents& map, const Dump& dump, const TaskQuery& query,
                              const LocateOptions& options, std::vector<Diagnostic>& diagnostics) {
    if (explain_missing_levels(map, diagnostics) || explain_cover(map, dump, query, options, diagnostics)) {
        return;
    }
    diagnostics.push_back(remarks::diagnose(
        "task_not_in_logs", {{"stream", *query.stream_id},
                             {"task", *query.task_id},
                             {"known", known_so_far(map, query)},
                             {"other", map.unread.empty() ? LocalizedText() : remarks::phrase("in_unread_logs")}}));
    explain_missing_module(map, diagnostics);
    explain_missing_debug(map, diagnostics);
}

void remark_unread_logs(const TaskMap::Contents& map, std::vector<Diagnostic>& diagnostics) {
    const bool is_said = std::any_of(diagnostics.begin(), diagnostics.end(),
                                     [](const Diagnostic& remark) { return remark.code == "logs_unread"; });
    if (map.unread.empty() || is_said) {
        return;
    }
    const std::size_t count = map.unread.size();
    diagnostics.insert(
        diagnostics.begin(),
        remarks::diagnose("logs_unread", {{"count", count}, {"error", remarks::text_of(map.unread.front())}}));
}

void remark_doubtful_offset(const TaskMap::Contents& map, const Dump& dump, const TaskQuery& query,
                            const LocateOptions& options, std::vector<Diagnostic>& diagnostics) {
    if (!options.utc_offset_minutes || dump.path_ids.time || !query.timestamp_us) {
        return;
    }
    for (const std::uint32_t number : map.index().processes(logs::About::task, *query.stream_id, *query.task_id)) {
        const Process& process = map.processes[number];
        const logs::Span logged = span_of(process);
        if (process.on_device) {
            continue;
        }
        const std::vector<LocalTime> given = times_in(process, dump, query, map, options);
        if (given.empty() || given.front().unrelated || covers(logged, given.front().time_us)) {
            continue;
        }
        LocateOptions without = options;
        without.utc_offset_minutes.reset();
        const std::vector<LocalTime> others = times_in(process, dump, query, map, without);
        if (!others.empty() && covers(logged, others.front().time_us)) {
            diagnostics.push_back(remarks::diagnose("utc_offset_doubtful", {{"time", show_time(given.front().time_us)},
                                                                            {"pid", process.pid},
                                                                            {"stream", *query.stream_id},
                                                                            {"task", *query.task_id},
                                                                            {"begin", show_time(logged.begin)},
                                                                            {"end", show_time(logged.end)},
                                                                            {"zone", found_by(others.front())}}));
            return;
        }
    }
}

void explain_model_not_in_logs(const TaskMap::Contents& map, std::vector<Diagnostic>& diagnostics) {
    if (!map.index().has_debug_logs() || map.index().has_run_logs()) {
        return;
    }
    if (map.index().may_miss_run_logs()) {
        remark_unread_logs(map, diagnostics);
    } else {
        diagnostics.push_back(remarks::diagnose("run_logs_missing"));
    }
}

}  // namespace opdebug::locate_stage
