// Reads little-endian integers with bounds checks. All dump formats are little-endian, like the devices and hosts of
// this family (docs/internals/formats.md, section "Container").
#pragma once

#include <cstdint>
#include <limits>
#include <optional>

#include <opdebug/result.hpp>

namespace opdebug::bytes {

/// The unsigned integer at `offset`. Empty if it is not completely inside.
template <class Integer>
std::optional<Integer> read_little_endian(Bytes bytes, std::uint64_t offset) noexcept {
    if (offset > bytes.size() || bytes.size() - offset < sizeof(Integer)) {
        return std::nullopt;
    }
    std::uint64_t value = 0;
    for (std::size_t i = sizeof(Integer); i-- > 0;) {
        value = value << 8U | bytes[static_cast<std::size_t>(offset) + i];
    }
    return static_cast<Integer>(value);
}

inline std::optional<std::uint32_t> read_u32(Bytes bytes, std::uint64_t offset) noexcept {
    return read_little_endian<std::uint32_t>(bytes, offset);
}

inline std::optional<std::uint64_t> read_u64(Bytes bytes, std::uint64_t offset) noexcept {
    return read_little_endian<std::uint64_t>(bytes, offset);
}

/// a + b. Empty if it overflows: sizes in a file are untrusted.
inline std::optional<std::uint64_t> checked_add(std::uint64_t a, std::uint64_t b) noexcept {
    if (a > std::numeric_limits<std::uint64_t>::max() - b) {
        return std::nullopt;
    }
    return a + b;
}

/// a * b. Empty if it overflows.
inline std::optional<std::uint64_t> checked_multiply(std::uint64_t a, std::uint64_t b) noexcept {
    if (a != 0 && b > std::numeric_limits<std::uint64_t>::max() / a) {
        return std::nullopt;
    }
    return a * b;
}

}  // namespace opdebug::bytes
