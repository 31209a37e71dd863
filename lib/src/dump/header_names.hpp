// Whether the operator's names in a dump's header are sound.
#pragma once

#include <vector>

#include <opdebug/result.hpp>

#include "container/container.hpp"

namespace opdebug::dump_stage {

/// Adds an error name_not_utf8 for the first name that is no UTF-8, as strings of protobuf are. The official converter
/// refuses such a header (msaccucmp, error 11); where its sizes fit, the payload can still be read.
void report_broken_name(const container::Contents& contents, std::vector<Diagnostic>& diagnostics);

}  // namespace opdebug::dump_stage
