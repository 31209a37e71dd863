#include "locate/earlier_runs.hpp"

#include <algorithm>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "locate/device_log_host.hpp"
#include "locate/match_fit.hpp"
#include "locate/reasons.hpp"
#include "locate/stream_state.hpp"
#include "logs/lookup/map_index.hpp"
#include "logs/lookup/visible_devices.hpp"

namespace opdebug::locate_stage {
namespace {

using logs::Process;

/// Whether its log ended so long before that a later process need not have the task by then.
bool is_silent(const TaskMatch& match) {
    return *match.time_us - kBehindLogUs > match.process->last_time_us;
}

/// The ranks of one run begin together: what begins after another's last line is no rank beside it.
bool began_since(const Process& later, const TaskMatch& match, const std::optional<std::int64_t>& time_us) {
    return time_us && later.first_time_us > match.process->last_time_us &&
           later.first_time_us <= *time_us + kClockSkewUs;
}

bool may_be_one_device(const logs::DeviceFilter& a, const logs::DeviceFilter& b) {
    return !a || !b || a == b;
}

/// Another match, no worse than this one, of a process that began since; null: none. A run that was killed may be
/// followed by the next one within seconds, and by then it has the task itself.
const TaskMatch* run_that_matches(const TaskMatch& match, const std::vector<TaskMatch>& matches,
                                  const TaskMap::Contents& map, const Dump& dump, const TaskQuery& query) {
    const auto later = std::find_if(matches.begin(), matches.end(), [&](const TaskMatch& other) {
        return began_since(*other.process, match, other.time_us) && may_be_one_device(other.device, match.device) &&
               (is_silent(match) || other.use.span.begin <= *other.time_us) &&
               may_fit_as_well(other, match, map, query, dump);
    });
    return later != matches.end() ? &*later : nullptr;
}

/// A process of the same container or host that began since and has the stream, though not the task; null: none.
const TaskMatch* run_with_stream(const TaskMatch& match, const std::vector<StreamState>& states,
                                 const TaskQuery& query) {
    const auto later = std::find_if(states.begin(), states.end(), [&](const StreamState& state) {
        const TaskMatch& place = state.place;
        const bool is_device = place.device && place.device == match.device;
        const bool is_model = query.model_id && !place.use.bindings.empty() &&
                              place.use.bindings.front().model_id == *query.model_id &&
                              may_be_one_device(place.device, match.device);
        return !state.is_closed && began_since(*place.process, match, place.time_us) && (is_device || is_model) &&
               place.process->root == match.process->root;
    });
    return later != states.end() ? &later->place : nullptr;
}

/// On one device of one container or host a stream is one process's at a time (inferred: the driver gives out its ids).
/// Else the later process may be a rank beside this one, whose older files were rotated away.
bool is_sure(const TaskMatch& match, const TaskMatch& later) {
    return match.device && match.device == later.device && match.process->root == later.process->root;
}

Diagnostic told(const TaskMatch& match, const TaskMatch& later, const TaskQuery& query) {
    return {
        Severity::warning, "earlier_run",
        fmt::format("process {} names stream {} task {}, but its log ends at {}, before process {} began at {}, which "
                    "has the stream at the time of the overflow, {} (the log's local time): {}",
                    match.process->pid, *query.stream_id, *query.task_id, show_time(match.process->last_time_us),
                    later.process->pid, show_time(later.process->first_time_us), show_time(*match.time_us),
                    is_sure(match, later) ? "taken for an earlier run, whose lines do not count"
                                          : "perhaps it was an earlier run, whose lines do not count")};
}

/// Whether device logs that name the task show that both processes ran at once: that of this one, whose host's log
/// ended, goes on when the later one's began.
bool run_at_once(const Process& process, const Process& later, const std::vector<DeviceFact>& device) {
    return std::any_of(device.begin(), device.end(), [&](const DeviceFact& said) {
        const std::int64_t last_us = said.process->last_time_us;
        return is_device_log_of(*said.process, process) &&
               std::any_of(device.begin(), device.end(), [&](const DeviceFact& other) {
                   return is_device_log_of(*other.process, later) && other.process->first_time_us <= last_us;
               });
    });
}

/// The record's model is bound in this process, and another one in the later process.
bool only_here_is_records_model(const TaskMatch& match, const TaskMatch& later, const TaskQuery& query) {
    const auto is_records = [&query](const logs::ModelBinding& binding) { return binding.model_id == *query.model_id; };
    const auto& here = match.use.bindings;
    const auto& there = later.use.bindings;
    return query.model_id && std::any_of(here.begin(), here.end(), is_records) && !there.empty() &&
           std::none_of(there.begin(), there.end(), is_records);
}

}  // namespace

/// A silent process may still run, for training at the default log level says nothing for hours: so a log that ended
/// proves nothing where no process began since.
bool may_be_over(const TaskMatch& match, const TaskMap::Contents& map) {
    const std::int64_t last = match.process->last_time_us;
    return match.time_us && last != 0 && *match.time_us > last &&
           map.index().last_begin_until(*match.time_us + kClockSkewUs) > last;
}

void take_out_earlier_runs(TaskSearch& search, const TaskMap::Contents& map, const Dump& dump, const TaskQuery& query,
                           const LocateOptions& options) {
    if (std::none_of(search.matches.begin(), search.matches.end(),
                     [&map](const TaskMatch& match) { return may_be_over(match, map); })) {
        return;  // nearly always; copies of matches are not for nothing
    }
    std::optional<std::vector<StreamState>> states;  // of all processes with the stream: only where nothing else tells
    std::vector<TaskMatch> remaining;
    const Process* told_of = nullptr;
    for (const TaskMatch& match : search.matches) {
        const TaskMatch* later = nullptr;
        if (may_be_over(match, map)) {
            later = run_that_matches(match, search.matches, map, dump, query);
            if (later == nullptr && is_silent(match)) {
                if (!states) {
                    states = stream_states(map, dump, query, options);
                }
                later = run_with_stream(match, *states, query);
            }
        }
        if (later == nullptr || !is_sure(match, *later)) {
            remaining.push_back(match);
            remaining.back().is_of_earlier_run = later != nullptr;
        } else {
            search.earlier_runs.push_back(match.process);
        }
        if (later != nullptr && std::exchange(told_of, match.process) != match.process) {
            (is_sure(match, *later) ? search.on_earlier_runs : search.diagnostics)
                .push_back(told(match, *later, query));
        }
    }
    search.matches = std::move(remaining);
}

void take_out_earlier_states(std::vector<StreamState>& states, std::vector<DeviceFact>& device, const Dump& dump,
                             const TaskQuery& query, std::vector<Diagnostic>& diagnostics) {
    std::vector<const Process*> over;
    for (const StreamState& state : states) {
        const TaskMatch& place = state.place;
        if (!place.time_us || place.process->last_time_us == 0 || *place.time_us <= place.process->last_time_us) {
            continue;
        }
        if (dump.path_ids.device_id &&
            !logs::is_seen_as(*place.process, place.device, dump.path_ids.device_id, place.time_us)) {
            continue;  // a job has many processes, and those of other devices fit worse
        }
        const auto later = std::find_if(states.begin(), states.end(), [&](const StreamState& other) {
            const bool has_stream = !other.is_closed && other.place.use.window.opened_by != nullptr;
            return has_stream && began_since(*other.place.process, place, other.place.time_us) &&
                   is_sure(place, other.place) &&
                   (is_silent(place) || !only_here_is_records_model(place, other.place, query)) &&
                   !run_at_once(*place.process, *other.place.process, device);
        });
        if (later == states.end()) {
            continue;
        }
        over.push_back(place.process);
        diagnostics.push_back(
            {Severity::warning, "earlier_run",
             fmt::format("process {} had stream {}, but its log ends at {}, before process {} began at {}, which has "
                         "the stream at the time of the overflow, {} (the log's local time): taken for an earlier "
                         "run, whose lines do not count, nor those of its device log",
                         place.process->pid, *query.stream_id, show_time(place.process->last_time_us),
                         later->place.process->pid, show_time(later->place.process->first_time_us),
                         show_time(*place.time_us))});
    }
    const auto is_over = [&over](const Process* process) {
        return std::find(over.begin(), over.end(), process) != over.end();
    };
    device.erase(std::remove_if(device.begin(), device.end(),
                                [&over](const DeviceFact& said) {
                                    return std::any_of(over.begin(), over.end(), [&said](const Process* process) {
                                        return is_device_log_of(*said.process, *process);
                                    });
                                }),
                 device.end());
    states.erase(std::remove_if(states.begin(), states.end(),
                                [&is_over](const StreamState& state) { return is_over(state.place.process); }),
                 states.end());
}

}  // namespace opdebug::locate_stage
