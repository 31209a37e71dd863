// Characters that nobody sees but a terminal or an editor obeys.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace opdebug::report {

/// Bytes of the valid UTF-8 character at `position`, or 0 (RFC 3629; surrogates and overlong forms are not valid).
std::size_t utf8_length(std::string_view text, std::size_t position);

/// Control characters, line and paragraph separators, marks that change the writing direction, and characters without
/// width. `character`: one valid UTF-8 character.
bool is_hidden(std::string_view character);

/// The number of one valid UTF-8 character.
std::uint32_t code_point(std::string_view character);

}  // namespace opdebug::report
