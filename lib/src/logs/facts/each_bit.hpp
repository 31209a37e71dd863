// Members that a mask marks.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>

namespace opdebug::logs {

/// Calls use(n) for each bit n of the mask that is set, from the lowest one. A branch for each member that may be there
/// is often taken wrongly.
template <class Use>
void for_each_bit(std::uint32_t mask, const Use& use) {
    for (; mask != 0; mask &= mask - 1) {
        use(static_cast<std::size_t>(std::countr_zero(mask)));
    }
}

}  // namespace opdebug::logs
