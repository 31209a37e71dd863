// Which part of the values a chart's axis shows, and where its marks stand.
#pragma once

#include <cstdint>
#include <string>
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

struct AxisTick {
    std::uint64_t value = 0;
    std::string label;
};

/// At round times between `low` and `high` (microseconds UTC), at most a dozen; one at `low` where no round time lies
/// between. The labels are as fine as the distance of the ticks needs.
std::vector<AxisTick> time_ticks(std::uint64_t low, std::uint64_t high);

/// The same for plain numbers.
std::vector<AxisTick> number_ticks(std::uint64_t low, std::uint64_t high);

}  // namespace opdebug::report
