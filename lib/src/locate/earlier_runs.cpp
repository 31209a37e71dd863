#include "locate/earlier_runs.hpp"

#include <algorithm>
#include <optional>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "locate/device_log_host.hpp"
#include "locate/later_run.hpp"
#include "locate/reasons.hpp"
#include "locate/stream_state.hpp"
#include "logs/lookup/map_index.hpp"
#include "logs/lookup/visible_devices.hpp"

namespace opdebug::locate_stage {
namespace {

using logs::Process;

/// Each process once, in the order in which their logs end.
std::vector<EarlierRun> each_once(std::vector<EarlierRun> runs) {
    std::stable_sort(runs.begin(), runs.end(), [](const EarlierRun& a, const EarlierRun& b) {
        return std::pair(a.process->last_time_us, a.process) < std::pair(b.process->last_time_us, b.process);
    });
    const auto is_one = [](const EarlierRun& a, const EarlierRun& b) { return a.process == b.process; };
    runs.erase(std::unique(runs.begin(), runs.end(), is_one), runs.end());
    return runs;
}

/// What is said of one earlier run, and of several.
struct RunTexts {
    std::string it_knows, they_know;
    const char* verdict = "";
    const char* verdict_on_several = "";
};

/// The last ones are told: who looks for the run of the dump looks there first.
constexpr std::size_t kRunsTold = 3;

Diagnostic told(const std::vector<EarlierRun>& of_matches, const RunTexts& texts) {
    const std::vector<EarlierRun> runs = each_once(of_matches);
    const auto ends = [](const EarlierRun& run, const char* whose) {
        return fmt::format("process {}{} log ends at {}, before process {} began at {}", run.process->pid, whose,
                           show_time(run.process->last_time_us), run.later->pid, show_time(run.later->first_time_us));
    };
    const std::string then = show_time(runs.back().time_us) + " (the log's local time)";
    if (runs.size() == 1) {
        return {Severity::warning, "earlier_run",
                fmt::format("{}, which has the stream at the time of the overflow, {}: {}",
                            ends(runs.front(), (" " + texts.it_knows + ", but its").c_str()), then, texts.verdict)};
    }
    std::string last;
    for (std::size_t run = runs.size() - std::min(runs.size(), kRunsTold); run < runs.size(); ++run) {
        last += (last.empty() ? "" : "; ") + ends(runs[run], ", whose");
    }
    return {Severity::warning, "earlier_run",
            fmt::format("{} processes {}, but the log of each ends before another process began that has the stream at "
                        "the time of the overflow, {}: {}; {}: {}",
                        runs.size(), texts.they_know, then, texts.verdict_on_several,
                        runs.size() > kRunsTold ? "the last of them" : "these are", last)};
}

/// Of those that stood among the matches: the ones that others outdid, which are no candidates.
void drop_unheard(TaskSearch& search) {
    auto& runs = search.perhaps_earlier_runs;
    runs.erase(std::remove_if(runs.begin(), runs.end(),
                              [&search](const EarlierRun& run) {
                                  return std::none_of(
                                      search.matches.begin(), search.matches.end(),
                                      [&run](const TaskMatch& match) { return match.process == run.process; });
                              }),
               runs.end());
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
    search.perhaps_earlier_runs.clear();
    for (const TaskMatch& match : search.matches) {
        LaterRun later;
        if (may_be_over(match, map)) {
            later = run_that_matches(match, search.matches, map, dump, query);
            if (later.place == nullptr && is_silent(match)) {
                if (!states) {
                    states = stream_states(map, dump, query, options);
                }
                later = run_with_stream(match, *states, map, dump, query);
            }
        }
        const bool is_later = later.place != nullptr;
        const bool is_over = is_later && is_sure(match, later);
        if (is_later) {
            (is_over ? search.earlier_runs : search.perhaps_earlier_runs)
                .push_back({match.process, later.place->process, later.time_us});
        }
        if (!is_over) {
            remaining.push_back(match);
            remaining.back().is_of_earlier_run = is_later;
        }
    }
    search.matches = std::move(remaining);
}

void remark_earlier_runs(TaskSearch& search, const TaskQuery& query) {
    if (search.earlier_runs.empty() && search.perhaps_earlier_runs.empty()) {
        return;  // nearly always, and the texts cost 4 % of a search
    }
    drop_unheard(search);
    const std::string ids = fmt::format("stream {} task {}", *query.stream_id, *query.task_id);
    RunTexts texts{"names " + ids, "name " + ids, "perhaps it was an earlier run, whose lines do not count",
                   "perhaps they were earlier runs, whose lines do not count"};
    if (!search.perhaps_earlier_runs.empty()) {
        search.diagnostics.push_back(told(search.perhaps_earlier_runs, texts));
    }
    texts.verdict = "taken for an earlier run, whose lines do not count";
    texts.verdict_on_several = "taken for earlier runs, whose lines do not count";
    if (!search.earlier_runs.empty()) {
        search.diagnostics.push_back(told(search.earlier_runs, texts));
    }
}

void take_out_earlier_states(std::vector<StreamState>& states, std::vector<DeviceFact>& device,
                             const TaskMap::Contents& map, const Dump& dump, const TaskQuery& query,
                             std::vector<Diagnostic>& diagnostics) {
    std::vector<EarlierRun> over;
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
            const auto time_us = time_began_since(other.place, place, map, dump, query);
            return has_stream && time_us && is_sure(place, {&other.place, *time_us}) &&
                   (is_silent(place) || !only_here_is_records_model(place, other.place, query)) &&
                   !run_at_once(*place.process, *other.place.process, device);
        });
        if (later != states.end()) {
            over.push_back({place.process, later->place.process, *place.time_us});
        }
    }
    if (over.empty()) {
        return;
    }
    const std::string had = fmt::format("had stream {}", *query.stream_id);
    diagnostics.push_back(
        told(over, {had, had, "taken for an earlier run, whose lines do not count, nor those of its device log",
                    "taken for earlier runs, whose lines do not count, nor those of their device logs"}));
    const auto is_over = [&over](const auto& is_of) {
        return std::any_of(over.begin(), over.end(), [&is_of](const EarlierRun& run) { return is_of(*run.process); });
    };
    const auto is_said_of_one = [&is_over](const DeviceFact& said) {
        return is_over([&said](const Process& process) { return is_device_log_of(*said.process, process); });
    };
    const auto is_of_one = [&is_over](const StreamState& state) {
        return is_over([&state](const Process& process) { return state.place.process == &process; });
    };
    device.erase(std::remove_if(device.begin(), device.end(), is_said_of_one), device.end());
    states.erase(std::remove_if(states.begin(), states.end(), is_of_one), states.end());
}

}  // namespace opdebug::locate_stage
