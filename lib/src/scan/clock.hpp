// Times of dumps: differences, implausible times, and how far two clocks can be compared.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include <opdebug/scan_overview.hpp>

#include "scan/dump_source.hpp"

namespace opdebug::scan_stage {

/// 2019-01-01 UTC. Overflow dumps appear in documents of 2020 (docs/format.md); a year is left for safety.
constexpr std::uint64_t kFirstDumps = 1'546'300'800'000'000;
constexpr std::uint64_t kTooLate = 4'102'444'800'000'000;  ///< 2100-01-01 UTC

constexpr bool is_wild(std::uint64_t timestamp_us) noexcept {
    return timestamp_us < kFirstDumps || timestamp_us >= kTooLate;
}

/// Times closer than this: one burst; and no certain order where they come from two clocks.
constexpr std::int64_t kOneSecond = 1'000'000;

/// a - b. Times are anybody's numbers: what does not fit is cut at the limits of the type.
std::int64_t time_difference(std::uint64_t a, std::uint64_t b) noexcept;

/// "0.250 s", "40 us"; without a sign. A difference that was cut is "at least ...".
std::string show_duration(std::int64_t microseconds);

/// "40 us later", "0.250 s earlier" or "at the same time".
std::string show_later(std::int64_t later_us);

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
