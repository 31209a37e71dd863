// The time in a log line's prefix.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace opdebug::logs {

/// Reads "YYYY-MM-DD-hh:mm:ss.mmm" with or without ".uuu" as microseconds since 1970-01-01, as if it were UTC. Nothing
/// when the text has another form (documents print placeholders) or no such moment exists.
std::optional<std::int64_t> parse_line_time(std::string_view text) noexcept;

}  // namespace opdebug::logs
