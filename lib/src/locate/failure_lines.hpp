// Lines that report the failure of a task: what they say beside the operator, and where no line names one.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include <opdebug/locate.hpp>

#include "locate/query.hpp"
#include "logs/facts/task_map.hpp"

namespace opdebug::locate_stage {

/// "task_failed": one of the lines on the task reports that it failed. A task that overflowed may also have failed:
/// then the failure's own messages say more than the status does. `time_us`: that of the dump in their clock, where it
/// is known. A line that has the ids alone is of this execution only if it is at most 10 s from it.
void remark_failure(const std::vector<const logs::StoredFact*>& facts, std::optional<std::int64_t> time_us,
                    const TaskMap::Contents& map, std::vector<Diagnostic>& diagnostics);

/// The same where no other line tells of the task, for such a line makes no use of the ids: of the lines on the dump's
/// device the first that is at most 10 s from the dump.
void remark_failure_alone(const TaskMap::Contents& map, const Dump& dump, const TaskQuery& query,
                          const LocateOptions& options, std::vector<Diagnostic>& diagnostics);

}  // namespace opdebug::locate_stage
