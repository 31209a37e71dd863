// How log formats work together: what one line's format remembers completes the statement of another's.
#pragma once

#include <optional>
#include <vector>

#include <opdebug/result.hpp>

#include "logs/formats/format_file.hpp"

namespace opdebug::logs {

/// Checks "remembers", "once", "forgets", "completed_by" and "task_id_provisional" of all formats of a set: each name
/// is remembered and used, and each statement has what it needs once the other lines are there. Errors:
/// log_format_invalid.
std::optional<Error> check_links(const std::vector<const FormatDefinition*>& formats);

}  // namespace opdebug::logs
