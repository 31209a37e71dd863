#include "locate/earlier_runs.hpp"

#include <algorithm>
#include <optional>

#include <fmt/format.h>

#include "locate/match_fit.hpp"
#include "locate/reasons.hpp"
#include "locate/stream_state.hpp"

namespace opdebug::locate_stage {
namespace {

using logs::Process;

/// A silent process may still run: training at the default log level says nothing for hours. So a log that ended proves
/// nothing by itself.
bool ended_long_before(const TaskMatch& match) {
    const std::int64_t last = match.process->last_time_us;
    return match.time_us && last != 0 && *match.time_us - kBehindLogUs > last;
}

/// The ranks of one run begin together: what begins after another's last line is no rank beside it.
bool began_since(const Process& later, const TaskMatch& match, const std::optional<std::int64_t>& time_us) {
    return time_us && later.first_time_us > match.process->last_time_us &&
           later.first_time_us <= *time_us + kClockSkewUs;
}

bool may_be_one_device(const logs::DeviceFilter& a, const logs::DeviceFilter& b) {
    return !a || !b || a == b;
}

/// Another match, no worse than this one, of a process that began since.
const Process* run_that_matches(const TaskMatch& match, const std::vector<TaskMatch>& matches, const Dump& dump,
                                const TaskQuery& query) {
    const auto later = std::find_if(matches.begin(), matches.end(), [&](const TaskMatch& other) {
        return began_since(*other.process, match, other.time_us) && may_be_one_device(other.device, match.device) &&
               fit_of(other, query, dump) >= fit_of(match, query, dump);
    });
    return later != matches.end() ? later->process : nullptr;
}

/// A process that began since and has the stream, though not the task. Of one container or host, two processes have no
/// stream of a device at the same time (inferred: the driver gives out the ids of a device).
const Process* run_with_stream(const TaskMatch& match, const std::vector<StreamState>& states, const TaskQuery& query) {
    const auto later = std::find_if(states.begin(), states.end(), [&](const StreamState& state) {
        const TaskMatch& place = state.place;
        const bool is_device = place.device && place.device == match.device;
        const bool is_model = query.model_id && !place.use.bindings.empty() &&
                              place.use.bindings.front().model_id == *query.model_id &&
                              may_be_one_device(place.device, match.device);
        return !state.is_closed && began_since(*place.process, match, place.time_us) && (is_device || is_model) &&
               place.process->root == match.process->root;
    });
    return later != states.end() ? later->place.process : nullptr;
}

Diagnostic told(const TaskMatch& match, const Process& later, const TaskQuery& query) {
    return {Severity::warning, "earlier_run",
            fmt::format("process {} names stream {} task {}, but its log ends at {}, before process {} began at {}, "
                        "which has the stream at the time of the overflow, {} (the log's local time): taken for an "
                        "earlier run, whose lines do not count",
                        match.process->pid, *query.stream_id, *query.task_id, show_time(match.process->last_time_us),
                        later.pid, show_time(later.first_time_us), show_time(*match.time_us))};
}

}  // namespace

void take_out_earlier_runs(TaskSearch& search, const TaskMap::Contents& map, const Dump& dump, const TaskQuery& query,
                           const LocateOptions& options) {
    if (std::none_of(search.matches.begin(), search.matches.end(), ended_long_before)) {
        return;
    }
    const std::vector<StreamState> states = stream_states(map, dump, query, options);
    std::vector<TaskMatch> remaining;
    for (TaskMatch& match : search.matches) {
        const Process* later = nullptr;
        if (ended_long_before(match)) {
            later = run_that_matches(match, search.matches, dump, query);
            later = later != nullptr ? later : run_with_stream(match, states, query);
        }
        if (later == nullptr || later->root != match.process->root) {
            match.is_of_earlier_run = later != nullptr;
            remaining.push_back(match);
        } else if (search.earlier_runs.empty() || search.earlier_runs.back() != match.process) {
            search.earlier_runs.push_back(match.process);
            search.diagnostics.push_back(told(match, *later, query));
        }
    }
    search.matches = std::move(remaining);
}

}  // namespace opdebug::locate_stage
