#include "locate/answers.hpp"

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <ctime>

#include <fmt/chrono.h>
#include <fmt/format.h>

#include "logs/facts/launch_lines.hpp"
#include "logs/facts/task_map.hpp"
#include "logs/lookup/map_index.hpp"
#include "remarks/diagnose.hpp"

namespace opdebug::locate_stage {
namespace {

using logs::FactKind;
using logs::Process;
using logs::StoredFact;

/// What the task is when no line names an operator or kernel for it: the remark; empty: this line does not show it.
std::string_view other_task(const StoredFact& fact) {
    switch (fact.fact.kind) {
        case FactKind::end_of_graph_task:
        case FactKind::model_of_stream: return "end_of_graph_task";
        case FactKind::debug_task: return "debug_task";
        case FactKind::unnamed_launch: return "kernel_unnamed";
        case FactKind::submit: return logs::submits_a_kernel(fact.fact) ? "kernel_unnamed.sent" : "other_task";
        default: return {};
    }
}

}  // namespace

std::string show_time(std::int64_t time_us) {
    const auto second = std::chrono::floor<std::chrono::seconds>(std::chrono::microseconds(time_us));
    return fmt::format("{:%F %T}.{:06}", fmt::gmtime(static_cast<std::time_t>(second.count())),
                       time_us - second.count() * 1'000'000);
}

void explain_no_use(const TaskPlace& place, const Lookup& lookup, std::int64_t time_us, Diagnostics& diagnostics) {
    const Process& process = *place.process;
    const logs::TaskUse* past = nullptr;
    for (const logs::TaskUse& use : place.uses) {
        past = use.span.begin <= time_us ? &use : past;  // the last that began; it may go on
    }
    if (past != nullptr && past->span.end <= time_us) {
        lookup.remark(diagnostics, "stream_closed",
                      {{"pid", process.pid},
                       {"line", lookup.at(*past->facts.front())},
                       {"end", show_time(past->span.end)},
                       {"time", show_time(time_us)}});
    } else if (past != nullptr) {
        lookup.remark(diagnostics, "log_ended",
                      {{"pid", process.pid}, {"end", show_time(process.last_time_us)}, {"time", show_time(time_us)}});
    } else if (!place.uses.empty()) {
        lookup.remark(diagnostics, "task_set_up_later",
                      {{"pid", process.pid},
                       {"first", show_time(place.uses.front().span.begin)},
                       {"time", show_time(time_us)},
                       {"begin", show_time(process.first_time_us)}});
    }
}

void explain_other_task(const std::vector<const StoredFact*>& facts, const Lookup& lookup, Diagnostics& diagnostics) {
    // Other lines state more of a task than the one that sent it.
    std::vector<const StoredFact*> ordered = facts;
    std::stable_partition(ordered.begin(), ordered.end(),
                          [](const StoredFact* fact) { return fact->fact.kind != FactKind::submit; });
    for (const StoredFact* fact : ordered) {
        if (const std::string_view remark = other_task(*fact); !remark.empty()) {
            lookup.remark(diagnostics, remark,
                          {{"type", fact->fact.task_type.value_or(0)}, {"line", lookup.at(fact->place)}});
            return;
        }
    }
}

void remark_given_offset(const Lookup& lookup, Diagnostics& diagnostics) {
    const std::optional<std::string>& folder = lookup.dump.path_ids.time;
    const std::optional<int>& given = lookup.options.utc_offset_minutes;
    if (!given || !folder || !lookup.query.timestamp_us) {
        return;
    }
    const std::optional<int> least = least_offset_by_folder(*folder, *lookup.query.timestamp_us);
    if (least && *given < *least) {
        lookup.remark(diagnostics, "utc_offset_contradicts_folder",
                      {{"time", show_time(static_cast<std::int64_t>(*lookup.query.timestamp_us) + *given * kMinuteUs)},
                       {"folder", *folder},
                       {"folder_time", show_time(folder_time_us(*folder))}});
    }
}

std::optional<int> remark_time(const std::vector<LocalTime>& times, const logs::Span& logged, const Lookup& lookup,
                               Diagnostics& diagnostics) {
    if (times.empty()) {
        lookup.remark(diagnostics, "time_unknown");
        return std::nullopt;
    }
    const LocalTime& time = times.front();
    if (time.unrelated) {
        lookup.remark(diagnostics, "time_outside_logs",
                      {{"time", show_time(static_cast<std::int64_t>(*lookup.query.timestamp_us))},
                       {"begin", show_time(logged.begin)},
                       {"end", show_time(logged.end)}});
        return std::nullopt;
    }
    std::vector<LocalizedText> others;
    for (std::size_t i = 1; i < times.size(); ++i) {
        others.push_back(found_by(times[i]));
    }
    const bool is_sure = others.empty() && !time.is_inferred;
    const LocalizedText possible_too =
        others.empty() ? LocalizedText()
                       : remarks::phrase("zones_possible_too", {{"zones", remarks::joined(others, {"; ", "；"})}});
    lookup.remark(diagnostics, is_sure ? "time_zone" : "time_zone.unsure",
                  {{"zone", found_by(time)}, {"time", show_time(time.time_us)}, {"others", possible_too}});
    const bool is_of_run = is_sure && time.reason != std::string_view("zone_of_host");
    return is_of_run ? std::optional(time.offset_minutes) : std::nullopt;
}

void explain_excluded(const TaskSearch& search, const Lookup& lookup, Diagnostics& diagnostics) {
    const auto with_lines = std::find_if(search.excluded.begin(), search.excluded.end(),
                                         [](const Candidate& candidate) { return candidate.fit.has_lines; });
    if (with_lines == search.excluded.end()) {
        return;
    }
    const logs::LogPlace& line = with_lines->use.facts.front()->place;
    lookup.remark(
        diagnostics, "uses_excluded",
        {{"line", lookup.at(line)}, {"row", fit_word(with_lines->row)}, {"fit", describe(facts_of(with_lines->fit))}});
}

namespace {

/// The run logs have no INFO line of tasks by nature. Debug logs that could not be read were given ("logs_unread").
bool explain_missing_debug(const Lookup& lookup, Diagnostics& diagnostics) {
    const bool is_missing = lookup.index().has_run_logs() && !lookup.index().has_debug_logs();
    if (is_missing && !lookup.index().may_miss_debug_logs()) {
        lookup.remark(diagnostics, "debug_logs_missing");
    }
    return is_missing;
}

/// Errors that an application printed: their lines have no process and no time. Firmware is no host.
bool is_printed(const Process& process) noexcept {
    return !process.on_device && process.pid < 0 && process.last_time_us == 0 && !process.without_host_lines;
}

bool explain_missing_levels(const Lookup& lookup, Diagnostics& diagnostics) {
    const std::vector<Process>& processes = lookup.map.processes;
    if (lookup.index().host_processes().empty()) {
        const bool is_print = std::any_of(processes.begin(), processes.end(), is_printed);
        lookup.remark(diagnostics, is_print ? "printed_errors_only" : "no_host_logs",
                      {{"folders", remarks::phrase("host_logs")}});
        return true;
    }
    if (lookup.map.runtime_info_lines + lookup.map.ge_info_lines != 0) {
        return false;
    }
    if (!explain_missing_debug(lookup, diagnostics)) {
        lookup.remark(diagnostics, "logs_without_info");
    }
    return true;
}

/// All logs begin after the overflow, or ended before it. There is a host process.
bool explain_cover(const Lookup& lookup, Diagnostics& diagnostics) {
    const std::optional<std::int64_t> time_us = time_in(*lookup.index().host_processes().front(), lookup);
    if (!time_us) {
        return false;
    }
    const Process* const last = lookup.index().last_of_those_begun(*time_us + kClockSkewUs);
    if (last == nullptr) {
        const std::vector<const Process*>& hosts = lookup.index().host_processes();
        const Process& first = **std::min_element(hosts.begin(), hosts.end(), [](const Process* a, const Process* b) {
            return a->first_time_us < b->first_time_us;
        });
        lookup.remark(diagnostics, "log_begins_later",
                      {{"begin", show_time(first.first_time_us)}, {"pid", first.pid}, {"time", show_time(*time_us)}});
    } else if (last->last_time_us < *time_us - kBehindLogUs) {
        lookup.remark(diagnostics, "log_ended.all",
                      {{"end", show_time(last->last_time_us)}, {"pid", last->pid}, {"time", show_time(*time_us)}});
    } else {
        return false;
    }
    return true;
}

/// "process 5100, process 5200", at most eight.
LocalizedText list_processes(const std::vector<const Process*>& processes) {
    constexpr std::size_t kMost = 8;
    std::vector<LocalizedText> texts;
    for (std::size_t i = 0; i < std::min(kMost, processes.size()); ++i) {
        texts.push_back(remarks::phrase("process", {{"pid", processes[i]->pid}}));
    }
    if (processes.size() > kMost) {
        texts.push_back(remarks::phrase("more_of_list", {{"count", processes.size() - kMost}}));
    }
    return remarks::joined(texts, {", ", "、"});
}

/// The processes that mention the task or the stream, else all. Logs that were read for certain tasks lack lines on the
/// others: only lines on the task, and on the stream as a whole, are always there.
LocalizedText known_so_far(const Lookup& lookup) {
    std::vector<const Process*> known;
    for (const std::uint32_t number : lookup.index().processes(logs::About::stream, lookup.stream())) {
        const Process& process = lookup.map.processes[number];
        const bool is_mentioned =
            !process.of_task.of(lookup.key()).empty() || !process.of_stream.of(lookup.stream()).empty();
        if (logs::MapIndex::is_host(process) && is_mentioned) {
            known.push_back(&process);
        }
    }
    return known.empty()
               ? remarks::phrase("task_not_mentioned", {{"processes", list_processes(lookup.index().host_processes())}})
               : remarks::phrase("stream_only_mentioned", {{"processes", list_processes(known)}});
}

}  // namespace

void explain_missing_module(const Lookup& lookup, Diagnostics& diagnostics) {
    const bool is_complete = lookup.map.ge_info_lines != 0 && lookup.map.runtime_info_lines != 0;
    if (is_complete || lookup.index().may_miss_debug_logs()) {
        return;
    }
    lookup.remark(diagnostics, lookup.map.ge_info_lines == 0 ? "logs_without_ge_info" : "logs_without_runtime_info");
}

void explain_task_not_in_logs(const Lookup& lookup, Diagnostics& diagnostics) {
    if (explain_missing_levels(lookup, diagnostics) || explain_cover(lookup, diagnostics)) {
        return;
    }
    lookup.remark(diagnostics, "task_not_in_logs",
                  {{"known", known_so_far(lookup)},
                   {"other", lookup.map.unread.empty() ? LocalizedText() : remarks::phrase("in_unread_logs")}});
    explain_missing_module(lookup, diagnostics);
    explain_missing_debug(lookup, diagnostics);
}

void remark_unread_logs(const Lookup& lookup, Diagnostics& diagnostics) {
    if (lookup.map.unread.empty() || has_remark(diagnostics, "logs_unread")) {
        return;
    }
    const std::size_t count = lookup.map.unread.size();
    diagnostics.insert(
        diagnostics.begin(),
        remarks::diagnose("logs_unread", {{"count", count}, {"error", remarks::text_of(lookup.map.unread.front())}}));
}

void explain_model(const Process* process, const Lookup& lookup, RecordResult& result) {
    const std::optional<LocatedModel>& model = result.model;
    const bool is_named = model && (model->name || (model->runtime_id && !model->evidence.empty()));
    const bool may_be_in_run_logs = lookup.index().has_debug_logs() && !lookup.index().has_run_logs() &&
                                    (process == nullptr || !lookup.index().binds_models(*process));
    if (is_named || !lookup.query.model_id || !may_be_in_run_logs || has_remark(result.diagnostics, "model_differs")) {
        return;
    }
    if (lookup.index().may_miss_run_logs()) {
        remark_unread_logs(lookup, result.diagnostics);
    } else {
        lookup.remark(result.diagnostics, "run_logs_missing");
    }
}

}  // namespace opdebug::locate_stage
