// Where the marks of a chart's axis stand and what is written there.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace opdebug::report {

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
