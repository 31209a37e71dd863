// Whether a text is JSON.
#pragma once

#include <string_view>

namespace opdebug::json_stage {

/// One value (RFC 8259) in UTF-8 with blanks around it. It is what nlohmann_json accepts, in a tenth of its time, so
/// numbers that no double holds (1e999) are none; but a byte order mark in front and a NUL with anything behind it,
/// which that one takes, are refused.
bool is_json(std::string_view text);

}  // namespace opdebug::json_stage
