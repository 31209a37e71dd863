// How many bits of a small mask are set.
#pragma once

#include <cstddef>

namespace opdebug::logs {

/// Of sixteen bits. std::popcount calls a library where not all processors have the instruction: it took 1 % of
/// indexing.
constexpr std::size_t count_of_bits(unsigned mask) noexcept {
    mask -= mask >> 1U & 0x5555U;
    mask = (mask & 0x3333U) + (mask >> 2U & 0x3333U);
    mask = (mask + (mask >> 4U)) & 0x0F0FU;
    return (mask + (mask >> 8U)) & 0x1FU;
}

}  // namespace opdebug::logs
