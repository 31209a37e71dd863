// The first place of a literal in a text.
#pragma once

#include <cstddef>
#include <string_view>

namespace opdebug::logs {

/// As std::string_view::find(), which looks at every byte that equals the literal's first one. In a log line that is
/// often a comma, so the first, the middle and the last byte are compared together here, 16 places at a time.
std::size_t find_literal(std::string_view text, std::string_view literal) noexcept;

}  // namespace opdebug::logs
