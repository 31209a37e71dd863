// Characters in UTF-8.
#pragma once

#include <cstddef>
#include <string_view>

namespace opdebug::bytes {

/// U+FEFF: editors and spreadsheets on Windows write it at the start of a file.
constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";

/// The bytes at a position of a text: a character, an incomplete character, or an invalid byte (RFC 3629; surrogates
/// and overlong forms are invalid).
struct Utf8Sequence {
    std::size_t length = 1;  ///< bytes; invalid: as many as one U+FFFD replaces (Unicode 15, 3.9)
    bool valid = false;
};
Utf8Sequence utf8_sequence(std::string_view text, std::size_t position);

/// Whether the whole text is valid UTF-8.
bool is_utf8(std::string_view text);

}  // namespace opdebug::bytes
