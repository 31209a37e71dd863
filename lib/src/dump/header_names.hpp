// The operator's names in a dump's header: whether they are those of an overflow dump, and whether they are sound.
#pragma once

#include <string_view>
#include <vector>

#include <opdebug/result.hpp>

#include "container/container.hpp"

namespace opdebug::dump_stage {

/// Whether it is Node_OpDebug, in any case.
bool is_overflow_node(std::string_view name);

/// Whether the header itself calls it an overflow dump: its op_name or an output's original operator is Node_OpDebug.
bool header_names_overflow_dump(const container::Contents& contents);

/// Adds an error name_not_utf8 for the first name that is no UTF-8, as strings of protobuf are. The official converter
/// refuses such a header (msaccucmp, error 11); where its sizes fit, the payload can still be read.
void report_broken_name(const container::Contents& contents, std::vector<Diagnostic>& diagnostics);

}  // namespace opdebug::dump_stage
