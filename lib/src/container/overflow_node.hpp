// Whether a header is that of an overflow dump, by the operator's names in it.
#pragma once

#include <string_view>

#include "container/container.hpp"

namespace opdebug::container {

/// Whether it is Node_OpDebug, in any case.
bool is_overflow_node(std::string_view name);

/// Whether the header itself calls it an overflow dump: its op_name or an output's original operator is Node_OpDebug.
bool header_names_overflow_dump(const Contents& contents);

}  // namespace opdebug::container
