// How far the clocks of two places of a tree can be trusted against each other.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include <opdebug/scan_overview.hpp>

#include "scan/place.hpp"

namespace opdebug::scan_stage {

/// The earliest time of each step at one place.
using StepTimes = std::map<std::uint64_t, std::uint64_t>;

/// What the common steps of two places tell. Ranks that train together begin each step together, so what their first
/// dumps of a step lie apart should be much the same in every step: how much it varies shows what a difference in one
/// step is worth (the measured skew), and one that stays the same may be the clocks' and not the steps'. Inferred: the
/// ranks may also wait for each other, or overflow at different points of a step.
struct ClockComparison {
    std::size_t steps = 0;                   ///< common steps, without the one that is judged
    std::int64_t least_us = 0, most_us = 0;  ///< how much later the other place is, over these steps
};

/// Adds what a common step tells: how much later the other place's first dump of it is.
void add_step(ClockComparison& comparison, std::int64_t later_us);

ClockComparison compare_clocks(const StepTimes& reference, const StepTimes& other,
                               std::optional<std::uint64_t> judged_step);

using PlaceTimes = std::map<Place, StepTimes>;

/// Without wild times (wild_time.hpp): one of them would be the earliest of its step.
PlaceTimes step_times(const std::vector<const ScanItem*>& overflowed);

/// The same of two places; no common steps when one of them has none.
ClockComparison compare_clocks(const PlaceTimes& times, const Place& reference, const Place& other,
                               std::optional<std::uint64_t> judged_step);

/// Why two times that lie `apart_us` apart have no certain order; empty when they have. Clocks of different hosts are
/// taken to agree no better than one second.
std::string doubt_of(const ClockComparison& comparison, std::int64_t apart_us);

}  // namespace opdebug::scan_stage
