// Decimal digits, eight at a time. How many digits a number has changes from line to line: a loop over them ends where
// the processor does not expect it, which took longer than all else of reading a number.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <optional>
#include <string_view>

#include "logs/text/lexer.hpp"

namespace opdebug::logs {

/// Eight bytes of a text, each less '0'; the first one in the lowest bits.
inline std::uint64_t eight_digits(const char* text) noexcept {
    std::uint64_t bytes = 0;
    std::memcpy(&bytes, text, sizeof bytes);
    return bytes ^ 0x3030303030303030U;
}

/// The highest bit of each of eight digits that is none. A sum may carry into later bytes only, which do not matter
/// then.
inline std::uint64_t marks_of_others(std::uint64_t digits) noexcept {
    return ((digits + 0x7676767676767676U) | digits) & 0x8080808080808080U;
}

/// How many digits the text begins with, of its first `space` bytes.
inline std::size_t leading_digits(const char* text, std::size_t space) noexcept {
    std::size_t count = 0;
    while (std::endian::native == std::endian::little && space - count >= sizeof(std::uint64_t)) {
        const std::uint64_t digits = eight_digits(text + count);
        const std::uint64_t others = marks_of_others(digits);
        if (others != 0) {
            return count + static_cast<std::size_t>(std::countr_zero(others)) / 8;
        }
        count += sizeof digits;
    }
    while (count < space && is_digit(text[count])) {
        ++count;
    }
    return count;
}

/// The number that eight digits are, the first one in the lowest bits.
inline std::uint64_t number_of_eight(std::uint64_t digits) noexcept {
    const std::uint64_t pairs = (digits * 10 + (digits >> 8U)) & 0x00FF00FF00FF00FFU;
    const std::uint64_t fours = (pairs * 100 + (pairs >> 16U)) & 0x0000FFFF0000FFFFU;
    return (fours * 10'000 + (fours >> 32U)) & 0xFFFFFFFFU;
}

/// The number that the first `count` bytes are, which are digits: one to eight. Eight bytes are read; the machine is
/// little-endian.
inline std::uint64_t number_of_digits(const char* text, std::size_t count) noexcept {
    return number_of_eight(eight_digits(text) << (64 - 8 * count));  // as if zeros stood before them
}

/// The number that the `count` bytes in front of `end` are, one to eight; kNoNumber where one is no digit. Eight bytes
/// are read; the machine is little-endian. No std::optional: GCC writes its halves to memory and reads them as one, for
/// which the processor waits.
inline constexpr std::uint32_t kNoNumber = std::numeric_limits<std::uint32_t>::max();
inline std::uint32_t number_that_ends_at(const char* end, std::size_t count) noexcept {
    const std::uint64_t digits = eight_digits(end - 8) & ~std::uint64_t{0} << (64 - 8 * count);
    return marks_of_others(digits) != 0 ? kNoNumber : static_cast<std::uint32_t>(number_of_eight(digits));
}

/// The number that a text of one to eight digits is; nothing for any other text, and where fewer than eight bytes may
/// be read, which end at `end`.
inline std::optional<std::uint64_t> short_number(std::string_view text, const char* end) noexcept {
    if (std::endian::native != std::endian::little || text.empty() || text.size() > 8 || end - text.data() < 8) {
        return std::nullopt;
    }
    return leading_digits(text.data(), 8) < text.size() ? std::nullopt
                                                        : std::optional(number_of_digits(text.data(), text.size()));
}

}  // namespace opdebug::logs
