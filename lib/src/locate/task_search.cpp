#include "locate/task_search.hpp"

#include <algorithm>
#include <iterator>
#include <set>
#include <utility>

#include "locate/device_log_host.hpp"
#include "locate/earlier_runs.hpp"
#include "locate/match_fit.hpp"
#include "locate/other_devices.hpp"
#include "locate/overflow_lines.hpp"
#include "locate/reasons.hpp"
#include "logs/lookup/map_index.hpp"
#include "logs/lookup/visible_devices.hpp"
#include "logs/processes/device_of_lines.hpp"

namespace opdebug::locate_stage {
namespace {

using logs::Process;
using logs::StoredFact;
using logs::TaskUse;

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

/// A task of a model that is set up soon after the time, by clocks that may differ: the only use of the ids that is
/// known.
const TaskUse* only_use_after(const std::vector<TaskUse>& uses, std::int64_t time) {
    const bool is_it = uses.size() == 1 && uses.front().persistent && uses.front().span.begin > time &&
                       uses.front().span.begin - time <= kLargeClockSkewUs && time < uses.front().window.span.end;
    return is_it ? &uses.front() : nullptr;
}

/// A process that knows the ids, but has no use of them at the time.
struct Unanswered {
    const Process* process = nullptr;
    std::vector<TaskUse> uses;
    std::int64_t time_us = 0;
};

/// What the search gathers on its way.
struct Gathered {
    std::vector<TaskMatch> at_the_time;
    std::vector<TaskMatch> soon_after;    ///< too late for an answer beside others
    std::vector<TaskMatch> without_time;  ///< the dump has no time, or one that the log's clock cannot be compared with
    std::vector<Unanswered> unanswered;
    const Process* speaks_best = nullptr;  ///< whose clock is told: one with an answer, else one that knows the ids
    std::optional<std::vector<LocalTime>> times_of_best;  ///< where they were asked for
    int best_rank = -1;

    void rank(const Process& process, int points, std::optional<std::vector<LocalTime>> times = {}) {
        if (points > best_rank) {
            best_rank = points;
            speaks_best = &process;
            times_of_best = std::move(times);
        }
    }

