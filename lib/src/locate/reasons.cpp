#include "locate/reasons.hpp"

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <ctime>

#include <fmt/chrono.h>
#include <fmt/format.h>

#include "logs/facts/launch_lines.hpp"
#include "remarks/diagnose.hpp"

namespace opdebug::locate_stage {
namespace {

using logs::FactKind;
using logs::Process;
using logs::StoredFact;
using logs::TaskUse;

constexpr const char* kLostItsModel = "stream_lost_model";

/// What ended a use of the ids.
struct UseEnd {
    const char* how = "";  ///< the phrase
    const StoredFact* line = nullptr;
};

UseEnd end_of(const Process& process, const TaskUse& use, std::uint64_t stream_id) {
    if (use.unloaded_by != nullptr) {
        return {kLostItsModel, use.unloaded_by};
    }
    const logs::ModelBinding* binding = use.persistent && !use.bindings.empty() ? &use.bindings.front() : nullptr;
    if (binding != nullptr && binding->unbound_by != nullptr) {
        return {binding->unbound_by->fact.kind == FactKind::model_end ? kLostItsModel : "stream_unbound",
                binding->unbound_by};
    }
    if (use.window.closed_by != nullptr && use.span.end == use.window.span.end) {
        return {"stream_released", use.window.closed_by};
    }
    const auto then = std::lower_bound(process.facts.begin(), process.facts.end(), use.span.end,
                                       [](const StoredFact& fact, std::int64_t time) { return fact.time_us < time; });
    const auto next = std::find_if(then, process.facts.end(), [&](const StoredFact& fact) {
        return fact.time_us != use.span.end || fact.fact.stream_id == stream_id;
    });
    const bool is_then = next != process.facts.end() && next->time_us == use.span.end;
    return {"stream_ids_reused", is_then ? &*next : nullptr};
}

void explain_past_use(const Process& process, const TaskUse& use, const Lookup& lookup, std::int64_t time,
                      std::vector<Diagnostic>& diagnostics) {
    const UseEnd end = end_of(process, use, lookup.stream());
    const std::string line =
        end.line == nullptr ? std::string()
                            : fmt::format(" ({}:{})", lookup.map.files[end.line->place.file], end.line->place.line);
    diagnostics.push_back(remarks::diagnose("stream_closed", {{"pid", process.pid},
                                                              {"stream", lookup.stream()},
                                                              {"end", remarks::phrase(end.how)},
                                                              {"end_time", show_time(use.span.end)},
                                                              {"line", line},
                                                              {"time", show_time(time)},
                                                              {"task", lookup.task()}}));
}

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
    return fmt::format("{:%Y-%m-%d %H:%M:%S}.{:06}", fmt::gmtime(static_cast<std::time_t>(second.count())),
                       time_us - second.count() * 1'000'000);
}

void explain_no_use(const TaskPlace& place, const Lookup& lookup, std::int64_t time_us,
                    std::vector<Diagnostic>& diagnostics) {
    const Process& process = *place.process;
    const TaskUse* past = nullptr;
    for (const TaskUse& use : place.uses) {
        past = use.span.begin <= time_us ? &use : past;  // the last that began; it may go on
    }
    if (past != nullptr && past->span.end <= time_us) {
        explain_past_use(process, *past, lookup, time_us, diagnostics);
    } else if (past != nullptr) {
        diagnostics.push_back(remarks::diagnose("log_ended", {{"pid", process.pid},
                                                              {"end", show_time(process.last_time_us)},
                                                              {"time", show_time(time_us)},
                                                              {"stream", lookup.stream()},
                                                              {"task", lookup.task()}}));
    } else if (!place.uses.empty()) {
        diagnostics.push_back(
            remarks::diagnose("task_set_up_later", {{"pid", process.pid},
                                                    {"stream", lookup.stream()},
                                                    {"task", lookup.task()},
                                                    {"first", show_time(place.uses.front().span.begin)},
                                                    {"time", show_time(time_us)},
                                                    {"begin", show_time(process.first_time_us)}}));
    }
}

void explain_other_task(const std::vector<const StoredFact*>& facts, const Lookup& lookup,
                        std::vector<Diagnostic>& diagnostics) {
    // Other lines state more of a task than the one that sent it.
    std::vector<const StoredFact*> ordered = facts;
    std::stable_partition(ordered.begin(), ordered.end(),
                          [](const StoredFact* fact) { return fact->fact.kind != FactKind::submit; });
    for (const StoredFact* fact : ordered) {
        if (const std::string_view remark = other_task(*fact); !remark.empty()) {
            diagnostics.push_back(remarks::diagnose(remark, {{"stream", lookup.stream()},
                                                             {"task", lookup.task()},
                                                             {"type", fact->fact.task_type.value_or(0)},
                                                             {"line", lookup.at(fact->place)}}));
            return;
        }
    }
}

void remark_given_offset(const Lookup& lookup, std::vector<Diagnostic>& diagnostics) {
    if (!lookup.options.utc_offset_minutes || !lookup.dump.path_ids.time || !lookup.query.timestamp_us) {
        return;
    }
    const auto contradiction = folder_contradiction(*lookup.dump.path_ids.time, *lookup.query.timestamp_us,
                                                    *lookup.options.utc_offset_minutes);
    if (contradiction) {
        diagnostics.push_back(
            remarks::diagnose("utc_offset_contradicts_folder", {{"time", show_time(contradiction->dump_us)},
                                                                {"folder", *lookup.dump.path_ids.time},
                                                                {"folder_time", show_time(contradiction->folder_us)}}));
    }
}

void remark_doubtful_offset(const Lookup& lookup, std::vector<Diagnostic>& diagnostics) {
    if (!lookup.options.utc_offset_minutes || lookup.dump.path_ids.time || !lookup.query.timestamp_us) {
        return;
    }
    LocateOptions without_offset = lookup.options;
    without_offset.utc_offset_minutes.reset();
    for (const std::uint32_t number : lookup.index().processes(logs::About::task, lookup.stream(), lookup.task())) {
        const Process& process = lookup.map.processes[number];
        const logs::Span logged = span_of(process);
        const std::vector<LocalTime> given = times_in(process, lookup);
        if (process.on_device || given.empty() || given.front().unrelated || covers(logged, given.front().time_us)) {
            continue;
        }
        const std::vector<LocalTime> others =
            times_in(process, {lookup.dump, lookup.query, lookup.map, without_offset});
        if (!others.empty() && covers(logged, others.front().time_us)) {
            diagnostics.push_back(remarks::diagnose("utc_offset_doubtful", {{"time", show_time(given.front().time_us)},
                                                                            {"pid", process.pid},
                                                                            {"stream", lookup.stream()},
                                                                            {"task", lookup.task()},
                                                                            {"begin", show_time(logged.begin)},
                                                                            {"end", show_time(logged.end)},
                                                                            {"zone", found_by(others.front())}}));
            return;
        }
    }
}

std::optional<int> remark_time(const std::vector<LocalTime>& times, const logs::Span& logged, const Lookup& lookup,
                               std::vector<Diagnostic>& diagnostics) {
    if (times.empty()) {
        diagnostics.push_back(remarks::diagnose("time_unknown"));
        return std::nullopt;
    }
    const LocalTime& time = times.front();
    if (time.unrelated) {
        diagnostics.push_back(remarks::diagnose(
            "time_outside_logs", {{"time", show_time(static_cast<std::int64_t>(*lookup.query.timestamp_us))},
                                  {"begin", show_time(logged.begin)},
                                  {"end", show_time(logged.end)}}));
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
    diagnostics.push_back(
        remarks::diagnose(is_sure ? "time_zone" : "time_zone.unsure",
                          {{"zone", found_by(time)}, {"time", show_time(time.time_us)}, {"others", possible_too}}));
    const bool is_of_run = is_sure && time.reason != std::string_view("zone_of_host");
    return is_of_run ? std::optional(time.offset_minutes) : std::nullopt;
}

}  // namespace opdebug::locate_stage
