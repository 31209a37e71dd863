// How far apart two times of lines are. Saved maps may hold any times, so no difference is computed as a signed number.
#pragma once

#include <cstdint>
#include <limits>

namespace opdebug::logs {

/// Whether `next_us` is at least so much later than `last_us`. `least_us`: above 0.
inline bool is_gap(std::int64_t last_us, std::int64_t next_us, std::int64_t least_us) noexcept {
    return next_us > last_us && static_cast<std::uint64_t>(next_us) - static_cast<std::uint64_t>(last_us) >=
                                    static_cast<std::uint64_t>(least_us);
}

/// How far apart two times lie.
inline std::uint64_t distance_us(std::int64_t a, std::int64_t b) noexcept {
    return static_cast<std::uint64_t>(a < b ? b : a) - static_cast<std::uint64_t>(a < b ? a : b);
}

/// Rotation takes less (inferred): so far apart lie the lines of two runs of one process id at least.
constexpr std::int64_t kLongerThanRotationUs = 1'000'000;

/// A time in the run that a line just before it may begin. In a saved map the begin comes from the files of this
/// map: a line of another map may have been written a little earlier.
inline std::int64_t in_run_of_line(std::int64_t time_us) noexcept {
    constexpr std::int64_t kLess = kLongerThanRotationUs - 1;
    return time_us > std::numeric_limits<std::int64_t>::max() - kLess ? time_us : time_us + kLess;
}

}  // namespace opdebug::logs
