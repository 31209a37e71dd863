// How many bits of a small mask are set.
#pragma once

#include <cstddef>

namespace opdebug::logs {

/// Of 32 bits. std::popcount calls a library where not all processors have the instruction: it took 1 % of
/// indexing.
constexpr std::size_t count_of_bits(unsigned mask) noexcept {
    mask -= mask >> 1U & 0x55555555U;
    mask = (mask & 0x33333333U) + (mask >> 2U & 0x33333333U);
    mask = (mask + (mask >> 4U)) & 0x0F0F0F0FU;
    return mask * 0x01010101U >> 24U;
}

}  // namespace opdebug::logs
