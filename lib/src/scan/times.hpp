// Times of dumps in microseconds: differences, durations in words, and the range that is plausible.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <string>

#include <fmt/format.h>

#include "remarks/diagnose.hpp"

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

/// "0.250 s", "40 us"; without a sign. A difference that was cut is "at least ...".
inline LocalizedText show_duration(std::int64_t microseconds) {
    // Where time_difference() cuts; as a double, so the nearest 1,000 numbers count as cut as well.
    constexpr auto kCut = static_cast<double>(std::numeric_limits<std::int64_t>::max());
    const auto size = microseconds < 0 ? -static_cast<double>(microseconds) : static_cast<double>(microseconds);
    if (size >= kCut) {
        return remarks::phrase("duration_at_least", {{"seconds", fmt::format("{:.3f}", kCut / 1e6)}});
    }
    return size < 1000 ? remarks::phrase("duration_us", {{"us", fmt::format("{:.0f}", size)}})
                       : remarks::phrase("duration_s", {{"seconds", fmt::format("{:.3f}", size / 1e6)}});
}

/// "40 us later", "0.250 s earlier" or "at the same time".
inline LocalizedText show_later(std::int64_t later_us) {
    return later_us == 0 ? remarks::phrase("at_same_time")
                         : remarks::phrase(later_us < 0 ? "earlier" : "later", {{"duration", show_duration(later_us)}});
}

}  // namespace opdebug::scan_stage
