// What the host log itself says about the overflow, and about task ids that began anew since a launch.
#pragma once

#include <cstdint>
#include <vector>

#include <opdebug/locate.hpp>

#include "locate/clock.hpp"
#include "locate/query.hpp"

namespace opdebug::locate_stage {

struct TaskMatch;

/// Where several local times are possible and the log reports the overflow within two seconds of exactly one of them,
/// that one remains. Reports of devices that are not the dump's (devices_to_search()) are of other overflows, here and
/// in remark_overflow_line().
void prefer_reported_time(const logs::Process& process, const Dump& dump, const TaskQuery& query,
                          const TaskMap::Contents& map, std::vector<LocalTime>& times);

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

}  // namespace opdebug::locate_stage
