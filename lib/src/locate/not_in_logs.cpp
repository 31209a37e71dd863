#include <algorithm>
#include <optional>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "locate/reasons.hpp"
#include "remarks/diagnose.hpp"

namespace opdebug::locate_stage {
namespace {

using logs::Process;

/// The run logs have no INFO line of tasks by nature. Debug logs that could not be read were given ("logs_unread").
bool explain_missing_debug(const Lookup& lookup, std::vector<Diagnostic>& diagnostics) {
    const bool is_missing = lookup.index().has_run_logs() && !lookup.index().has_debug_logs();
    if (is_missing && !lookup.index().may_miss_debug_logs()) {
        diagnostics.push_back(remarks::diagnose("debug_logs_missing"));
    }
    return is_missing;
}

/// Errors that an application printed: their lines have no process and no time. Firmware is no host.
bool is_printed(const Process& process) noexcept {
    return !process.on_device && process.pid < 0 && process.last_time_us == 0 && !process.without_host_lines;
}

bool explain_missing_levels(const Lookup& lookup, std::vector<Diagnostic>& diagnostics) {
    if (lookup.index().host_processes().empty()) {
        if (std::any_of(lookup.map.processes.begin(), lookup.map.processes.end(), is_printed)) {
            diagnostics.push_back(
                remarks::diagnose("printed_errors_only", {{"folders", remarks::phrase("host_logs")}}));
        } else {
            diagnostics.push_back(remarks::diagnose("no_host_logs", {{"folders", remarks::phrase("host_logs")}}));
        }
        return true;
    }
    if (lookup.map.runtime_info_lines + lookup.map.ge_info_lines == 0) {
        if (explain_missing_debug(lookup, diagnostics)) {
            return true;
        }
        diagnostics.push_back(remarks::diagnose("logs_without_info"));
        return true;
    }
    return false;
}

bool logs_at(const Process& process, std::int64_t time_us) {
    return process.first_time_us <= time_us + kClockSkewUs && time_us - kBehindLogUs <= process.last_time_us;
}

/// Whether the log of one process covers the time by its own clock: the one that ends last, by the clock of the first
/// process. Mostly this spares asking thousands of processes; false states nothing.
bool is_surely_covered(const Lookup& lookup) {
    const auto time_us = time_in(*lookup.index().host_processes().front(), lookup);
    const Process* likely = time_us ? lookup.index().last_of_those_begun(*time_us + kClockSkewUs) : nullptr;
    const auto its_time_us = likely != nullptr ? time_in(*likely, lookup) : std::nullopt;
    return its_time_us && logs_at(*likely, *its_time_us);
}

/// The log of each process begins after the overflow, or ended before it. There is a host process.
bool explain_cover(const Lookup& lookup, std::vector<Diagnostic>& diagnostics) {
    if (is_surely_covered(lookup)) {
        return false;
    }
    const Process* first = nullptr;
    const Process* last = nullptr;
    std::int64_t time_us = 0;
    for (const Process* process : lookup.index().host_processes()) {
        const auto its_time_us = time_in(*process, lookup);
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
LocalizedText show_with_devices(const Process& process, const Lookup& lookup) {
    std::vector<std::uint64_t> devices;
    for (const logs::DeviceFilter device : logs::devices_of_task(process, lookup.key())) {
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

/// Whether the process's lines on the task only report that it failed or overflowed.
bool only_reports(const Process& process, const logs::TaskKey& task) {
    const logs::Places places = process.of_task.of(task);
    return std::all_of(places.begin(), places.end(),
                       [&process](std::uint32_t place) { return is_report(process.facts[place]); });
}

/// The processes that know the task or the stream, else all. Logs that were read for certain tasks lack lines on the
/// others: only lines on the task, and on the stream as a whole, are always there.
LocalizedText known_so_far(const Lookup& lookup) {
    std::vector<const Process*> know_task, know_stream;
    bool is_unnamed = true;
    for (const std::uint32_t number : lookup.index().processes(logs::About::stream, lookup.stream())) {
        const Process& process = lookup.map.processes[number];
        const bool is_host = logs::MapIndex::is_host(process);
        if (is_host && !process.of_task.of(lookup.key()).empty()) {
            know_task.push_back(&process);
            is_unnamed = is_unnamed && only_reports(process, lookup.key());
        } else if (is_host && !process.of_stream.of(lookup.stream()).empty()) {
            know_stream.push_back(&process);
        }
    }
    const auto show = [&lookup](const Process& process) { return show_with_devices(process, lookup); };
    if (!know_task.empty()) {
        return remarks::phrase(is_unnamed ? "task_only_failed" : "task_at_other_time",
                               {{"processes", list_processes(know_task, show)}});
    }
    return know_stream.empty()
               ? remarks::phrase("task_not_mentioned",
                                 {{"processes", list_processes(lookup.index().host_processes(), show_process)}})
               : remarks::phrase("stream_only_mentioned", {{"processes", list_processes(know_stream, show)}});
}

}  // namespace

void explain_missing_module(const Lookup& lookup, std::vector<Diagnostic>& diagnostics) {
    const bool is_complete = lookup.map.ge_info_lines != 0 && lookup.map.runtime_info_lines != 0;
    if (is_complete || lookup.index().may_miss_debug_logs()) {
        return;
    }
    diagnostics.push_back(
        remarks::diagnose(lookup.map.ge_info_lines == 0 ? "logs_without_ge_info" : "logs_without_runtime_info"));
}

void explain_task_not_in_logs(const Lookup& lookup, std::vector<Diagnostic>& diagnostics) {
    if (explain_missing_levels(lookup, diagnostics) || explain_cover(lookup, diagnostics)) {
        return;
    }
    diagnostics.push_back(remarks::diagnose(
        "task_not_in_logs",
        {{"stream", lookup.stream()},
         {"task", lookup.task()},
         {"known", known_so_far(lookup)},
         {"other", lookup.map.unread.empty() ? LocalizedText() : remarks::phrase("in_unread_logs")}}));
    explain_missing_module(lookup, diagnostics);
    explain_missing_debug(lookup, diagnostics);
}

void explain_excluded(const TaskSearch& search, const Lookup& lookup, std::vector<Diagnostic>& diagnostics) {
    const auto with_lines = std::find_if(search.excluded.begin(), search.excluded.end(),
                                         [](const Excluded& known) { return !known.match.use.facts.empty(); });
    if (with_lines == search.excluded.end()) {
        return;
    }
    const logs::LogPlace& line = with_lines->match.use.facts.front()->place;
    diagnostics.push_back(remarks::diagnose("uses_excluded", {{"stream", lookup.stream()},
                                                              {"task", lookup.task()},
                                                              {"line", lookup.at(line)},
                                                              {"row", fit_word(with_lines->row)},
                                                              {"fit", describe(facts_of(with_lines->match.fit))}}));
}

void remark_unread_logs(const Lookup& lookup, std::vector<Diagnostic>& diagnostics) {
    const bool is_said = std::any_of(diagnostics.begin(), diagnostics.end(),
                                     [](const Diagnostic& remark) { return remark.code == "logs_unread"; });
    if (lookup.map.unread.empty() || is_said) {
        return;
    }
    const std::size_t count = lookup.map.unread.size();
    diagnostics.insert(
        diagnostics.begin(),
        remarks::diagnose("logs_unread", {{"count", count}, {"error", remarks::text_of(lookup.map.unread.front())}}));
}

void explain_model_not_in_logs(const Lookup& lookup, std::vector<Diagnostic>& diagnostics) {
    if (!lookup.index().has_debug_logs() || lookup.index().has_run_logs()) {
        return;
    }
    if (lookup.index().may_miss_run_logs()) {
        remark_unread_logs(lookup, diagnostics);
    } else {
        diagnostics.push_back(remarks::diagnose("run_logs_missing"));
    }
}

}  // namespace opdebug::locate_stage
