#include "report/html/html_axis_range.hpp"

#include <algorithm>
#include <cstddef>

namespace opdebug::report {
namespace {

constexpr std::uint64_t kFar = 50;

std::size_t most_left_out(std::size_t count) {
    return count < 3 ? 0 : std::max<std::size_t>(count < 5 ? 1 : 2, count / 20);
}

}  // namespace

AxisRange axis_range(std::vector<std::uint64_t> values, std::uint64_t least_gap) {
    std::sort(values.begin(), values.end());
    const std::size_t most = most_left_out(values.size());
    const std::size_t at_one_end = std::min(most, (values.size() - 1) / 2);
    std::size_t first = at_one_end, last = values.size() - 1 - at_one_end;  // so far: the central values
    const std::uint64_t central = values[last] - values[first];
    const std::uint64_t far = std::max(least_gap, central > UINT64_MAX / kFar ? UINT64_MAX : central * kFar);
    while (first > 0 && values[first] - values[first - 1] <= far) {
        --first;
    }
    while (last + 1 < values.size() && values[last + 1] - values[last] <= far) {
        ++last;
    }
    const std::size_t left_out = first + (values.size() - 1 - last);
    return left_out > most ? AxisRange{values.front(), values.back()} : AxisRange{values[first], values[last]};
}

}  // namespace opdebug::report
