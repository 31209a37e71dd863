// Characters that nobody sees but a terminal or an editor obeys.
#pragma once

#include <cstdint>
#include <string_view>

namespace opdebug::report {

/// Control characters, line and paragraph separators, marks that change the writing direction, and characters that
/// leave no mark. `character`: one valid UTF-8 character.
bool is_hidden(std::string_view character);

/// The number of one valid UTF-8 character.
std::uint32_t code_point(std::string_view character);

}  // namespace opdebug::report
