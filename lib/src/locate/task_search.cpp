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
/// A single execution is launched right before it runs: none can be told long after the log of its process ended.
constexpr std::int64_t kBehindLogUs = 60'000'000;

std::string show_time(std::int64_t time_us) {
    const std::int64_t seconds = time_us >= 0 ? time_us / 1'000'000 : (time_us - 999'999) / 1'000'000;
    return fmt::format("{:%Y-%m-%d %H:%M:%S}.{:06}", fmt::gmtime(static_cast<std::time_t>(seconds)),
                       time_us - seconds * 1'000'000);
}

logs::Span span_of(const Process& process) {
    return process.last_time_us == 0 ? logs::Span{} : logs::Span{process.first_time_us, process.last_time_us};
}

/// The latest use that began before the time and has not ended; else one that begins within the clocks' skew.
const TaskUse* use_at(const std::vector<TaskUse>& uses, std::int64_t time, std::int64_t log_end) {
    const TaskUse* best = nullptr;
    for (const TaskUse& use : uses) {
        if (use.span.contains(time) && (use.persistent || time - kBehindLogUs <= log_end)) {
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
    } else if (!uses.empty() && uses.front().span.begin <= time) {
        diagnostics.push_back({Severity::warning, "log_ended",
                               fmt::format("the log of process {} ends at {}, before the overflow at {} (the log's "
                                           "local time): the stream {} task "
                                           "{} that it shows is another execution",
                                           process.pid, show_time(process.last_time_us), show_time(time),
                                           *query.stream_id, *query.task_id)});
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

/// What the search gathers on its way.
struct Gathered {
    std::vector<TaskMatch> at_the_time;
    std::vector<TaskMatch> without_time;  ///< the dump has no time, or one that the log's clock cannot be compared with
    std::vector<Diagnostic> reasons;      ///< why a process that knows the ids has no answer
    const Process* speaks_best = nullptr;  ///< whose clock is told: one with an answer, else one that knows the ids
    int best_rank = -1;

    void rank(const Process& process, int points) {
        if (points > best_rank) {
            best_rank = points;
            speaks_best = &process;
        }
    }
};

void add_match(const Process& process, logs::DeviceFilter device, const TaskUse& use, std::vector<TaskMatch>& matches) {
    const bool is_known = std::any_of(matches.begin(), matches.end(), [&](const TaskMatch& match) {
        return match.process == &process && match.device == device && match.use.span.begin == use.span.begin;
    });
    if (!is_known) {
        matches.push_back({&process, device, use});
    }
}

/// The uses of one process and device at each possible time.
void search_uses(const Process& process, logs::DeviceFilter device, const std::vector<TaskUse>& uses,
                 const TaskQuery& query, const std::vector<LocalTime>& times, const TaskMap::Contents& map,
                 Gathered& gathered) {
    if (times.empty() || times.front().unrelated) {
        // Without a comparable time only tasks of a model can be told; single executions change too often for that.
        for (const TaskUse& use : uses) {
            if (use.persistent || times.empty()) {
                add_match(process, device, use, gathered.without_time);
            }
        }
        return;
    }
    const std::size_t before = gathered.at_the_time.size();
    for (const LocalTime& time : times) {
        if (const TaskUse* use = use_at(uses, time.time_us, span_of(process).end)) {
            add_match(process, device, *use, gathered.at_the_time);
        }
    }
    if (gathered.at_the_time.size() == before) {
        explain_no_use(process, uses, query, times.front().time_us, map, gathered.reasons);
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
        others += fmt::format("{}{}", others.empty() ? "" : "; ", times[i].found_by);
    }
    const bool is_sure = others.empty() && !time.is_inferred;
    diagnostics.push_back(
        {is_sure ? Severity::info : Severity::warning, "time_zone",
         fmt::format("the logs' local time is taken as {}: the dump was written at {}{}{}", time.found_by,
                     show_time(time.time_us), others.empty() ? "" : "; possible as well, and looked up too: " + others,
                     is_sure ? "" : "; give the zone with --utc-offset (utc_offset_minutes) if you know it")});
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
    Gathered gathered;
    const logs::TaskKey key{*query.stream_id, *query.task_id};
    const auto times_in = [&](const Process& process) {
        return local_times_of(query.timestamp_us, dump.path_ids.time, span_of(process), options);
    };
    for (const Process& process : map.processes) {
        const auto facts = process.of_task.find(key);
        const bool knows_task = facts != process.of_task.end();
        if (process.on_device) {
            gathered.rank(process, knows_task ? 1 : -1);
            for (std::size_t i = 0; knows_task && i < facts->second.size(); ++i) {
                search.device.push_back(&process.facts[facts->second[i]]);
            }
            continue;
        }
        search.stream_known = search.stream_known || knows_task || process.of_stream.count(*query.stream_id) != 0;
        const std::size_t before = gathered.at_the_time.size();
        for (const logs::DeviceFilter device : logs::devices_of_task(process, key)) {
            search_uses(process, device, logs::uses_of_task(process, key, device), query, times_in(process), map,
                        gathered);
        }
        const bool answers = gathered.at_the_time.size() != before;
        gathered.rank(process, answers                                               ? 3
                               : knows_task                                          ? 2
                               : process.last_time_us != 0 && !process.facts.empty() ? 0
                                                                                     : -1);
    }
    const bool at_the_time = !gathered.at_the_time.empty();
    search.matches = std::move(at_the_time ? gathered.at_the_time : gathered.without_time);
    if (search.matches.empty()) {
        search.diagnostics = std::move(gathered.reasons);
    }
    if (gathered.speaks_best != nullptr) {
        remark_time(times_in(*gathered.speaks_best), span_of(*gathered.speaks_best), query, search.diagnostics);
    }
    return search;
}

}  // namespace opdebug::locate_stage
