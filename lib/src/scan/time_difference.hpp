// Differences of times in microseconds, and how they are told.
#pragma once

#include <cstdint>
#include <string>

namespace opdebug::scan_stage {

/// Times closer than this: one burst; and no certain order where they come from two clocks.
constexpr std::int64_t kOneSecond = 1'000'000;

/// a - b. Times are anybody's numbers: what does not fit is cut at the limits of the type.
std::int64_t time_difference(std::uint64_t a, std::uint64_t b) noexcept;

/// "0.250 s", "40 us"; without a sign. A difference that was cut is "at least ...".
std::string show_duration(std::int64_t microseconds);

/// "40 us later", "0.250 s earlier" or "at the same time".
std::string show_later(std::int64_t later_us);

}  // namespace opdebug::scan_stage
