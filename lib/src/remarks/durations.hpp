// Durations in words: the one way in which every text shows them.
#pragma once

#include <cstdint>
#include <cstdlib>
#include <limits>

#include <fmt/format.h>

#include "remarks/diagnose.hpp"

namespace opdebug::remarks {

/// "40 us", "0.250 s", rounded to milliseconds; from a minute on the two largest units: "5 min 4 s", "2 d 3 h". Without
/// a sign. The largest number of microseconds is "at least ...".
inline LocalizedText show_duration(std::int64_t microseconds) {
    constexpr std::int64_t kMost = std::numeric_limits<std::int64_t>::max();
    constexpr std::int64_t kMinute = 60, kHour = 60 * kMinute, kDay = 24 * kHour;
    const std::int64_t size = microseconds < -kMost ? kMost : std::abs(microseconds);
    const std::int64_t milliseconds = size / 1000 + (size % 1000 >= 500 ? 1 : 0), seconds = milliseconds / 1000;
    if (size < 1000) {
        return phrase("duration_us", {{"us", size}});
    }
    if (seconds < kMinute) {
        return phrase("duration_s", {{"seconds", fmt::format("{}.{:03}", seconds, milliseconds % 1000)}});
    }
    if (seconds < kHour) {
        return phrase("duration_minutes", {{"minutes", seconds / kMinute}, {"seconds", seconds % kMinute}});
    }
    if (seconds < kDay) {
        return phrase("duration_hours", {{"hours", seconds / kHour}, {"minutes", seconds % kHour / kMinute}});
    }
    LocalizedText days = phrase("duration_days", {{"days", seconds / kDay}, {"hours", seconds % kDay / kHour}});
    return size == kMost ? phrase("duration_at_least", {{"duration", days}}) : days;
}

}  // namespace opdebug::remarks
