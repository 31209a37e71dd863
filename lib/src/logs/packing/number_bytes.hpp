// Unsigned numbers as bytes: seven bits each, low ones first, the highest bit set on all but the last.
#pragma once

#include <cstddef>
#include <cstdint>

namespace opdebug::logs {

inline constexpr unsigned kBitsPerByte = 7;
inline constexpr std::size_t kMostNumberBytes = 10;  ///< of 64 bits
inline constexpr std::size_t kMostDigits = 20;       ///< of 64 bits, decimal, with a sign

/// Returns the end. There must be room for kMostNumberBytes: to ask for each byte took a tenth of the instructions of
/// making blocks of saved maps.
inline char* write_number(std::uint64_t value, char* next) noexcept {
    for (; value >= 0x80; value >>= kBitsPerByte) {
        *next++ = static_cast<char>(static_cast<std::uint8_t>(value | 0x80U));
    }
    *next++ = static_cast<char>(static_cast<std::uint8_t>(value));
    return next;
}

}  // namespace opdebug::logs
