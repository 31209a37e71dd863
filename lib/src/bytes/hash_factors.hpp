// Factors of hashes.
#pragma once

#include <array>
#include <cstdint>

namespace opdebug::bytes {

/// Odd numbers with about half of their bits set: the upper bits of a product depend on all bits of the number. The
/// first is 2^64 divided by the golden ratio (Fibonacci hashing). Words that are hashed together use one factor each.
inline constexpr std::array<std::uint64_t, 4> kHashFactors{0x9E3779B97F4A7C15, 0xC2B2AE3D27D4EB4F, 0xD6E8FEB86659FD93,
                                                           0xA0761D6478BD642F};
inline constexpr std::uint64_t kHashFactor = kHashFactors[0];

/// Adds a number to a hash.
inline void mix(std::uint64_t part, std::uint64_t& hash) noexcept {
    hash = (hash ^ part) * kHashFactor;
    hash ^= hash >> 29U;
}

}  // namespace opdebug::bytes
