// The time in a log line's prefix.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

namespace opdebug::logs {

/// Reads "YYYY-MM-DD-hh:mm:ss.mmm" with or without ".uuu" as microseconds since 1970-01-01, as if it were UTC. Nothing
/// when the text has another form (documents print placeholders) or no such moment exists.
std::optional<std::int64_t> parse_line_time(std::string_view text) noexcept;

/// The same for line after line. Times of one minute share their first 16 bytes: what these say is worked out once for
/// all of them, which leaves less than half of the work.
class LineTimes {
public:
    /// False where there is none, and `time_us` is as it was: a std::optional is written in parts and read as a whole,
    /// for which the processor waits, at each line.
    bool parse(std::string_view text, std::int64_t& time_us) noexcept;

private:
    bool has_minute_ = false;
    std::array<char, 16> minute_{};  ///< "YYYY-MM-DD-hh:mm"
    std::int64_t minute_us_ = 0;
};

}  // namespace opdebug::logs
