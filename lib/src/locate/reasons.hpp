// Remarks for people: why there is no answer, and in which time zone logs were read.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <opdebug/locate.hpp>

#include "locate/clock.hpp"
#include "locate/query.hpp"
#include "logs/lookup/task_use.hpp"

namespace opdebug::locate_stage {

/// "2026-03-04 10:00:00.000000".
std::string show_time(std::int64_t time_us);

/// Why none of a process's uses of the ids fits the time: ended before, first mentioned later, or the log ended.
void explain_no_use(const logs::Process& process, const std::vector<logs::TaskUse>& uses, const TaskQuery& query,
                    std::int64_t time, const TaskMap::Contents& map, std::vector<Diagnostic>& diagnostics);

/// What a task is that no line names an operator or kernel for: end of graph, debug task, unnamed, or no kernel at all.
void explain_other_task(const std::vector<const logs::StoredFact*>& facts, const TaskQuery& query,
                        const TaskMap::Contents& map, std::vector<Diagnostic>& diagnostics);

/// "utc_offset_contradicts_folder": by the offset that the user gave, the dump is older than its time folder.
void remark_given_offset(const Dump& dump, const TaskQuery& query, const LocateOptions& options,
                         std::vector<Diagnostic>& diagnostics);

/// Which local time the dump was taken to have, and what else is possible. `times`: best first; none when it has no
/// time.
void remark_time(const std::vector<LocalTime>& times, const logs::Span& logged, const TaskQuery& query,
                 std::vector<Diagnostic>& diagnostics);

}  // namespace opdebug::locate_stage
