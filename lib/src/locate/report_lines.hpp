// What host logs report of failures and overflows, and of task ids that began anew.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include <opdebug/locate.hpp>

#include "locate/clock.hpp"
#include "locate/query.hpp"
#include "logs/facts/task_map.hpp"

namespace opdebug::locate_stage {

struct TaskMatch;

/// Where several local times are possible and the log reports the overflow within two seconds of exactly one of them,
/// that one remains. Reports of devices that are not the dump's (devices_to_search()) are of other overflows, here and
/// in remark_overflow_line().
void prefer_reported_time(const logs::Process& process, const Dump& dump, const TaskQuery& query,
                          const TaskMap::Contents& map, std::vector<LocalTime>& times);

/// When the process reports overflows of the record's task, on this device as far as the lines tell; in order.
std::vector<std::int64_t> report_times(const logs::Process& process, logs::DeviceFilter device, const TaskQuery& query,
                                       const TaskMap::Contents& map);

/// The line with which the match's process reports the overflow within ten seconds of the dump; null: none.
const logs::StoredFact* overflow_report(const TaskMatch& match, const TaskQuery& query, const TaskMap::Contents& map);

/// "overflow_in_log": the line of the process that reports the overflow within ten seconds of the time. Returns whether
/// there is one.
bool remark_overflow_line(const logs::Process& process, const Dump& dump, const TaskQuery& query, std::int64_t time_us,
                          const TaskMap::Contents& map, std::vector<Diagnostic>& diagnostics);

/// "ids_wrapped": the stream's ids began anew between the launch that a single execution's answer rests on and the
/// dump.
void remark_wraps(const TaskMatch& match, const TaskQuery& query, const TaskMap::Contents& map,
                  std::vector<Diagnostic>& diagnostics);

/// How far a line on a failure may be from the dump of the same task: the host reports it when it next looks at the
/// stream.
inline constexpr std::uint64_t kFailureNearUs = 10'000'000;

/// "task_failed": one of the lines on the task reports that it failed. A task that overflowed may also have failed:
/// then the failure's own messages say more than the status does. `time_us`: that of the dump in their clock, where it
/// is known. A line that has the ids alone is of this execution only if it is at most 10 s from it.
/// "inner_kernel": what a core ran, where a line names it.
void remark_failure(const std::vector<const logs::StoredFact*>& facts, std::optional<std::int64_t> time_us,
                    const TaskMap::Contents& map, std::vector<Diagnostic>& diagnostics);

/// The same where no other line mentions the task, because such a line does not show which model uses the ids: of the
/// lines that are at most 10 s from the dump, one on its device, else one on another device, which the remark names.
void remark_failure_alone(const TaskMap::Contents& map, const Dump& dump, const TaskQuery& query,
                          const LocateOptions& options, std::vector<Diagnostic>& diagnostics);

/// "other_task": no other line mentions the task, and the report of its failure says that it is no operator (a wait, an
/// event, a copy). False where no report does.
bool explain_no_operator(const TaskMap::Contents& map, const Dump& dump, const TaskQuery& query,
                         const LocateOptions& options, std::vector<Diagnostic>& diagnostics);

}  // namespace opdebug::locate_stage
