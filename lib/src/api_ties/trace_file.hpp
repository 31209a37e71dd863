// trace_view.json of torch_npu's profiler, event by event, in the format of Chrome's trace viewer.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <opdebug/api_ties.hpp>
#include <opdebug/result.hpp>

namespace opdebug::api_ties {

/// The members of an event that are used. The texts are valid during the call only.
struct TraceEvent {
    std::string_view phase, name, category, id, process, thread;
    std::optional<std::int64_t> start_ns, duration_ns;
    std::optional<std::uint64_t> stream, physical_stream, task;
    std::optional<std::int64_t> sequence;  ///< of torch's automatic differentiation
};

/// Reads a trace, plain or compressed; `use` gets each whole event. Both formats are read: a list of events, and an
/// object with the list "traceEvents". Members of unexpected kinds count as missing. Memory does not grow with the
/// file, but with its longest event (Limits::call_bytes). A trace that is cut or damaged gives the events in front of
/// the damage, and a diagnostic of severity error. Errors: those of reading a file; trace_invalid when it is neither
/// format; interrupted.
Result<std::vector<Diagnostic>> read_trace_file(const std::string& path, const ApiTieOptions& options,
                                                const std::function<void(const TraceEvent&)>& use);

/// Microseconds with a fraction, as "1699529623106750.790", in nanoseconds. A double has not the digits for today's
/// times. Nothing for texts of another format and times that do not fit.
std::optional<std::int64_t> nanoseconds_in(std::string_view microseconds);

}  // namespace opdebug::api_ties
