// Whether a text is JSON.
#pragma once

#include <string_view>

namespace opdebug::json_stage {

/// Whether the text is one JSON value in UTF-8, with optional whitespace around it. Rejects numbers that exceed a
/// double (1e999).
bool is_json(std::string_view text);

}  // namespace opdebug::json_stage
