// Bytes that should all be zero.
#pragma once

#include <algorithm>
#include <cstdint>

#include <opdebug/result.hpp>

namespace opdebug::bytes {

/// The first byte that is not zero, or the end. The first pass has no branch per byte, so compilers vectorize it. It is
/// usually enough.
inline const std::uint8_t* find_nonzero(Bytes bytes) noexcept {
    std::uint8_t all = 0;
    for (const std::uint8_t byte : bytes) {
        all = static_cast<std::uint8_t>(all | byte);
    }
    return all == 0 ? bytes.end()
                    : std::find_if(bytes.begin(), bytes.end(), [](std::uint8_t byte) { return byte != 0; });
}

}  // namespace opdebug::bytes
