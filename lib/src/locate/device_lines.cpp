#include <algorithm>
#include <functional>
#include <iterator>
#include <map>
#include <set>
#include <string_view>
#include <tuple>

#include "locate/answers.hpp"
#include "locate/candidates.hpp"
#include "locate/operator_lines.hpp"
#include "logs/facts/task_map.hpp"
#include "logs/lookup/devices.hpp"
#include "remarks/diagnose.hpp"

namespace opdebug::locate_stage {
namespace {

using logs::Process;
using logs::StoredFact;

/// The device reports a dump right before it writes the dump.
constexpr std::uint64_t kOnDumpUs = 20'000;
/// A device writes the table of a model at once, and may name several operators for one task in it.
constexpr std::int64_t kOneTableUs = 1'000'000;

bool names_operator(const StoredFact& fact) {
    return fact.fact.kind == logs::FactKind::operator_of_task;
}

auto context_of(const DeviceFact& said) {
    return std::tuple(said.process, said.fact->fact.context_id, said.fact->fact.thread_id);
}

/// The possible times of the dump in each device log; none where they cannot be compared, for the log had ended.
class Times {
public:
    explicit Times(const Lookup& lookup) : lookup_(lookup) {}

    const std::vector<std::int64_t>& in(const Process& process) {
        const auto [known, is_new] = times_.try_emplace(&process);
        if (is_new && process.last_time_us != 0) {
            for (const LocalTime& time : times_in(process, lookup_)) {
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

    /// Before the dump or a little later; or no clock shows it.
    bool is_by_then(const DeviceFact& said) {
        const std::vector<std::int64_t>& times = in(*said.process);
        return times.empty() || std::any_of(times.begin(), times.end(), [&said](std::int64_t time_us) {
                   return said.fact->time_us <= time_us + kOneTableUs;
               });
    }

    /// The same, and not before the use's first line by the device's clock.
    bool is_in_use(const DeviceFact& said, const Candidate& candidate) {
        const std::vector<std::int64_t>& times = in(*said.process);
        return times.empty() || !candidate.time_us ||
               std::any_of(times.begin(), times.end(), [&](std::int64_t time_us) {
                   const std::int64_t begin_us = std::max<std::int64_t>(candidate.use.span.begin, 0) -
                                                 *candidate.time_us + time_us - candidate.offset.highest_us;
                   return said.fact->time_us <= time_us + kOneTableUs && said.fact->time_us + kOneTableUs >= begin_us;
               });
    }

    /// The device reports a failure at once; later the ids mean another task.
    bool is_of_other_failure(const DeviceFact& said) {
        return names_operator(*said.fact) && statement_of(said.fact->fact) == Statement::failure &&
               !is_near(said, kFailureNearUs);
    }

private:
    const Lookup& lookup_;
    std::map<const Process*, std::vector<std::int64_t>> times_{};
};

/// The lines that name the operators of the last table of each context in each log: an earlier table with another name
/// is of another use. Logs whose clock cannot be compared are kept complete.
DeviceLines latest(const std::vector<DeviceFact>& lines, Times& times) {
    std::map<decltype(context_of({})), std::int64_t> last;
    for (const DeviceFact& said : lines) {
        if (names_operator(*said.fact)) {
            std::int64_t& latest = last.try_emplace(context_of(said), said.fact->time_us).first->second;
            latest = std::max(latest, said.fact->time_us);
        }
    }
    std::set<std::string_view> names;  // with all their lines, which are evidence
    for (const DeviceFact& said : lines) {
        if (names_operator(*said.fact) && (times.in(*said.process).empty() ||
                                           !logs::is_gap(said.fact->time_us, last.at(context_of(said)), kOneTableUs))) {
            names.insert(said.fact->fact.operator_name);
        }
    }
    DeviceLines chosen;
    for (const DeviceFact& said : lines) {
        if (!names_operator(*said.fact) || names.contains(said.fact->fact.operator_name)) {
            chosen.push_back(said.fact);
        }
    }
    return chosen;
}

/// The dump's device, as folders of device logs have it if that is known.
logs::DeviceFilter device_number(const Lookup& lookup) {
    return lookup.options.driver_device ? lookup.options.driver_device : lookup.dump.path_ids.device_id;
}

/// Whether the log of a device can be about the dump's device. Where the host process numbers devices itself, it is not
/// known which of the two numbers the folder has: both are accepted. A log without a number is of a device of its host
/// process.
bool may_be_of_device(const Process& device_log, const Lookup& lookup) {
    const logs::DeviceFilter of_dump = device_number(lookup);
    if (!of_dump || device_log.device_id == of_dump) {
        return true;
    }
    const std::vector<const Process*> hosts = hosts_of(device_log, lookup);
    if (!device_log.device_id) {
        return hosts.empty() || std::any_of(hosts.begin(), hosts.end(), [&](const Process* host) {
                   return fit_of_device(*host, std::nullopt, lookup, std::nullopt) < Agreement::doubtful;
               });
    }
    return std::any_of(hosts.begin(), hosts.end(), [&](const Process* host) {
        return logs::renumbering_of(*host, device_log.device_id, of_dump) != nullptr;
    });
}

}  // namespace

bool fits(const DeviceFact& said, const Candidate& candidate) {
    const Process& process = *said.process;
    const bool is_other_device =
        process.device_id && candidate.device && process.device_id != candidate.device &&
        !logs::is_seen_as(*candidate.process, candidate.device, process.device_id, time_in_run(candidate));
    // Process ids are given by hosts: a device's log belongs to the process of its own host.
    const bool is_other_process =
        process.host_pid && (process.host_pid != candidate.process->pid || process.root != candidate.process->root);
    return !is_other_device && !is_other_process;
}

void add_device_facts(const Process& process, const Lookup& lookup, TaskSearch& search) {
    if (fit_of_host(process, lookup) == Agreement::contradicts) {
        return;
    }
    if (!may_be_of_device(process, lookup)) {
        search.other_device = process.device_id;
        return;
    }
    for (const std::uint32_t fact : process.of_task.of(lookup.key())) {
        search.device.push_back({&process, &process.facts[fact]});
    }
}

DeviceLines lines_on_dump(const std::vector<DeviceFact>& device, const Lookup& lookup) {
    Times times(lookup);
    DeviceLines lines;
    const logs::DeviceFilter of_dump = device_number(lookup);
    for (const DeviceFact& said : device) {
        const bool is_on_dump = said.fact->fact.format_id.starts_with("device.start_dump_op");
        const bool is_of_device = !of_dump || said.process->device_id == of_dump;
        if (is_on_dump && is_of_device && names_operator(*said.fact) && times.is_near(said, kOnDumpUs)) {
            lines.push_back(said.fact);
        }
    }
    return lines;
}

DeviceLines lines_on_use(const std::vector<DeviceFact>& device, const Candidate& candidate, const Lookup& lookup) {
    Times times(lookup);
    const bool may_be_of_model = candidate.use.persistent || candidate.use.facts.empty();
    std::vector<DeviceFact> lines;
    for (const DeviceFact& said : device) {
        const bool is_at_the_time =
            times.is_near(said, kOneTableUs) || (may_be_of_model && times.is_in_use(said, candidate));
        if (is_at_the_time && fits(said, candidate) && !times.is_of_other_failure(said)) {
            lines.push_back(said);
        }
    }
    return latest(lines, times);
}

namespace {

/// Keeps only the logs that name an operator within a second of the dump, if there are such; returns whether.
bool prefer_logs_of_dump(Times& times, std::vector<DeviceFact>& device) {
    std::set<const Process*> near;
    for (const DeviceFact& said : device) {
        if (names_operator(*said.fact) && times.is_near(said, kOneTableUs)) {
            near.insert(said.process);
        }
    }
    std::erase_if(device, [&near](const DeviceFact& said) { return !near.empty() && !near.contains(said.process); });
    return !near.empty();
}

/// The log of a device that names the operator ended more than half an hour before the dump, in every zone.
void remark_ended_log(const std::vector<DeviceFact>& device, const DeviceLines& names, const Lookup& lookup,
                      Diagnostics& diagnostics) {
    const Process* last = nullptr;  // of those that name it, the one whose log ends last
    for (const DeviceFact& said : device) {
        if (std::find(names.begin(), names.end(), said.fact) != names.end()) {
            if (said.fact->from_saved_map) {
                return;  // it ends where the map was made
            }
            last = last == nullptr || said.process->last_time_us > last->last_time_us ? said.process : last;
        }
    }
    const auto time_us = last != nullptr ? time_in(*last, lookup) : std::nullopt;
    if (time_us && last->last_time_us != 0 && logs::is_gap(last->last_time_us, *time_us, kSilentUs)) {
        lookup.remark(diagnostics, "log_ended.device",
                      {{"pid", last->pid}, {"end", show_time(last->last_time_us)}, {"time", show_time(*time_us)}});
    }
}

}  // namespace

void find_in_device_logs(const TaskSearch& search, const Lookup& lookup, RecordResult& result) {
    Times times(lookup);
    std::vector<DeviceFact> device = search.device;
    for (const std::vector<Candidate>& hosts : {std::cref(search.candidates), std::cref(search.without_use)}) {
        std::erase_if(device, [&hosts](const DeviceFact& said) {
            return std::any_of(hosts.begin(), hosts.end(),
                               [&said](const Candidate& candidate) { return fits(said, candidate); });
        });
    }
    // A table that the device wrote long before may be of an earlier model, whose end the hosts' lines do not show.
    result.is_use_inferred = !prefer_logs_of_dump(times, device) && !lookup.index().host_processes().empty();
    std::vector<DeviceFact> possible;
    std::copy_if(device.begin(), device.end(), std::back_inserter(possible), [&times](const DeviceFact& said) {
        return times.is_by_then(said) && !times.is_of_other_failure(said);
    });
    const DeviceLines lines = latest(possible, times);
    result.operators = operators_of_device(lines, lookup, result.diagnostics);
    if (!result.operators.empty()) {
        const OperatorAnswer& best = result.operators.front();
        remark_ended_log(device, lines, lookup, result.diagnostics);
        result.model.reset();
        add_model_of_device(lines, &best, lookup, result.model);
        drop_contradicted(lookup, result.model);
        if (names_other_model(lookup.dump, result.model)) {
            remark_model_folder(nullptr, &best, lines, lookup, result.diagnostics);
        }
    }
    if (lines.empty() && search.other_device) {
        lookup.remark(result.diagnostics, "device_differs.other_log",
                      {{"folder_device", *lookup.dump.path_ids.device_id}, {"log_device", *search.other_device}});
    }
}

std::vector<const Process*> hosts_of(const Process& device_log, const Lookup& lookup) {
    std::vector<const Process*> hosts;
    const std::int64_t pid = device_log.host_pid.value_or(-1);
    const auto& processes = lookup.map.processes;
    auto host = std::lower_bound(processes.begin(), processes.end(), pid,
                                 [](const Process& process, std::int64_t id) { return process.pid < id; });
    for (; host != processes.end() && host->pid == pid; ++host) {
        if (!host->on_device && host->root == device_log.root) {
            hosts.push_back(&*host);
        }
    }
    return hosts;
}

}  // namespace opdebug::locate_stage
