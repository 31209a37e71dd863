#include "locate/later_run.hpp"

#include <algorithm>

#include "locate/dump_folder.hpp"
#include "locate/match_fit.hpp"
#include "locate/overflow_lines.hpp"

namespace opdebug::locate_stage {
namespace {

using logs::Process;

/// The ranks of one run begin together: what begins after another's last line is no rank beside it.
bool began_between(const Process& later, const TaskMatch& match, const std::optional<std::int64_t>& time_us) {
    return time_us && later.first_time_us > match.process->last_time_us &&
           later.first_time_us <= *time_us + kClockSkewUs;
}

bool may_be_one_device(const logs::DeviceFilter& a, const logs::DeviceFilter& b) {
    return !a || !b || a == b;
}

const TaskMatch& place_of(const TaskMatch& match) {
    return match;
}

const TaskMatch& place_of(const StreamState& state) {
    return state.place;
}

/// The first of the processes that began since; in front of it one that did by the match's own time.
template <typename Places, typename IsIt>
LaterRun first_since(const Places& places, const TaskMatch& match, const TaskMap::Contents& map, const Dump& dump,
                     const TaskQuery& query, IsIt is_it) {
    LaterRun first;
    for (const auto& place : places) {
        const TaskMatch& later = place_of(place);
        const auto time_us = time_began_since(later, match, map, dump, query);
        if (!time_us || (first.place != nullptr && *time_us != *match.time_us) || !is_it(place)) {
            continue;
        }
        first = {&later, *time_us};
        if (*time_us == *match.time_us) {
            break;
        }
    }
    return first;
}

}  // namespace

bool is_silent(const TaskMatch& match) {
    return *match.time_us - kBehindLogUs > match.process->last_time_us;
}

bool is_against_folder(const TaskMatch& later, const TaskMap::Contents& map, const Dump& dump, const TaskQuery& query) {
    return begins_behind_folder(*later.process, dump) && overflow_report(later, query, map) == nullptr;
}

std::optional<std::int64_t> time_began_since(const TaskMatch& later, const TaskMatch& match,
                                             const TaskMap::Contents& map, const Dump& dump, const TaskQuery& query) {
    if (!began_between(*later.process, match, later.time_us)) {
        return std::nullopt;
    }
    const bool is_by_own_zone = !began_between(*later.process, match, match.time_us);
    const bool may_be_makers =
        is_by_own_zone ? logged_near_folder(*match.process, dump)
                       : may_have_made_folder(*match.process, dump) &&
                             (writes_into_folder(*match.process, dump) || match.process->root == later.process->root);
    if (may_be_makers && is_against_folder(later, map, dump, query)) {
        return std::nullopt;
    }
    if (!is_by_own_zone) {
        return match.time_us;
    }
    return !dump.path_ids.time && later.is_zone_inferred ? std::nullopt : later.time_us;
}

LaterRun run_that_matches(const TaskMatch& match, const std::vector<TaskMatch>& matches, const TaskMap::Contents& map,
                          const Dump& dump, const TaskQuery& query) {
    return first_since(matches, match, map, dump, query, [&](const TaskMatch& other) {
        return may_be_one_device(other.device, match.device) &&
               (is_silent(match) || other.use.span.begin <= *other.time_us) &&
               may_fit_as_well(other, match, map, query, dump);
    });
}

LaterRun run_with_stream(const TaskMatch& match, const std::vector<StreamState>& states, const TaskMap::Contents& map,
                         const Dump& dump, const TaskQuery& query) {
    return first_since(states, match, map, dump, query, [&](const StreamState& state) {
        const TaskMatch& place = state.place;
        const bool is_device = place.device && place.device == match.device;
        const bool is_model = query.model_id && !place.use.bindings.empty() &&
                              place.use.bindings.front().model_id == *query.model_id &&
                              may_be_one_device(place.device, match.device);
        return !state.is_closed && (is_device || is_model) && place.process->root == match.process->root;
    });
}

bool is_sure(const TaskMatch& match, const LaterRun& later) {
    return later.time_us == *match.time_us && match.device && match.device == later.place->device &&
           match.process->root == later.place->process->root;
}

}  // namespace opdebug::locate_stage
