#include "locate/device_lines.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <string_view>
#include <unordered_set>
#include <utility>

#include "locate/operator_lines.hpp"
#include "locate/reasons.hpp"
#include "locate/report_lines.hpp"
#include "logs/facts/time_gap.hpp"
#include "logs/lookup/map_index.hpp"
#include "remarks/diagnose.hpp"

namespace opdebug::locate_stage {
namespace {

using logs::StoredFact;

/// The device tells of a dump right before it writes it.
constexpr std::uint64_t kOnDumpUs = 20'000;
/// A device writes the table of a model at once, and may name several operators for one task in it.
constexpr std::int64_t kOneTableUs = 1'000'000;

using Context = std::pair<std::optional<std::uint64_t>, std::optional<std::uint64_t>>;

Context context_of(const StoredFact& fact) {
    return {fact.fact.context_id, fact.fact.thread_id};
}

bool names_operator(const StoredFact& fact) {
    return fact.fact.kind == logs::FactKind::operator_of_task;
}

/// The possible times of the dump in each device log; none where they cannot be compared, for the log had ended.
class Times {
public:
    Times(const Dump& dump, const TaskQuery& query, const TaskMap::Contents& map, const LocateOptions& options)
        : dump_(dump), query_(query), map_(map), options_(options) {}

    const std::vector<std::int64_t>& in(const logs::Process& process) {
        const auto [known, is_new] = times_.try_emplace(&process);
        if (is_new && process.last_time_us != 0) {
            for (const LocalTime& time : times_in(process, dump_, query_, map_, options_)) {
                if (!time.unrelated && !logs::is_gap(process.last_time_us, time.time_us, kBehindLogUs)) {
                    known->second.push_back(time.time_us);
                }
            }
        }
        return known->second;
    }

