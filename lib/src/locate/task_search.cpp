#include "locate/task_search.hpp"

#include <algorithm>

#include <fmt/chrono.h>
#include <fmt/format.h>

namespace opdebug::locate_stage {
namespace {

using logs::Process;
using logs::StoredFact;
using logs::TaskUse;

/// A dump's time comes from the device, the line's from the host: a launch line may seem a little later than the dump.
constexpr std::int64_t kClockSkewUs = 1'000'000;

std::string show_time(std::int64_t time_us) {
    const std::int64_t seconds = time_us >= 0 ? time_us / 1'000'000 : (time_us - 999'999) / 1'000'000;
    return fmt::format("{:%Y-%m-%d %H:%M:%S}.{:06}", fmt::gmtime(static_cast<std::time_t>(seconds)),
                       time_us - seconds * 1'000'000);
}

/// The span that the host processes' lines cover.
logs::Span logged_span(const TaskMap::Contents& map) {
    logs::Span span{logs::kEndOfTime, logs::kBeginOfTime};
    for (const Process& process : map.processes) {
        if (!process.on_device && process.last_time_us != 0) {
            span.begin = std::min(span.begin, process.first_time_us);
            span.end = std::max(span.end, process.last_time_us);
        }
    }
    return span.begin <= span.end ? span : logs::Span{};
}

/// The latest use that began before the time and has not ended; else one that begins within the clocks' skew.
const TaskUse* use_at(const std::vector<TaskUse>& uses, std::int64_t time) {
    const TaskUse* best = nullptr;
    for (const TaskUse& use : uses) {
        if (use.span.contains(time)) {
            best = &use;
        }
    }
    if (best != nullptr) {
        return best;
    }
    const auto soon = std::find_if(uses.begin(), uses.end(), [time](const TaskUse& use) {
        return use.span.begin > time && use.span.begin - time <= kClockSkewUs && time < use.window.span.end;
    });
    return soon != uses.end() ? &*soon : nullptr;
}

void explain_past_use(const TaskUse& use, const TaskQuery& query, std::int64_t time, const TaskMap::Contents& map,
                      std::vector<Diagnostic>& diagnostics) {
    const StoredFact* ended_by = use.persistent && use.bindings.front().unbound_by != nullptr
                                     ? use.bindings.front().unbound_by
                                     : use.window.closed_by;
    const std::string proof = ended_by == nullptr
                                  ? std::string()
                                  : fmt::format(" ({}:{})", map.files[ended_by->place.file], ended_by->place.line);
    diagnostics.push_back({Severity::warning, "stream_closed",
                           fmt::format("stream {} was {} at {}{}, before the overflow at {} (the log's local time): "
                                       "nothing that the log says of its task "
                                       "{} holds then",
                                       *query.stream_id, use.persistent ? "unbound from its model" : "released",
                                       show_time(use.span.end), proof, show_time(time), *query.task_id)});
}

/// Why no use fits the time.
void explain_no_use(const Process& process, const std::vector<TaskUse>& uses, const TaskQuery& query, std::int64_t time,
                    const TaskMap::Contents& map, std::vector<Diagnostic>& diagnostics) {
    const TaskUse* past = nullptr;
    for (const TaskUse& use : uses) {
        past = use.span.end <= time ? &use : past;
    }
    if (past != nullptr) {
        explain_past_use(*past, query, time, map, diagnostics);
    } else if (!uses.empty()) {
        diagnostics.push_back(
            {Severity::warning, "task_set_up_later",
             fmt::format("process {}: stream {} task {} is first mentioned at {}, after the overflow at {} (the log's "
                         "local time); the log "
                         "begins at {}: earlier files were rotated away, or it is the log of another run",
                         process.pid, *query.stream_id, *query.task_id, show_time(uses.front().span.begin),
                         show_time(time), show_time(process.first_time_us))});
    }
}

/// Without a time only what is the same in every use can be told; single executions change too often for that.
void match_without_time(const Process& process, std::vector<TaskUse>& uses, bool time_unrelated, TaskSearch& search) {
    for (TaskUse& use : uses) {
        if (use.persistent || !time_unrelated) {
            search.matches.push_back({&process, std::move(use)});
        }
    }
}

void search_process(const Process& process, const TaskQuery& query, const std::optional<LocalTime>& time,
                    const TaskMap::Contents& map, TaskSearch& search) {
    const logs::TaskKey key{*query.stream_id, *query.task_id};
    search.stream_known =
        search.stream_known || process.of_stream.count(*query.stream_id) != 0 || process.of_task.count(key) != 0;
    std::vector<TaskUse> uses = logs::uses_of_task(process, key);
    if (!time || time->unrelated) {
        match_without_time(process, uses, time.has_value(), search);
        return;
    }
    if (const TaskUse* use = use_at(uses, time->time_us)) {
        search.matches.push_back({&process, *use});
    } else {
        explain_no_use(process, uses, query, time->time_us, map, search.diagnostics);
    }
}

void remark_time(const std::optional<LocalTime>& time, const logs::Span& logged, std::vector<Diagnostic>& diagnostics) {
    if (!time) {
        diagnostics.push_back({Severity::warning, "time_unknown",
                               "the dump has no time, so the log is searched as a whole; ids are reused, the answer "
                               "may belong to another time"});
    } else if (time->unrelated) {
        diagnostics.push_back({Severity::warning, "time_outside_logs",
                               fmt::format("the dump was written {} UTC, the logs cover {} to {} (local time): perhaps "
                                           "logs of another run; only tasks that "
                                           "belong to a model are looked up, without regard to time",
                                           show_time(time->time_us - time->offset_minutes * 60'000'000LL),
                                           show_time(logged.begin), show_time(logged.end))});
    } else {
        diagnostics.push_back({time->is_inferred ? Severity::warning : Severity::info, "time_zone",
                               fmt::format("the logs' local time is taken as {}: the dump was written at {}",
                                           time->found_by, show_time(time->time_us))});
    }
}

}  // namespace

Evidence evidence_of(const StoredFact& fact, const logs::LogPlace& place, const TaskMap::Contents& map) {
    EvidenceKind kind = EvidenceKind::ge_log;
    switch (fact.fact.log) {
        case logs::LogKind::ge_log: kind = EvidenceKind::ge_log; break;
        case logs::LogKind::runtime_log: kind = EvidenceKind::runtime_log; break;
        case logs::LogKind::device_log: kind = EvidenceKind::device_log; break;
    }
    return {kind, map.files[place.file], place.line, place.text};
}

Evidence evidence_of(const StoredFact& fact, const TaskMap::Contents& map) {
    return evidence_of(fact, fact.place, map);
}

TaskSearch search_task(const TaskMap::Contents& map, const Dump& dump, const TaskQuery& query,
                       const LocateOptions& options) {
    TaskSearch search;
    const logs::Span logged = logged_span(map);
    const std::optional<LocalTime> time = local_time_of(dump, logged, options);
    const logs::TaskKey key{*query.stream_id, *query.task_id};
    for (const Process& process : map.processes) {
        if (!process.on_device) {
            search_process(process, query, time, map, search);
            continue;
        }
        const auto facts = process.of_task.find(key);
        if (facts != process.of_task.end()) {
            for (const std::size_t index : facts->second) {
                search.device.push_back(&process.facts[index]);
            }
        }
    }
    if (logged.begin != logs::kBeginOfTime) {
        remark_time(time, logged, search.diagnostics);
    }
    return search;
}

}  // namespace opdebug::locate_stage
