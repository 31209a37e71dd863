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

void explain_past_use(const Process& process, const TaskUse& use, const TaskQuery& query, std::int64_t time,
                      const TaskMap::Contents& map, std::vector<Diagnostic>& diagnostics) {
    const UseEnd end = end_of(process, use, *query.stream_id);
    const std::string line = end.line == nullptr
                                 ? std::string()
                                 : fmt::format(" ({}:{})", map.files[end.line->place.file], end.line->place.line);
    diagnostics.push_back(remarks::diagnose("stream_closed", {{"pid", process.pid},
                                                              {"stream", *query.stream_id},
                                                              {"end", remarks::phrase(end.how)},
                                                              {"end_time", show_time(use.span.end)},
                                                              {"line", line},
                                                              {"time", show_time(time)},
                                                              {"task", *query.task_id}}));
}

constexpr std::int64_t kFirstOfFourDigits = -62'135'596'800'000'000;  ///< 0001-01-01
constexpr std::int64_t kLastOfFourDigits = 253'402'300'799'999'999;   ///< the last moment of 9999

std::string show_far_time(std::int64_t time_us) {
    const std::int64_t seconds = time_us >= 0 ? time_us / 1'000'000 : (time_us - 999'999) / 1'000'000;
    return fmt::format("{:%Y-%m-%d %H:%M:%S}.{:06}", fmt::gmtime(static_cast<std::time_t>(seconds)),
                       time_us - seconds * 1'000'000);
}

/// Over the zeros that stand there.
void put_digits(std::uint64_t number, std::size_t place, std::size_t count, std::string& text) {
    for (std::size_t i = place + count; i-- > place; number /= 10) {
        text[i] = static_cast<char>('0' + number % 10);
    }
}

/// What the task is when no line names an operator or kernel for it: the remark; empty: this line does not say.
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

// Each record's remark on the time zone shows one: a calendar's format took 2,500 instructions, this takes 350.
std::string show_time(std::int64_t time_us) {
    if (time_us < kFirstOfFourDigits || time_us > kLastOfFourDigits) {
        return show_far_time(time_us);
    }
    using std::chrono::sys_time, std::chrono::microseconds, std::chrono::days;
    const sys_time<microseconds> time{microseconds(time_us)};
    const auto day = std::chrono::floor<days>(time);
    const std::chrono::year_month_day date(day);
    const std::chrono::hh_mm_ss<microseconds> clock(time - day);
    std::string text = "0000-00-00 00:00:00.000000";
    put_digits(static_cast<std::uint64_t>(static_cast<int>(date.year())), 0, 4, text);
    put_digits(static_cast<unsigned>(date.month()), 5, 2, text);
    put_digits(static_cast<unsigned>(date.day()), 8, 2, text);
    put_digits(static_cast<std::uint64_t>(clock.hours().count()), 11, 2, text);
    put_digits(static_cast<std::uint64_t>(clock.minutes().count()), 14, 2, text);
    put_digits(static_cast<std::uint64_t>(clock.seconds().count()), 17, 2, text);
    put_digits(static_cast<std::uint64_t>(clock.subseconds().count()), 20, 6, text);
    return text;
}

void explain_no_use(const Process& process, const std::vector<TaskUse>& uses, const TaskQuery& query, std::int64_t time,
                    const TaskMap::Contents& map, std::vector<Diagnostic>& diagnostics) {
    const TaskUse* past = nullptr;
    for (const TaskUse& use : uses) {
        past = use.span.begin <= time ? &use : past;  // the last that began; it may go on
    }
    if (past != nullptr && past->span.end <= time) {
        explain_past_use(process, *past, query, time, map, diagnostics);
    } else if (past != nullptr) {
        diagnostics.push_back(remarks::diagnose("log_ended", {{"pid", process.pid},
                                                              {"end", show_time(process.last_time_us)},
                                                              {"time", show_time(time)},
                                                              {"stream", *query.stream_id},
                                                              {"task", *query.task_id}}));
    } else if (!uses.empty()) {
        diagnostics.push_back(remarks::diagnose("task_set_up_later", {{"pid", process.pid},
                                                                      {"stream", *query.stream_id},
                                                                      {"task", *query.task_id},
                                                                      {"first", show_time(uses.front().span.begin)},
                                                                      {"time", show_time(time)},
                                                                      {"begin", show_time(process.first_time_us)}}));
    }
}

void explain_other_task(const std::vector<const StoredFact*>& facts, const TaskQuery& query,
                        const TaskMap::Contents& map, std::vector<Diagnostic>& diagnostics) {
    // Other lines say more of a task than the one that sent it.
    std::vector<const StoredFact*> ordered = facts;
    std::stable_partition(ordered.begin(), ordered.end(),
                          [](const StoredFact* fact) { return fact->fact.kind != FactKind::submit; });
    for (const StoredFact* fact : ordered) {
        if (const std::string_view remark = other_task(*fact); !remark.empty()) {
            diagnostics.push_back(remarks::diagnose(remark, {{"stream", *query.stream_id},
                                                             {"task", *query.task_id},
                                                             {"type", fact->fact.task_type.value_or(0)},
                                                             {"file", map.files[fact->place.file]},
                                                             {"line", fact->place.line}}));
            return;
        }
    }
}

void remark_given_offset(const Dump& dump, const TaskQuery& query, const LocateOptions& options,
                         std::vector<Diagnostic>& diagnostics) {
    if (!options.utc_offset_minutes || !dump.path_ids.time || !query.timestamp_us) {
        return;
    }
    const auto contradiction =
        folder_contradiction(*dump.path_ids.time, *query.timestamp_us, *options.utc_offset_minutes);
    if (contradiction) {
        diagnostics.push_back(
            remarks::diagnose("utc_offset_contradicts_folder", {{"time", show_time(contradiction->dump_us)},
                                                                {"folder", *dump.path_ids.time},
                                                                {"folder_time", show_time(contradiction->folder_us)}}));
    }
}

void remark_time(const std::vector<LocalTime>& times, const logs::Span& logged, const TaskQuery& query,
                 std::vector<Diagnostic>& diagnostics) {
    if (times.empty()) {
        diagnostics.push_back(remarks::diagnose("time_unknown"));
        return;
    }
    const LocalTime& time = times.front();
    if (time.unrelated) {
        diagnostics.push_back(
            remarks::diagnose("time_outside_logs", {{"time", show_time(static_cast<std::int64_t>(*query.timestamp_us))},
                                                    {"begin", show_time(logged.begin)},
                                                    {"end", show_time(logged.end)}}));
        return;
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
}

}  // namespace opdebug::locate_stage
