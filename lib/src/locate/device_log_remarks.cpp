#include "locate/device_log_remarks.hpp"

#include <unordered_set>

#include <fmt/format.h>

#include "locate/reasons.hpp"
#include "logs/facts/time_gap.hpp"

namespace opdebug::locate_stage {

void remark_ended_device_log(const std::vector<DeviceFact>& device, const std::vector<const logs::StoredFact*>& names,
                             const Dump& dump, const TaskQuery& query, const TaskMap::Contents& map,
                             const LocateOptions& options, std::vector<Diagnostic>& diagnostics) {
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
    diagnostics.push_back(
        {Severity::warning, "log_ended",
         fmt::format(
             "the device log of process {} ends at {}, and the overflow was at {} (the log's local time), more "
             "than half an hour later in every zone: the log is probably that of another run, whose task {} may "
             "be another operator; give the logs that were written then",
             last->pid, show_time(last->last_time_us), show_time(times.front().time_us), *query.task_id)});
}

}  // namespace opdebug::locate_stage
