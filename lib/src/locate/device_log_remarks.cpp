#include "locate/device_log_remarks.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "locate/reasons.hpp"
#include "logs/facts/time_gap.hpp"

namespace opdebug::locate_stage {

void remark_ended_device_log(const std::vector<DeviceFact>& device, const std::vector<const logs::StoredFact*>& names,
                             const Dump& dump, const TaskQuery& query, const TaskMap::Contents& map,
                             const LocateOptions& options, std::vector<Diagnostic>& diagnostics) {
    const auto earliest_us = earliest_local_time(query.timestamp_us, std::nullopt, LocateOptions());
    const logs::Process* last = nullptr;  // of those that name it, the one whose log ends last
    for (const DeviceFact& said : device) {
        const bool is_named = std::find(names.begin(), names.end(), said.fact) != names.end();
        last = is_named && (last == nullptr || said.process->last_time_us > last->last_time_us) ? said.process : last;
    }
    if (!earliest_us || last == nullptr || last->last_time_us == 0 ||
        !logs::is_gap(last->last_time_us, *earliest_us, kSilentUs)) {
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
