// Times of dumps in microseconds: differences, and the range that is plausible.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>

#include "remarks/diagnose.hpp"
#include "remarks/durations.hpp"

namespace opdebug::scan_stage {

/// Times closer than this are one burst; times of two clocks that are this close have no certain order.
constexpr std::int64_t kOneSecond = 1'000'000;

/// 2019-01-01 UTC. Overflow dumps appear in documents of 2020 (docs/internals/formats.md); a year is left for safety.
constexpr std::uint64_t kEarliestPlausible = 1'546'300'800'000'000;
constexpr std::uint64_t kEndOfPlausible = 4'102'444'800'000'000;  ///< 2100-01-01 UTC

constexpr bool is_plausible(std::uint64_t timestamp_us) noexcept {
    return timestamp_us >= kEarliestPlausible && timestamp_us < kEndOfPlausible;
}

/// a - b. File names can contain any number: the difference is limited to the range of the type.
inline std::int64_t time_difference(std::uint64_t a, std::uint64_t b) noexcept {
    constexpr std::uint64_t kMost = std::numeric_limits<std::int64_t>::max();
    const auto size = static_cast<std::int64_t>(std::min(a > b ? a - b : b - a, kMost));
    return a < b ? -size : size;
}

/// "40 us later", "0.250 s earlier" or "at the same time".
inline LocalizedText show_later(std::int64_t later_us) {
    return later_us == 0
               ? remarks::phrase("at_same_time")
               : remarks::phrase(later_us < 0 ? "earlier" : "later", {{"duration", remarks::show_duration(later_us)}});
}

}  // namespace opdebug::scan_stage
