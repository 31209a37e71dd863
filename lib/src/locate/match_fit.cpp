#include "locate/match_fit.hpp"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <utility>

#include "locate/clock.hpp"
#include "locate/dump_folder.hpp"
#include "locate/later_run.hpp"
#include "logs/lookup/map_index.hpp"
#include "logs/lookup/visible_devices.hpp"

namespace opdebug::locate_stage {
namespace {

constexpr int kOfModel = 4;
constexpr int kOfDevice = 2;
constexpr int kInProcessOfDevice = 1;

/// Ranks may have equal ids, models and device numbers. Who says that it writes into the dump's folder counts more than
/// who says so of other folders only. Of one who says nothing the line may be lost.
void keep_writers_of_folder(std::vector<TaskMatch>& matches, const Dump& dump) {
    const auto writes_into_it = [&dump](const TaskMatch& match) { return writes_into_folder(*match.process, dump); };
    if (std::any_of(matches.begin(), matches.end(), writes_into_it)) {
        matches.erase(
            std::remove_if(matches.begin(), matches.end(),
                           [&dump](const TaskMatch& match) { return writes_into_other_folders(*match.process, dump); }),
            matches.end());
    }
}

bool goes_on_at_dump(const TaskMatch& match) {
    return match.time_us && covers(span_of(*match.process), *match.time_us);
}

/// That a process logged when the folder was made shows little: ranks of all hosts do. Two of these together make it
/// the maker of a dump that the other one might have written: it says so, its log goes on at the time of the dump, both
/// are of one container or host.
bool is_surely_maker(const TaskMatch& match, const TaskMatch& other, const Dump& dump) {
    const int reasons = (writes_into_folder(*match.process, dump) ? 1 : 0) + (goes_on_at_dump(match) ? 1 : 0) +
                        (match.process->root == other.process->root ? 1 : 0);
    return may_have_made_folder(*match.process, dump) && reasons > 1;
}

enum class LaterRunIs : std::uint8_t { none, possible, sure };

/// Of a match whose log begins behind the folder: whether it began since one logged that may have made it. A rank
/// beside that one, whose older lines were rotated away, is no later run: it logs while that one does.
LaterRunIs later_run_is(const TaskMatch& match, const std::vector<TaskMatch>& matches, const Dump& dump) {
    LaterRunIs result = LaterRunIs::none;
    for (const TaskMatch& other : matches) {
        if (other.is_of_earlier_run || !logged_near_folder(*other.process, dump) ||
            match.process->first_time_us <= other.process->last_time_us) {
            continue;
        }
        if (is_surely_maker(other, match, dump)) {
            return LaterRunIs::sure;
        }
        result = LaterRunIs::possible;
    }
    return result;
}

/// Takes out those of which that is sure, and marks others. Never all: who may have made the folder stays.
void drop_later_runs(std::vector<TaskMatch>& matches, const TaskMap::Contents& map, const TaskQuery& query,
                     const Dump& dump) {
    if (std::none_of(matches.begin(), matches.end(),
                     [&dump](const TaskMatch& match) { return begins_behind_folder(*match.process, dump); })) {
        return;  // nearly always; copies of matches are not for nothing
    }
    std::vector<TaskMatch> remaining;
    for (const TaskMatch& match : matches) {
        const LaterRunIs later =
            is_against_folder(match, map, dump, query) ? later_run_is(match, matches, dump) : LaterRunIs::none;
        if (later != LaterRunIs::sure) {
            remaining.push_back(match);
            remaining.back().is_doubtful = later == LaterRunIs::possible;
        }
    }
    matches = std::move(remaining);
}

/// A zone for which there is a reason, and in which the log of its process goes on at the time of the dump, is better
/// than one that is only inferred from the log of another process; but not than that of the process that may have made
/// the dump's folder, if the other one did not.
void mark_doubtful_zones(std::vector<TaskMatch>& matches, const Dump& dump) {
    const auto is_sure = [](const TaskMatch& match) { return !match.is_zone_inferred && goes_on_at_dump(match); };
    for (TaskMatch& match : matches) {
        match.is_doubtful =
            match.is_doubtful ||
            (match.is_zone_inferred && std::any_of(matches.begin(), matches.end(), [&](const TaskMatch& other) {
                 return other.process != match.process && is_sure(other) &&
                        (may_have_made_folder(*other.process, dump) || !may_have_made_folder(*match.process, dump));
             }));
    }
}

bool works_on_device(logs::DeviceFilter number, const logs::Process& process, const TaskMap::Contents& map,
                     std::optional<std::int64_t> time_us) {
    const std::vector<std::uint64_t>& devices = map.index().own_devices(process);
    return std::any_of(devices.begin(), devices.end(),
                       [&](std::uint64_t device) { return logs::is_seen_as(process, device, number, time_us); });
}

int fit_of_device(const TaskMatch& match, const TaskMap::Contents& map, logs::DeviceFilter number) {
    const auto time_us = time_in_run(match);
    if (match.device) {
        return logs::is_seen_as(*match.process, match.device, number, time_us) ? kOfDevice : 0;
    }
    return works_on_device(number, *match.process, map, time_us) ? kInProcessOfDevice : 0;
}

}  // namespace

bool works_on_device_of(const Dump& dump, const logs::Process& process, const TaskMap::Contents& map,
                        std::optional<std::int64_t> time_us) {
    return works_on_device(dump.path_ids.device_id, process, map, time_us);
}

int device_fit_of(const TaskMatch& match, const TaskMap::Contents& map, const Dump& dump) {
    return fit_of_device(match, map, dump.path_ids.device_id);
}

int name_device_fit_of(const TaskMatch& match, const TaskMap::Contents& map, const Dump& dump) {
    const bool is_told = dump.name && dump.name->device_id && !dump.path_ids.device_id;
    return is_told ? fit_of_device(match, map, dump.name->device_id) : 0;
}

int fit_of(const TaskMatch& match, const TaskMap::Contents& map, const TaskQuery& query, const Dump& dump) {
    const std::vector<logs::ModelBinding>& bindings = match.use.bindings;
    const bool is_of_model =
        query.model_id && std::any_of(bindings.begin(), bindings.end(), [&query](const logs::ModelBinding& binding) {
            return binding.model_id == *query.model_id;
        });
    return (is_of_model ? kOfModel : 0) + device_fit_of(match, map, dump);
}

bool may_fit_as_well(const TaskMatch& other, const TaskMatch& match, const TaskMap::Contents& map,
                     const TaskQuery& query, const Dump& dump) {
    const bool names_device = other.device || !map.index().own_devices(*other.process).empty();
    return fit_of(other, map, query, dump) + (names_device ? 0 : kOfDevice) >= fit_of(match, map, query, dump);
}

int most_fit_in(const logs::Process& process, const TaskMap::Contents& map, const TaskQuery& query, const Dump& dump) {
    const std::vector<std::uint64_t>& devices = map.index().devices(process);
    const auto is_dumps = [&](std::uint64_t device) {
        return logs::is_seen_as(process, device, dump.path_ids.device_id);
    };
    const bool names_device = std::any_of(devices.begin(), devices.end(), is_dumps);
    return (query.model_id && map.index().may_bind_streams(process) ? kOfModel : 0) + (names_device ? kOfDevice : 0);
}

int best_fit_of(const std::vector<TaskMatch>& matches, const TaskMap::Contents& map, const TaskQuery& query,
                const Dump& dump) {
    int best = 0;
    for (const TaskMatch& match : matches) {
        best = std::max(best, fit_of(match, map, query, dump));
    }
    return best;
}

void keep_best_matches(std::vector<TaskMatch>& matches, const TaskMap::Contents& map, const TaskQuery& query,
                       const Dump& dump) {
    const bool are_all_earlier =
        std::all_of(matches.begin(), matches.end(), [](const TaskMatch& match) { return match.is_of_earlier_run; });
    int best = 0;
    for (const TaskMatch& match : matches) {
        best = are_all_earlier || !match.is_of_earlier_run ? std::max(best, fit_of(match, map, query, dump)) : best;
    }
    matches.erase(std::remove_if(matches.begin(), matches.end(),
                                 [&](const TaskMatch& match) { return fit_of(match, map, query, dump) < best; }),
                  matches.end());
    if (matches.size() > 1) {
        keep_writers_of_folder(matches, dump);
        drop_later_runs(matches, map, query, dump);
        mark_doubtful_zones(matches, dump);
    }
}

}  // namespace opdebug::locate_stage
