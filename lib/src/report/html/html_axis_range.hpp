// Which part of the values an axis shows: one wild time would squeeze all others into a line.
#pragma once

#include <cstdint>
#include <vector>

namespace opdebug::report {

struct AxisRange {
    std::uint64_t low = 0, high = 0;
};

/// From the least to the largest value, without the few that lie far outside: beyond a gap that is wider than
/// `least_gap` and than fifty times the range of the central values. At most one of three or four values, two of five
/// and more, or a twentieth of many are left out; where more lie apart, they belong to the picture and all are shown.
/// `values`: not empty, any order.
AxisRange axis_range(std::vector<std::uint64_t> values, std::uint64_t least_gap);

}  // namespace opdebug::report
