// Text made safe for a terminal: characters that nobody sees but a terminal or an editor obeys, and long texts.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include <opdebug/dump.hpp>

namespace opdebug::report {

/// Control characters, line and paragraph separators, marks that change the writing direction, and characters that
/// leave no mark. `character`: one valid UTF-8 character.
bool is_hidden(std::string_view character);

/// The number of one valid UTF-8 character.
std::uint32_t code_point(std::string_view character);

/// Like printable(), but shortens a text of more than 1,000 bytes: its first 700 bytes, the number of characters left
/// out, and its last 200 bytes. JSON has all of it.
std::string printable_shortened(std::string_view text, Language language);

}  // namespace opdebug::report
