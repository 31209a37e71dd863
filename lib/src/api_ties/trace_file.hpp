// trace_view.json of torch_npu's profiler, event by event.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include <opdebug/api_ties.hpp>

#include "api_ties/trace_event.hpp"

namespace opdebug::api_ties {

/// Reads a trace, plain or packed; `use` gets each whole event. Both forms are read: a list of events, and an object
/// with the list "traceEvents". Memory does not grow with the file, but with its longest event (Limits::call_bytes). A
/// trace that is cut or damaged gives its whole events, also those behind the damage, and a remark of severity error.
/// Errors: those of reading a file; trace_invalid when it is neither form; interrupted.
Result<std::vector<Diagnostic>> read_trace_file(const std::string& path, const ApiTieOptions& options,
                                                const std::function<void(const TraceEvent&)>& use);

}  // namespace opdebug::api_ties
