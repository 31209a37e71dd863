// Characters in UTF-8.
#pragma once

#include <cstddef>
#include <string_view>

namespace opdebug::bytes {

/// U+FEFF, which editors and spreadsheets of Windows write in front of a file.
constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";

/// What stands at a position of a text: a character, or bytes that begin one and do not end it, or a byte that begins
/// none (RFC 3629; surrogates and overlong forms are not valid).
struct Utf8Sequence {
    std::size_t length = 1;  ///< bytes; of what is not valid, as many as one U+FFFD stands for (Unicode 15, 3.9)
    bool valid = false;
};
Utf8Sequence utf8_sequence(std::string_view text, std::size_t position);

/// Whether all of it is valid UTF-8.
bool is_utf8(std::string_view text);

}  // namespace opdebug::bytes
