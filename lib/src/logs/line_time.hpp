// The time in a log line's prefix.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <string_view>

#include "logs/same_bytes.hpp"

namespace opdebug::logs {

/// Reads "YYYY-MM-DD-hh:mm:ss.mmm" with or without ".uuu" as microseconds since 1970-01-01, as if it were UTC. Nothing
/// when the text has another form (documents print placeholders) or no such moment exists.
std::optional<std::int64_t> parse_line_time(std::string_view text) noexcept;

/// The same for line after line. Times of one minute share their first 16 bytes: what these say is worked out once for
/// all of them, which leaves less than half of the work.
class LineTimes {
public:
    static constexpr std::size_t kWithMicroseconds = std::string_view("YYYY-MM-DD-hh:mm:ss.mmm.uuu").size();

    /// False where there is none, and `time_us` is as it was: a std::optional is written in parts and read as a whole,
    /// for which the processor waits, at each line.
    bool parse(std::string_view text, std::int64_t& time_us) noexcept {
        return (text.size() == kWithMicroseconds && parse_common(text.data(), time_us)) ||
               parse_by_digits(text, time_us);
    }

    /// The same for a time with microseconds in the same minute as the one before it. False may be another one.
    bool parse_common(const char* text, std::int64_t& time_us) const noexcept {
        std::int64_t second_us = 0;
        const bool is_common =
            same_bytes(text, minute_.data(), sizeof minute_) && parse_microsecond(text + sizeof minute_, second_us);
        time_us = is_common ? minute_us_ + second_us : time_us;
        return is_common;
    }

private:
    /// ":ss.mmm.uuu", as nearly all lines have it, by two words instead of byte by byte: a third of the instructions.
    /// False where it is no time, and perhaps where the processor's order of bytes is another.
    static bool parse_microsecond(const char* text, std::int64_t& time_us) noexcept {
        // Of each byte less those of ":00.000." and ".000": which bits must be 0 as they are, with those of the
        // separators; and which must be with 6 added, so that no digit is above 9.
        constexpr std::uint64_t kFirst = 0xFFF0F0F0FFF0F0FFU;
        constexpr std::uint32_t kLast = 0xF0F0F0FFU;
        std::uint64_t first = 0;
        std::uint32_t last = 0;
        std::memcpy(&first, text, sizeof first);
        std::memcpy(&last, text + 7, sizeof last);
        first ^= 0x2E3030302E30303AU;
        last ^= 0x3030302EU;
        const std::uint64_t wrong = (first & kFirst) | ((first + 0x0606060606060606U) & 0xF0F0F0F0F0F0F0F0U) |
                                    (last & kLast) | ((last + 0x06060606U) & 0xF0F0F0F0U);
        // Each byte of the pairs is ten times the digit there and the next one.
        const std::uint64_t pairs = first * 10 + (first >> 8U);
        const std::uint32_t last_pairs = last * 10 + (last >> 8U);
        const auto byte = [](std::uint64_t word, unsigned place) {
            return static_cast<std::int64_t>(word >> (8 * place) & 0xFFU);
        };
        const std::int64_t second = byte(pairs, 1);
        time_us = second * 1'000'000 + byte(pairs, 4) * 10'000 + byte(first, 6) * 1'000 + byte(last_pairs, 1) * 10 +
                  byte(last, 3);
        return std::endian::native == std::endian::little && wrong == 0 && second <= 59;
    }
    /// Any time; keeps what its minute says.
    bool parse_by_digits(std::string_view text, std::int64_t& time_us) noexcept;

    /// "YYYY-MM-DD-hh:mm", and what it says.
    std::array<char, 16> minute_{'1', '9', '7', '0', '-', '0', '1', '-', '0', '1', '-', '0', '0', ':', '0', '0'};
    std::int64_t minute_us_ = 0;
};

}  // namespace opdebug::logs