    bool is_near(const DeviceFact& said, std::uint64_t within_us) {
        const std::vector<std::int64_t>& times = in(*said.process);
        return std::any_of(times.begin(), times.end(), [&](std::int64_t time_us) {
            return logs::distance_us(said.fact->time_us, time_us) <= within_us;
        });
    }

private:
    const Dump& dump_;
    const TaskQuery& query_;
    const TaskMap::Contents& map_;
    const LocateOptions& options_;
    std::map<const logs::Process*, std::vector<std::int64_t>> times_{};
};

/// The device reports a failure at once; later the ids mean another task.
bool is_of_other_failure(const DeviceFact& said, Times& times) {
    return names_operator(*said.fact) && statement_of(said.fact->fact) == Statement::failure &&
           !times.is_near(said, kFailureNearUs);
}

/// By when the device may have told of the use, in its own clock: from a little before its first line to the dump, and
/// not of another use in between.
bool is_in_binding(const DeviceFact& said, const TaskMatch& match, Times& times) {
    const std::vector<std::int64_t>& possible = times.in(*said.process);
    const std::int64_t us = said.fact->time_us;
    if (possible.empty() || !match.time_us) {
        return true;  // no clock tells more
    }
    return std::any_of(possible.begin(), possible.end(), [&](std::int64_t time_us) {
        // The use's begin by the device's clock.
        const std::int64_t begin_us = match.use.span.begin - *match.time_us + time_us - match.offset.highest_us;
        return us <= time_us + kOneTableUs && us + kOneTableUs >= begin_us;
    });
}

}  // namespace

DeviceLines lines_on_dump(const std::vector<DeviceFact>& device, const Dump& dump, const TaskQuery& query,
                          const TaskMap::Contents& map, const LocateOptions& options) {
    Times times(dump, query, map, options);
    DeviceLines lines;
    for (const DeviceFact& said : device) {
        const bool is_on_dump = said.fact->fact.format_id.starts_with("device.start_dump_op");
        const bool is_of_device = !dump.path_ids.device_id || said.process->device_id == dump.path_ids.device_id;
        if (is_on_dump && is_of_device && names_operator(*said.fact) && times.is_near(said, kOnDumpUs)) {
            lines.push_back(said.fact);
        }
    }
    return lines;
}

DeviceLines lines_on_use(const std::vector<DeviceFact>& device, const TaskMatch& match, const Dump& dump,
                         const TaskQuery& query, const TaskMap::Contents& map, const LocateOptions& options) {
    Times times(dump, query, map, options);
    std::map<Context, std::int64_t> last;
    std::vector<DeviceFact> chosen;
    for (const DeviceFact& said : device) {
        if (!fits(said, match) || is_of_other_failure(said, times)) {
            continue;
        }
        const bool is_near = times.is_near(said, kOneTableUs);
        if (is_near || (match.use.persistent && is_in_binding(said, match, times))) {
            chosen.push_back(said);
            std::int64_t& latest = last.try_emplace(context_of(*said.fact), said.fact->time_us).first->second;
            latest = std::max(latest, said.fact->time_us);
        }
    }
    // Another table since, with another name, is of another use.
    std::set<std::string_view> names;
    for (const DeviceFact& said : chosen) {
        if (!logs::is_gap(said.fact->time_us, last.at(context_of(*said.fact)), kOneTableUs)) {
            names.insert(said.fact->fact.operator_name);
        }
    }
    DeviceLines lines;
    for (const DeviceFact& said : chosen) {
        if (!names_operator(*said.fact) || names.contains(said.fact->fact.operator_name)) {
            lines.push_back(said.fact);
        }
    }
    return lines;
}

DeviceLines lines_alone(const std::vector<DeviceFact>& device, const Dump& dump, const TaskQuery& query,
                        const TaskMap::Contents& map, const LocateOptions& options) {
    Times times(dump, query, map, options);
    const auto is_by_then = [&times](const DeviceFact& said) {
        const std::vector<std::int64_t>& possible = times.in(*said.process);
        return possible.empty() || std::any_of(possible.begin(), possible.end(), [&said](std::int64_t time_us) {
                   return said.fact->time_us <= time_us + kOneTableUs;
               });
    };
    std::map<Context, std::int64_t> last;
    for (const DeviceFact& said : device) {
        if (names_operator(*said.fact) && is_by_then(said)) {
            std::int64_t& latest = last.try_emplace(context_of(*said.fact), said.fact->time_us).first->second;
            latest = std::max(latest, said.fact->time_us);
        }
    }
    std::set<std::string_view> names;  // with all their lines, which are proof
    for (const DeviceFact& said : device) {
        const bool is_comparable = !times.in(*said.process).empty();
        if (names_operator(*said.fact) && is_by_then(said) && !is_of_other_failure(said, times) &&
            (!is_comparable || !logs::is_gap(said.fact->time_us, last.at(context_of(*said.fact)), kOneTableUs))) {
            names.insert(said.fact->fact.operator_name);
        }
    }
    DeviceLines lines;
    for (const DeviceFact& said : device) {
        const bool holds =
            names_operator(*said.fact) ? names.contains(said.fact->fact.operator_name) : is_by_then(said);
        if (holds && !is_of_other_failure(said, times)) {
            lines.push_back(said.fact);
        }
    }
    return lines;
}

void drop_lines_of_past_models(const TaskMatch& place, std::uint64_t stream_id, const TaskMap::Contents& map,
                               DeviceLines& lines) {
    const auto names_model = [](const StoredFact* fact) { return !fact->fact.model_name.empty(); };
    if (!place.time_us || std::none_of(lines.begin(), lines.end(), names_model)) {
        return;
    }
    std::set<std::string_view> past, at_the_time;
    const auto history = map.index().history(*place.process, stream_id, place.device);
    for (const logs::WindowHistory& window : *history) {
        for (const logs::ModelBinding& binding : window.bindings) {
            auto& names = binding.span.end <= *place.time_us ? past : at_the_time;
            names.insert(binding.bound_by->fact.model_name);
        }
    }
    lines.erase(std::remove_if(lines.begin(), lines.end(),
                               [&](const StoredFact* fact) {
                                   const std::string_view name = fact->fact.model_name;
                                   return !name.empty() && past.contains(name) && !at_the_time.contains(name);
                               }),
                lines.end());
}

void explain_later_lines(const std::vector<DeviceFact>& device, const Dump& dump, const TaskQuery& query,
                         const TaskMap::Contents& map, const LocateOptions& options,
                         std::vector<Diagnostic>& diagnostics) {
    if (device.empty()) {
        return;
    }
    const auto first = std::min_element(device.begin(), device.end(), [](const DeviceFact& a, const DeviceFact& b) {
        return a.fact->time_us < b.fact->time_us;
    });
    Times times(dump, query, map, options);
    const std::vector<std::int64_t>& possible = times.in(*first->process);
    const auto is_later = [&first](std::int64_t time_us) { return first->fact->time_us > time_us + kOneTableUs; };
    if (possible.empty() || !std::all_of(possible.begin(), possible.end(), is_later)) {
        return;
    }
    const logs::LogPlace& place = first->fact->place;
    diagnostics.push_back(remarks::diagnose("task_set_up_later.device", {{"pid", first->process->pid},
                                                                         {"stream", *query.stream_id},
                                                                         {"task", *query.task_id},
                                                                         {"first", show_time(first->fact->time_us)},
                                                                         {"file", map.files[place.file]},
                                                                         {"line", place.line},
                                                                         {"time", show_time(possible.front())}}));
}

void remark_ended_device_log(const std::vector<DeviceFact>& device, const DeviceLines& names, const Dump& dump,
                             const TaskQuery& query, const TaskMap::Contents& map, const LocateOptions& options,
                             std::vector<Diagnostic>& diagnostics) {
    const auto earliest_us = earliest_local_time(query.timestamp_us, std::nullopt, LocateOptions());
    if (!earliest_us) {
        return;
    }
    const std::unordered_set<const logs::StoredFact*> naming(names.begin(), names.end());
    const logs::Process* last = nullptr;  // of those that name it, the one whose log ends last
    for (const DeviceFact& said : device) {
        if (naming.count(said.fact) == 0) {
            continue;
        }
        if (said.fact->from_saved_map) {
            return;  // it ends where the map was made
        }
        last = last == nullptr || said.process->last_time_us > last->last_time_us ? said.process : last;
    }
    if (last == nullptr || last->last_time_us == 0 || !logs::is_gap(last->last_time_us, *earliest_us, kSilentUs)) {
        return;
    }
    const std::vector<LocalTime> times = times_in(*last, dump, query, map, options);
    if (times.empty() || times.front().unrelated) {
        return;  // told by "time_outside_logs"
    }
    diagnostics.push_back(remarks::diagnose("log_ended.device", {{"pid", last->pid},
                                                                 {"end", show_time(last->last_time_us)},
                                                                 {"time", show_time(times.front().time_us)},
                                                                 {"task", *query.task_id}}));
}

std::vector<const logs::Process*> hosts_of(const logs::Process& device_log, const TaskMap::Contents& map) {
    std::vector<const logs::Process*> hosts;
    const std::int64_t pid = device_log.host_pid.value_or(-1);
    auto host = std::lower_bound(map.processes.begin(), map.processes.end(), pid,
                                 [](const logs::Process& process, std::int64_t id) { return process.pid < id; });
    for (; host != map.processes.end() && host->pid == pid; ++host) {
        if (!host->on_device && host->root == device_log.root) {
            hosts.push_back(&*host);
        }
    }
    return hosts;
}

}  // namespace opdebug::locate_stage
