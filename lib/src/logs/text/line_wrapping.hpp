// What a collector or a terminal puts around a whole log line. In front of it alone, see the carrier in line.cpp.
#pragma once

#include <cstddef>
#include <string_view>

namespace opdebug::logs {

/// The line without the JSON of Docker's log files around it ({"log":"...\n","stream":"stdout",...}), also as others
/// write it anew (blanks, another order, "message"), and without the escape sequences that begin and end a colour.
/// Escapes of the JSON inside the line stay as they are.
std::string_view without_wrapping(std::string_view line) noexcept;

/// Takes an escape sequence for a colour off the front of `rest`, if there is one.
void skip_colour(std::string_view& rest) noexcept;

/// Where the first of them is in a text; npos: nowhere.
std::size_t find_colour(std::string_view text) noexcept;

}  // namespace opdebug::logs
