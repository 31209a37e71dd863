// One event of a profiler's trace, in the form of Chrome's trace viewer.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "json/cursor.hpp"

namespace opdebug::api_ties {

/// What of an event counts here. Texts live as long as the cursor and its text.
struct TraceEvent {
    std::string_view phase, name, category, id, process, thread;
    std::optional<std::int64_t> start_ns, duration_ns;
    std::optional<std::uint64_t> stream, physical_stream, task;
    std::optional<std::int64_t> sequence;  ///< of torch's automatic differentiation
};

/// Reads an event. Members of unexpected kinds count as missing; of a key that is written twice the last counts. False:
/// the cursor has stopped.
bool read_trace_event(json_stage::JsonCursor& cursor, TraceEvent& event);

/// Microseconds with a fraction, as "1699529623106750.790", in nanoseconds. A double has not the digits for today's
/// times. Nothing for texts of another form and times that do not fit.
std::optional<std::int64_t> nanoseconds_in(std::string_view microseconds);

}  // namespace opdebug::api_ties
