#include "locate/reasons.hpp"

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <ctime>

#include <fmt/chrono.h>
#include <fmt/format.h>

#include "logs/facts/launch_lines.hpp"

namespace opdebug::locate_stage {
namespace {

using logs::FactKind;
using logs::Process;
using logs::StoredFact;
using logs::TaskUse;

constexpr const char* kLostItsModel = "lost its model, which ended,";

/// What ended a use of the ids.
struct UseEnd {
    const char* how = "";
    const StoredFact* line = nullptr;
};

UseEnd end_of(const Process& process, const TaskUse& use, std::uint64_t stream_id) {
    if (use.unloaded_by != nullptr) {
        return {kLostItsModel, use.unloaded_by};
    }
    const logs::ModelBinding* binding = use.persistent && !use.bindings.empty() ? &use.bindings.front() : nullptr;
    if (binding != nullptr && binding->unbound_by != nullptr) {
        return {binding->unbound_by->fact.kind == FactKind::model_end ? kLostItsModel : "was unbound from its model",
                binding->unbound_by};
    }
    if (use.window.closed_by != nullptr && use.span.end == use.window.span.end) {
        return {"was released", use.window.closed_by};
    }
    const auto then = std::lower_bound(process.facts.begin(), process.facts.end(), use.span.end,
                                       [](const StoredFact& fact, std::int64_t time) { return fact.time_us < time; });
    const auto next = std::find_if(then, process.facts.end(), [&](const StoredFact& fact) {
        return fact.time_us != use.span.end || fact.fact.stream_id == stream_id;
    });
    const bool is_then = next != process.facts.end() && next->time_us == use.span.end;
    return {"or its ids were used again", is_then ? &*next : nullptr};
}

void explain_past_use(const Process& process, const TaskUse& use, const TaskQuery& query, std::int64_t time,
                      const TaskMap::Contents& map, std::vector<Diagnostic>& diagnostics) {
    const UseEnd end = end_of(process, use, *query.stream_id);
    const std::string proof = end.line == nullptr
                                  ? std::string()
                                  : fmt::format(" ({}:{})", map.files[end.line->place.file], end.line->place.line);
    diagnostics.push_back(
        {Severity::warning, "stream_closed",
         fmt::format("process {}: stream {} {} at {}{}, before the overflow at {} (the log's local time): "
                     "nothing that the log says of its task "
                     "{} holds then",
                     process.pid, *query.stream_id, end.how, show_time(use.span.end), proof, show_time(time),
                     *query.task_id)});
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

/// What the task is when no line names an operator or kernel for it.
std::optional<Diagnostic> other_task(const StoredFact& fact) {
    switch (fact.fact.kind) {
        case FactKind::end_of_graph_task:
        case FactKind::model_of_stream:
            return Diagnostic{Severity::warning, "end_of_graph_task", "is the end-of-graph task, not an operator"};
        case FactKind::debug_task:
            return Diagnostic{Severity::warning, "debug_task", "is the overflow-debug task, not an operator"};
        case FactKind::unnamed_launch:
            return Diagnostic{Severity::warning, "kernel_unnamed", "was launched without a kernel name in the log"};
        case FactKind::submit:
            if (logs::submits_a_kernel(fact.fact)) {
                return Diagnostic{Severity::warning, "kernel_unnamed", "was sent, but no line names its kernel"};
            }
            return Diagnostic{
                Severity::warning, "other_task",
                fmt::format("was no kernel at that time, but a task of type {}", fact.fact.task_type.value_or(0))};
        default: return std::nullopt;
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
        diagnostics.push_back({Severity::warning, "log_ended",
                               fmt::format("the log of process {} ends at {}, before the overflow at {} (the log's "
                                           "local time): the stream {} task "
                                           "{} that it shows may be another execution",
                                           process.pid, show_time(process.last_time_us), show_time(time),
                                           *query.stream_id, *query.task_id)});
    } else if (!uses.empty()) {
        diagnostics.push_back(
            {Severity::warning, "task_set_up_later",
             fmt::format("process {}: stream {} task {} is first mentioned at {}, after the overflow at {} (the log's "
                         "local time); the log "
                         "begins at {}: earlier files were rotated away (ASCEND_HOST_LOG_FILE_NUM=1000 keeps more), or "
                         "it is the "
                         "log of another run",
                         process.pid, *query.stream_id, *query.task_id, show_time(uses.front().span.begin),
                         show_time(time), show_time(process.first_time_us))});
    }
}

void explain_other_task(const std::vector<const StoredFact*>& facts, const TaskQuery& query,
                        const TaskMap::Contents& map, std::vector<Diagnostic>& diagnostics) {
    // Other lines say more of a task than the one that sent it.
    std::vector<const StoredFact*> ordered = facts;
    std::stable_partition(ordered.begin(), ordered.end(),
                          [](const StoredFact* fact) { return fact->fact.kind != FactKind::submit; });
    for (const StoredFact* fact : ordered) {
        if (auto remark = other_task(*fact)) {
            remark->message = fmt::format("stream {} task {} {} ({}:{})", *query.stream_id, *query.task_id,
                                          remark->message, map.files[fact->place.file], fact->place.line);
            diagnostics.push_back(std::move(*remark));
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
            {Severity::warning, "utc_offset_contradicts_folder",
             fmt::format("with the given zone the dump was written at {} local time, before its folder {} was made at "
                         "{}; the given zone is used all the same: check --utc-offset",
                         show_time(contradiction->dump_us), *dump.path_ids.time, show_time(contradiction->folder_us))});
    }
}

void remark_time(const std::vector<LocalTime>& times, const logs::Span& logged, const TaskQuery& query,
                 std::vector<Diagnostic>& diagnostics) {
    if (times.empty()) {
        diagnostics.push_back({Severity::warning, "time_unknown",
                               "the dump has no time, so the log is searched as a whole; ids are reused, the answer "
                               "may belong to another time"});
        return;
    }
    const LocalTime& time = times.front();
    if (time.unrelated) {
        diagnostics.push_back({Severity::warning, "time_outside_logs",
                               fmt::format("the dump was written {} UTC, the log covers {} to {} (local time): perhaps "
                                           "the log of another run; only tasks that belong to a model are looked up, "
                                           "without regard to time",
                                           show_time(static_cast<std::int64_t>(*query.timestamp_us)),
                                           show_time(logged.begin), show_time(logged.end))});
        return;
    }
    std::string others;
    for (std::size_t i = 1; i < times.size(); ++i) {
        others += fmt::format("{}{}", others.empty() ? "" : "; ", found_by(times[i]));
    }
    const bool is_sure = others.empty() && !time.is_inferred;
    diagnostics.push_back({is_sure ? Severity::info : Severity::warning, "time_zone",
                           "the logs' local time is taken as " + found_by(time) + ": the dump was written at " +
                               show_time(time.time_us) +
                               (others.empty() ? "" : "; possible as well, and looked up too: " + others) +
                               (is_sure ? "" : "; give the zone if you know it (--utc-offset)")});
}

}  // namespace opdebug::locate_stage
