#include "locate/device_lines.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "locate/device_log_host.hpp"
#include "locate/failure_lines.hpp"
#include "locate/reasons.hpp"
#include "locate/statement_order.hpp"
#include "logs/facts/time_gap.hpp"
#include "logs/lookup/map_index.hpp"

namespace opdebug::locate_stage {
namespace {

using logs::is_gap;
using logs::StoredFact;

/// A device writes the table of a model at once, and may name several operators for one task in it.
constexpr std::int64_t kOneTableUs = 1'000'000;

using Context = std::pair<std::optional<std::uint64_t>, std::optional<std::uint64_t>>;

Context context_of(const StoredFact& fact) {
    return {fact.fact.context_id, fact.fact.thread_id};
}

bool names_operator(const StoredFact& fact) {
    return fact.fact.kind == logs::FactKind::operator_of_task;
}

struct Line {
    const StoredFact* fact = nullptr;
    bool is_comparable = false;  ///< the dump's time lies in what its log covers
    bool is_by_then = false;     ///< names an operator, not later than the dump
    bool is_later = false;       ///< by more than clocks differ: no proof of what ran before
    bool is_covered = false;     ///< that log goes on at the time of the dump
    bool is_over = false;        ///< of a run that ended before the one began whose log covers the dump's time,
                                 ///< or a failure at another time
};

/// The time of the dump in the clock of a log.
struct DumpTime {
    std::int64_t likely_us = 0;
    std::int64_t latest_us = 0;  ///< by all zones that its device may be in
    std::vector<std::int64_t> possible_us;
};

/// Device logs may be in another zone than those of the host: the time of the dump is that in their own.
std::optional<DumpTime> time_in(const logs::Process& process, const Dump& dump, const TaskQuery& query,
                                const TaskMap::Contents& map, const LocateOptions& options, DeviceZone zone) {
    const std::vector<LocalTime> times = times_in(process, dump, query, map, options);
    if (times.empty() || times.front().unrelated || process.last_time_us == 0 ||
        is_gap(process.last_time_us, times.front().time_us, kBehindLogUs)) {
        return std::nullopt;
    }
    DumpTime time{times.front().time_us, times.front().time_us, {}};
    for (const LocalTime& possible : times) {
        time.possible_us.push_back(possible.time_us);
        time.latest_us = std::max(time.latest_us, possible.time_us);
    }
    if (zone == DeviceZone::any) {
        time.latest_us = latest_local_time(query.timestamp_us).value_or(time.latest_us);
    }
    return time;
}

/// The same bound as for the lines of hosts.
bool is_too_late(const DumpTime& time, const StoredFact& fact) {
    return is_gap(time.latest_us, fact.time_us, kLargeClockSkewUs + 1);
}

/// The device reports a failure at once; later the ids mean another task.
bool is_of_other_failure(const std::optional<DumpTime>& time, const StoredFact& fact) {
    const auto is_near = [&fact](std::int64_t time_us) {
        return logs::distance_us(fact.time_us, time_us) <= kFailureNearUs;
    };
    return names_operator(fact) && statement_of(fact.fact) == Statement::failure &&
           !(time && std::any_of(time->possible_us.begin(), time->possible_us.end(), is_near));
}

/// Whether their hosts' logs show two processes that ran beside each other, as in two containers with one log folder.
bool have_hosts_at_once(const logs::Process& device_log, const logs::Process& later, const TaskMap::Contents& map) {
    const auto with_times = [&map](const logs::Process& log) {
        const std::vector<const logs::Process*> hosts = hosts_of(log, map);
        const auto host = std::find_if(hosts.begin(), hosts.end(),
                                       [](const logs::Process* process) { return process->last_time_us != 0; });
        return host != hosts.end() ? *host : nullptr;
    };
    const logs::Process* const host = with_times(device_log);
    const logs::Process* const of_later = with_times(later);
    return host != nullptr && of_later != nullptr && host != of_later && of_later->first_time_us <= host->last_time_us;
}

/// Logs of one device that lie together have one clock: one that ended before another began, which covers the dump's
/// time, is of an earlier run. Where nothing says whose device they are, they may be of two.
void mark_earlier_runs(const std::vector<DeviceFact>& device, const TaskMap::Contents& map, std::vector<Line>& lines) {
    std::set<const logs::Process*> of_the_time;
    for (std::size_t place = 0; place < lines.size(); ++place) {
        if (lines[place].is_covered) {
            of_the_time.insert(device[place].process);
        }
    }
    for (std::size_t place = 0; place < lines.size(); ++place) {
        const logs::Process& process = *device[place].process;
        const bool is_of_earlier_run =
            !lines[place].is_comparable && process.last_time_us != 0 &&
            std::any_of(of_the_time.begin(), of_the_time.end(), [&](const auto* later) {
                return process.device_id && later->device_id == process.device_id && later->root == process.root &&
                       later->first_time_us > process.last_time_us && !have_hosts_at_once(process, *later, map);
            });
        lines[place].is_over = lines[place].is_over || is_of_earlier_run;
    }
}

std::vector<Line> lines_by_clock(const std::vector<DeviceFact>& device, const Dump& dump, const TaskQuery& query,
                                 const TaskMap::Contents& map, const LocateOptions& options, DeviceZone zone) {
    std::vector<Line> lines;
    lines.reserve(device.size());
    const logs::Process* process = nullptr;
    std::optional<DumpTime> time;
    for (const DeviceFact& said : device) {
        if (process != said.process) {  // those of one stand together
            process = said.process;
            time = time_in(*process, dump, query, map, options, zone);
        }
        const bool is_by_then =
            time && names_operator(*said.fact) && !is_gap(time->likely_us, said.fact->time_us, kOneTableUs);
        const bool is_covered = time && !is_gap(time->likely_us, process->first_time_us, kClockSkewUs);
        lines.push_back({said.fact, time.has_value(), is_by_then, time && is_too_late(*time, *said.fact), is_covered,
                         is_of_other_failure(time, *said.fact)});
    }
    mark_earlier_runs(device, map, lines);
    return lines;
}

}  // namespace

void drop_lines_of_past_models(const TaskMatch& match, std::uint64_t stream_id, const TaskMap::Contents& map,
                               std::vector<const StoredFact*>& device) {
    const auto names_model = [](const StoredFact* fact) { return !fact->fact.model_name.empty(); };
    if (!match.time_us || std::none_of(device.begin(), device.end(), names_model)) {
        return;
    }
    std::set<std::string_view> past, at_the_time;
    const auto history = map.index().history(*match.process, stream_id, match.device);
    for (const logs::WindowHistory& window : *history) {
        for (const logs::ModelBinding& binding : window.bindings) {
            // A match may be of a binding just behind the time, by clocks that differ.
            auto& names = binding.span.end <= *match.time_us ? past : at_the_time;
            names.insert(binding.bound_by->fact.model_name);
        }
    }
    device.erase(std::remove_if(device.begin(), device.end(),
                                [&](const StoredFact* fact) {
                                    const std::string_view name = fact->fact.model_name;
                                    return !name.empty() && past.contains(name) && !at_the_time.contains(name);
                                }),
                 device.end());
}

std::vector<const StoredFact*> lines_that_hold(const std::vector<DeviceFact>& device, const Dump& dump,
                                               const TaskQuery& query, const TaskMap::Contents& map,
                                               const LocateOptions& options, DeviceZone zone) {
    const std::vector<Line> lines = lines_by_clock(device, dump, query, map, options, zone);
    std::map<Context, std::int64_t> last;
    for (const Line& line : lines) {
        if (line.is_by_then) {
            const auto [known, is_new] = last.try_emplace(context_of(*line.fact), line.fact->time_us);
            known->second = is_new ? known->second : std::max(known->second, line.fact->time_us);
        }
    }
    std::set<std::string_view> in_time;  // with all their lines, which are proof
    for (const Line& line : lines) {
        if (!names_operator(*line.fact) || line.is_over) {
            continue;
        }
        const auto known = last.find(context_of(*line.fact));
        const bool is_last = line.is_by_then && !is_gap(line.fact->time_us, known->second, kOneTableUs);
        if (known == last.end() || !line.is_comparable ? !line.is_later : is_last) {
            in_time.insert(line.fact->fact.operator_name);
        }
    }
    std::vector<const StoredFact*> holding;
    for (const Line& line : lines) {
        if (!line.is_over &&
            (names_operator(*line.fact) ? in_time.contains(line.fact->fact.operator_name) : !line.is_later)) {
            holding.push_back(line.fact);
        }
    }
    return holding;
}

void explain_later_lines(const std::vector<DeviceFact>& device, const Dump& dump, const TaskQuery& query,
                         const TaskMap::Contents& map, const LocateOptions& options,
                         std::vector<Diagnostic>& diagnostics) {
    const std::vector<Line> lines = lines_by_clock(device, dump, query, map, options, DeviceZone::any);
    const auto latest_us = latest_local_time(query.timestamp_us);
    if (!latest_us || lines.empty() ||
        !std::all_of(lines.begin(), lines.end(), [](const Line& line) { return line.is_later; })) {
        return;
    }
    const auto first = std::min_element(device.begin(), device.end(), [](const DeviceFact& a, const DeviceFact& b) {
        return a.fact->time_us < b.fact->time_us;
    });
    const logs::LogPlace& place = first->fact->place;
    diagnostics.push_back(
        {Severity::warning, "task_set_up_later",
         fmt::format("device log of process {}: stream {} task {} is first mentioned at {} ({}:{}), after the overflow "
                     "in every zone (at {} at the latest): earlier files are missing, or it is the log of another run",
                     first->process->pid, *query.stream_id, *query.task_id, show_time(first->fact->time_us),
                     map.files[place.file], place.line, show_time(*latest_us))});
}

}  // namespace opdebug::locate_stage
