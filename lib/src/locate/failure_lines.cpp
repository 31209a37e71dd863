#include "locate/failure_lines.hpp"

#include <algorithm>
#include <cstdint>

#include <fmt/format.h>

#include "locate/statement_order.hpp"
#include "locate/task_search.hpp"
#include "logs/facts/time_gap.hpp"
#include "logs/lookup/map_index.hpp"
#include "logs/lookup/visible_devices.hpp"

namespace opdebug::locate_stage {
namespace {

using logs::FactKind;
using logs::Process;
using logs::StoredFact;

/// The failure is told when the host next looks at the stream.
constexpr std::uint64_t kNearUs = 10'000'000;

bool reports_failure(const logs::Fact& fact) {
    return fact.kind == FactKind::fault_kernel || fact.kind == FactKind::task_fault ||
           (fact.kind == FactKind::operator_of_task && statement_of(fact) == Statement::failure);
}

/// Ranks use the same ids at the same time. A line without a device is of one of those that its process works on.
bool may_be_of_device(const Process& process, const StoredFact& stored, logs::DeviceFilter of_dump,
                      const TaskMap::Contents& map) {
    const auto is_it = [&](std::uint64_t device) { return logs::is_seen_as(process, device, of_dump); };
    if (!of_dump) {
        return true;
    }
    if (stored.fact.device_id) {
        return is_it(*stored.fact.device_id);
    }
    const std::vector<std::uint64_t>& devices = map.index().own_devices(process);
    return devices.empty() || std::any_of(devices.begin(), devices.end(), is_it);
}

}  // namespace

void remark_failure(const std::vector<const StoredFact*>& facts, std::optional<std::int64_t> time_us,
                    const TaskMap::Contents& map, std::vector<Diagnostic>& diagnostics) {
    const auto failure = std::find_if(facts.begin(), facts.end(), [time_us](const StoredFact* stored) {
        const bool is_far = stored->fact.kind == FactKind::task_fault && time_us &&
                            logs::distance_us(stored->time_us, *time_us) > kNearUs;
        return reports_failure(stored->fact) && !is_far;
    });
    if (failure != facts.end()) {
        diagnostics.push_back(
            {Severity::warning, "task_failed",
             fmt::format("the log also reports that this task failed ({}:{}): look at the errors around that "
                         "line as well",
                         map.files[(*failure)->place.file], (*failure)->place.line)});
    }
}

void remark_failure_alone(const TaskMap::Contents& map, const Dump& dump, const TaskQuery& query,
                          const LocateOptions& options, std::vector<Diagnostic>& diagnostics) {
    const logs::TaskKey task{*query.stream_id, *query.task_id};
    for (const std::uint32_t number : map.index().processes(logs::About::task, task.first, task.second)) {
        const Process& process = map.processes[number];
        if (process.on_device) {
            continue;
        }
        const std::vector<LocalTime> times = times_in(process, dump, query, map, options);
        const auto is_near = [](const StoredFact& stored, const LocalTime& time) {
            return !time.unrelated && logs::distance_us(stored.time_us, time.time_us) <= kNearUs;
        };
        std::vector<const StoredFact*> near;
        for (const std::uint32_t place : process.of_task.of(task)) {
            const StoredFact& stored = process.facts[place];
            if (may_be_of_device(process, stored, dump.path_ids.device_id, map) &&
                std::any_of(times.begin(), times.end(), [&](const auto& time) { return is_near(stored, time); })) {
                near.push_back(&stored);
            }
        }
        const std::size_t before = diagnostics.size();
        remark_failure(near, std::nullopt, map, diagnostics);  // each is near one of the times
        if (diagnostics.size() != before) {
            return;
        }
    }
}

}  // namespace opdebug::locate_stage
