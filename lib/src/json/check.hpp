// Whether a text is JSON.
#pragma once

#include <string_view>

namespace opdebug::json_stage {

/// Whether the text is one JSON value in UTF-8 with blanks around it. Numbers that no double holds (1e999) are refused.
bool is_json(std::string_view text);

}  // namespace opdebug::json_stage
