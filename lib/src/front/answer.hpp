// Everything about one decoded dump: what explain() and the functions of the C interface for one dump share.
#pragma once

#include <optional>
#include <string>

#include <opdebug/dump.hpp>
#include <opdebug/locate.hpp>
#include <opdebug/report.hpp>
#include <opdebug/tensor.hpp>

namespace opdebug::front {

/// What belongs to a dump.
struct Answer {
    Location location;
    TensorEvidence evidence;  ///< empty unless it was requested and the dump overflowed
};

/// Locates the operator, and measures its dump if `tensors`. `system_time_zone`: this machine's zone, if nothing better
/// shows the zone of the logs. The clocks of device and host are compared for this dump alone.
/// Never fails: `location.diagnostics` states what is not known.
Answer answer_for(const Dump& dump, LocateOptions locating, bool system_time_zone, bool tensors);

/// The text for people, as `opdebug decode --format text` writes it. `utc_offset_minutes`: of the logs, if known; else
/// times are in this machine's zone, or in UTC.
std::string text_of(const Dump& dump, const Answer& answer, ReportOptions report, std::optional<int> utc_offset_minutes,
                    bool system_time_zone);

}  // namespace opdebug::front