    /// Of the matches that remain, the first one: a better one may have come since.
    void let_speak(const std::vector<TaskMatch>& best) {
        const auto answers = std::find_if(best.begin(), best.end(), [](const TaskMatch& match) {
            return !match.is_of_earlier_run && !match.is_doubtful;
        });
        if (answers != best.end() && answers->process != speaks_best) {
            speaks_best = answers->process;
            times_of_best.reset();
        }
    }
};

void add_match(TaskMatch match, std::vector<TaskMatch>& matches) {
    const bool is_known = std::any_of(matches.begin(), matches.end(), [&](const TaskMatch& known) {
        return known.process == match.process && known.device == match.device && known.number == match.number &&
               known.use.span.begin == match.use.span.begin;
    });
    if (!is_known) {
        matches.push_back(std::move(match));
    }
}

/// Adds the use at a time. When its lines may speak of another device's stream, the use before may go on: the last one
/// of each thread counts, back to one whose device is sure.
void add_uses(TaskMatch match, const std::vector<TaskUse>& uses, const TaskUse* at_time,
              std::vector<TaskMatch>& matches) {
    std::set<std::int64_t> threads;
    for (const TaskUse* use = at_time;; --use) {
        match.possible_devices = logs::possible_devices(*match.process, use->facts);
        if (use->facts.empty() || threads.insert(use->facts.front()->tid).second) {
            match.use = *use;
            add_match(match, matches);
        }
        if (match.possible_devices.empty() || use->persistent || use == &uses.front() ||
            (use - 1)->window.span.begin != at_time->window.span.begin) {
            return;
        }
    }
}

/// The uses of one process, device and kind of id at each possible time.
void search_uses(const TaskMatch& place, const std::vector<TaskUse>& uses, const std::vector<LocalTime>& times,
                 Gathered& gathered) {
    TaskMatch match = place;
    if (times.empty() || times.front().unrelated) {
        // Without a comparable time only tasks of a model can be told; single executions change too often for that.
        for (const TaskUse& use : uses) {
            if (use.persistent || times.empty()) {
                match.use = use;
                match.possible_devices = logs::possible_devices(*match.process, use.facts);
                add_match(match, gathered.without_time);
            }
        }
        return;
    }
    for (const LocalTime& time : times) {
        match.is_zone_inferred = time.is_inferred;
        if (const TaskUse* use = use_at(uses, time.time_us, span_of(*place.process).end)) {
            match.time_us = time.time_us;
            add_uses(match, uses, use, gathered.at_the_time);
        } else if (const TaskUse* later = only_use_after(uses, time.time_us)) {
            match.time_us = time.time_us;
            add_uses(match, uses, later, gathered.soon_after);
        }
    }
}

void search_process(const Process& process, const logs::TaskKey& key, const Dump& dump,
                    const std::vector<LocalTime>& times, const TaskMap::Contents& map, Gathered& gathered) {
    for (const logs::DeviceFilter device : devices_to_search(process, key, dump)) {
        std::vector<TaskUse> uses =
            telling_uses(logs::uses_of_task(process, key, device, *map.index().history(process, key.first, device)));
        if (const std::optional<TaskNumber> only = only_number_of(uses)) {
            search_uses({&process, device, {}, *only, {}}, uses, times, gathered);
        } else {
            for (const TaskNumber number :
                 {TaskNumber::confirmed, TaskNumber::from_serial_number, TaskNumber::unconfirmed}) {
                search_uses({&process, device, {}, number, {}}, uses_by(number, uses), times, gathered);
            }
        }
        const bool is_comparable = !times.empty() && !times.front().unrelated;
        if (is_comparable && gathered.at_the_time.empty()) {
            gathered.unanswered.push_back({&process, std::move(uses), times.front().time_us});
        }
    }
}

/// Whether the log of a device can be about the dump's. Which of the two numbers its folder has where the host process
/// numbers devices itself is not known: both are taken.
bool may_be_of_device(const Process& device_log, logs::DeviceFilter of_dump, const TaskMap::Contents& map) {
    if (!device_log.device_id || !of_dump || device_log.device_id == of_dump) {
        return true;
    }
    const std::vector<const Process*> hosts = hosts_of(device_log, map);
    return std::any_of(hosts.begin(), hosts.end(), [&](const Process* host) {
        return logs::renumbering_of(*host, device_log.device_id, of_dump) != nullptr;
    });
}

void add_device_facts(const Process& process, logs::Places facts, logs::DeviceFilter of_dump,
                      const TaskMap::Contents& map, TaskSearch& search) {
    if (!may_be_of_device(process, of_dump, map)) {
        search.other_device = process.device_id;
        return;
    }
    for (const std::uint32_t fact : facts) {
        search.device.push_back({&process, &process.facts[fact]});
    }
}

/// The processes that know the ids, in their order. Those of a job use the same ids at the same time, and one fits the
/// dump's device: once there is an answer, processes of other devices wait, and are searched only where one could be as
/// good as the best. With eight ranks that is two processes for a record instead of five to eight.
void search_processes(const TaskMap::Contents& map, const Dump& dump, const TaskQuery& query,
                      const LocateOptions& options, Gathered& gathered, TaskSearch& search) {
    const logs::TaskKey key{*query.stream_id, *query.task_id};
    const auto search_host = [&](const Process& process) {
        const std::size_t before = gathered.at_the_time.size();
        std::vector<LocalTime> times = times_in(process, dump, query, map, options);
        search_process(process, key, dump, times, map, gathered);
        gathered.rank(process, gathered.at_the_time.size() != before ? 3 : 2, std::move(times));
    };
    int best = 0;
    std::vector<const Process*> waiting;
    for (const std::uint32_t number : map.index().processes(logs::About::task, key.first, key.second)) {
        const Process& process = map.processes[number];
        if (was_over(process, search)) {
            continue;
        }
        if (process.on_device) {
            gathered.rank(process, 1);
            add_device_facts(process, process.of_task.of(key), dump.path_ids.device_id, map, search);
        } else if (gathered.at_the_time.empty() || most_fit_in(process, map, query, dump) > best) {
            search_host(process);
            best = best_fit_of(gathered.at_the_time, map, query, dump);
        } else {
            waiting.push_back(&process);
        }
    }
    const std::size_t in_order = gathered.at_the_time.size();
    const bool may_be_of_another_run = std::any_of(gathered.at_the_time.begin(), gathered.at_the_time.end(),
                                                   [&map](const auto& match) { return may_be_over(match, map); });
    for (const Process* process : waiting) {
        // A later run whose lines name no device may have the dump's.
        const bool may_be_later_run = may_be_of_another_run && map.index().own_devices(*process).empty();
        if (may_be_later_run || most_fit_in(*process, map, query, dump) >= best) {
            search_host(*process);
        }
    }
    if (gathered.at_the_time.size() != in_order) {
        std::stable_sort(gathered.at_the_time.begin(), gathered.at_the_time.end(),
                         [](const TaskMatch& a, const TaskMatch& b) { return a.process < b.process; });
    }
}

}  // namespace

std::optional<std::int64_t> time_in_run(const TaskMatch& match) noexcept {
    return match.use.facts.empty() ? match.time_us : match.use.facts.front()->time_us;
}

bool was_over(const Process& process, const TaskSearch& search) noexcept {
    return std::any_of(search.earlier_runs.begin(), search.earlier_runs.end(),
                       [&process](const EarlierRun& run) { return run.process == &process; });
}

std::vector<logs::DeviceFilter> devices_to_search(const Process& process, const logs::TaskKey& key, const Dump& dump) {
    std::vector<logs::DeviceFilter> devices = logs::devices_of_task(process, key);
    const auto is_other = [&](const logs::DeviceFilter& device) {
        return !logs::is_seen_as(process, device, dump.path_ids.device_id);
    };
    if (!std::all_of(devices.begin(), devices.end(), is_other)) {
        devices.erase(std::remove_if(devices.begin(), devices.end(), is_other), devices.end());
    }
    return devices;
}

logs::Span span_of(const Process& process) {
    return process.last_time_us == 0 ? logs::Span{} : logs::Span{process.first_time_us, process.last_time_us};
}

std::vector<LocalTime> times_in(const Process& process, const Dump& dump, const TaskQuery& query,
                                const TaskMap::Contents& map, const LocateOptions& options) {
    std::vector<LocalTime> times = local_times_of(query.timestamp_us, dump.path_ids.time, span_of(process), options);
    prefer_reported_time(process, dump, query, map, times);
    return times;
}

Evidence evidence_of(const StoredFact& fact, const logs::LogPlace& place, const TaskMap::Contents& map) {
    EvidenceKind kind = EvidenceKind::ge_log;
    switch (place.log.value_or(fact.fact.log)) {
        case logs::LogKind::ge_log: kind = EvidenceKind::ge_log; break;
        case logs::LogKind::runtime_log: kind = EvidenceKind::runtime_log; break;
        case logs::LogKind::device_log: kind = EvidenceKind::device_log; break;
    }
    kind = fact.from_saved_map ? EvidenceKind::task_map : kind;
    // Lines are counted from 1; a saved map that somebody else made may say 0.
    const std::optional<std::uint64_t> line = place.line != 0 ? std::optional(place.line) : std::nullopt;
    return {kind, map.files[place.file], line, place.text};
}

Evidence evidence_of(const StoredFact& fact, const TaskMap::Contents& map) {
    return evidence_of(fact, fact.place, map);
}

bool fits(const DeviceFact& said, const TaskMatch& match) {
    const Process& process = *said.process;
    const bool is_other_device = process.device_id && match.device && process.device_id != match.device &&
                                 !logs::is_seen_as(*match.process, match.device, process.device_id, time_in_run(match));
    return !is_other_device && !(process.host_pid && process.host_pid != match.process->pid);
}

TaskSearch search_task(const TaskMap::Contents& map, const Dump& dump, const TaskQuery& query,
                       const LocateOptions& options) {
    TaskSearch search;
    Gathered gathered;
    // Where a run that was over fitted best, others were not searched: again without it.
    for (std::size_t over = 0, before = 1; over != before;) {
        before = over;
        gathered = Gathered();
        search.device.clear();
        search.diagnostics.clear();
        search_processes(map, dump, query, options, gathered, search);
        search.matches = std::move(!gathered.at_the_time.empty()  ? gathered.at_the_time
                                   : !gathered.soon_after.empty() ? gathered.soon_after
                                                                  : gathered.without_time);
        take_out_earlier_runs(search, map, dump, query, options);
        over = search.earlier_runs.size();
    }
    if (const Process* other = map.index().first_with_statements()) {
        gathered.rank(*other, 0);  // knows the ids or not: none that knows them comes behind
    }
    keep_best_matches(search.matches, map, query, dump);
    gathered.let_speak(search.matches);
    remark_earlier_runs(search, query);
    if (search.matches.empty()) {  // of a job's processes nearly all know other uses of the ids, and nobody asks why
        for (const Unanswered& known : gathered.unanswered) {
            explain_no_use(*known.process, known.uses, query, known.time_us, map, search.diagnostics);
        }
    }
    take_out_other_devices(search, map, dump, query, options);
    if (gathered.speaks_best != nullptr) {
        remark_time(gathered.times_of_best ? *std::move(gathered.times_of_best)
                                           : times_in(*gathered.speaks_best, dump, query, map, options),
                    span_of(*gathered.speaks_best), query, search.diagnostics);
    }
    return search;
}

}  // namespace opdebug::locate_stage
