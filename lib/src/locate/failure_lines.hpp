// Lines that report the failure of a task: what they say beside the operator, and where no line names one.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include <opdebug/locate.hpp>

#include "locate/query.hpp"
#include "logs/facts/task_map.hpp"

namespace opdebug::locate_stage {

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
