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

/// printable(), but of a text of more than 1,000 bytes the first 700 and the last 200, and how many characters between
/// them are left out. JSON has all of it.
std::string printable_shortened(std::string_view text, Language language);

}  // namespace opdebug::report
