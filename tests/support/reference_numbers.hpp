// What elements mean and what a tensor's values show, worked out slowly from the definitions and without the code under
// test: codes are parsed as text of bits, sums are long doubles.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "wire.hpp"

namespace opdebug::test {

/// The numbers of one element: one, or two where it is complex. Integers up to 64 bits fit a long double.
std::vector<long double> reference_numbers(std::string_view dtype, std::uint64_t low, std::uint64_t high = 0);

/// Bits of one element.
unsigned reference_bits(std::string_view dtype);

struct ReferenceStatistics {
    std::optional<long double> max, min, mean;
    std::uint64_t nan = 0, pos_inf = 0, neg_inf = 0, saturated = 0, subnormal = 0, zero = 0;
};

/// The statistics of the first `count` elements. Small elements lie one after the other, the first in the lowest bits.
ReferenceStatistics reference_statistics(std::string_view dtype, const Buffer& data, std::uint64_t count);

}  // namespace opdebug::test
