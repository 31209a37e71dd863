// The time in a log line's prefix.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <string_view>

#include "logs/text/same_bytes.hpp"

namespace opdebug::logs {

/// Reads "YYYY-MM-DD-hh:mm:ss.mmm" with or without ".uuu" as microseconds since 1970-01-01, as if it were UTC. Nothing
/// when the text has another form (documents print placeholders) or no such moment exists.
std::optional<std::int64_t> parse_line_time(std::string_view text) noexcept;

/// The same for line after line. Times of one second share their first 19 bytes: what these say is worked out once for
/// all of them, which leaves a third of the work.
class LineTimes {
public:
    static constexpr std::size_t kWithMicroseconds = std::string_view("YYYY-MM-DD-hh:mm:ss.mmm.uuu").size();

    /// False where there is none, and `time_us` is as it was: a std::optional is written in parts and read as a whole,
    /// for which the processor waits, at each line.
    bool parse(std::string_view text, std::int64_t& time_us) noexcept {
        return (text.size() == kWithMicroseconds && parse_common(text.data(), time_us)) ||
               parse_by_digits(text, time_us);
    }

    /// The same for a time with microseconds in the same second as the one before it. False may be another one.
    bool parse_common(const char* text, std::int64_t& time_us) const noexcept {
        std::int64_t microsecond = 0;
        const bool is_common =
            same_bytes(text, second_.data(), sizeof second_) && parse_microsecond(text + sizeof second_, microsecond);
        time_us = is_common ? second_us_ + microsecond : time_us;
        return is_common;
    }

private:
    /// ".mmm.uuu" as one word instead of byte by byte: a third of the instructions. False where it is no time, and
    /// perhaps where the processor's order of bytes is another.
    static bool parse_microsecond(const char* text, std::int64_t& time_us) noexcept {
        // Less the bytes of ".000.000" a separator is 0, and a digit at most 9: also with 6 added it has four bits.
        std::uint64_t bytes = 0;
        std::memcpy(&bytes, text, sizeof bytes);
        bytes ^= 0x3030302E3030302EU;
        const std::uint64_t wrong = (bytes | (bytes + 0x0606060006060600U)) & 0xF0F0F0FFF0F0F0FFU;
        // Both numbers at once: of their first two digits, in the second byte of each half, and of the third.
        const std::uint64_t pairs = bytes * 10 + (bytes >> 8U);
        const std::uint64_t numbers = (pairs >> 8U & 0x000000FF000000FFU) * 10 + (bytes >> 24U & 0x000000FF000000FFU);
        time_us = static_cast<std::int64_t>((numbers & 0xFFFFFFFFU) * 1000 + (numbers >> 32U));
        return std::endian::native == std::endian::little && wrong == 0;
    }
    /// Any time; keeps what its second says.
    bool parse_by_digits(std::string_view text, std::int64_t& time_us) noexcept;

    /// "YYYY-MM-DD-hh:mm:ss", and what it says; and what its minute says.
    std::array<char, 19> second_{'1', '9', '7', '0', '-', '0', '1', '-', '0', '1',
                                 '-', '0', '0', ':', '0', '0', ':', '0', '0'};
    std::int64_t second_us_ = 0;
    std::int64_t minute_us_ = 0;
};

}  // namespace opdebug::logs
