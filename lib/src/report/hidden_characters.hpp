// Characters that nobody sees but a terminal or an editor obeys.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace opdebug::report {

/// What stands at a position of a text: a character, or bytes that begin one and do not end it, or a byte that begins
/// none (RFC 3629; surrogates and overlong forms are not valid).
struct Utf8Sequence {
    std::size_t length = 1;  ///< bytes; of what is not valid, as many as one U+FFFD stands for (Unicode 15, 3.9)
    bool valid = false;
};
Utf8Sequence utf8_sequence(std::string_view text, std::size_t position);

/// Control characters, line and paragraph separators, marks that change the writing direction, and characters that
/// leave no mark. `character`: one valid UTF-8 character.
bool is_hidden(std::string_view character);

/// The number of one valid UTF-8 character.
std::uint32_t code_point(std::string_view character);

}  // namespace opdebug::report
