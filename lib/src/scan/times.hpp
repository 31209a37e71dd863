// Times of dumps in microseconds: differences, durations in words, and the range that is plausible.
#pragma once

#include <cstdint>
#include <string>

namespace opdebug::scan_stage {

/// Times closer than this are one burst; times of two clocks that are this close have no certain order.
constexpr std::int64_t kOneSecond = 1'000'000;

/// 2019-01-01 UTC. Overflow dumps appear in documents of 2020 (docs/format.md); a year is left for safety.
constexpr std::uint64_t kEarliestPlausible = 1'546'300'800'000'000;
constexpr std::uint64_t kEndOfPlausible = 4'102'444'800'000'000;  ///< 2100-01-01 UTC

constexpr bool is_plausible(std::uint64_t timestamp_us) noexcept {
    return timestamp_us >= kEarliestPlausible && timestamp_us < kEndOfPlausible;
}

/// a - b. Names of files can hold any number: a difference that does not fit is cut at the limits of the type.
std::int64_t time_difference(std::uint64_t a, std::uint64_t b) noexcept;

/// "0.250 s", "40 us"; without a sign. A difference that was cut is "at least ...".
std::string show_duration(std::int64_t microseconds);

/// "40 us later", "0.250 s earlier" or "at the same time".
std::string show_later(std::int64_t later_us);

}  // namespace opdebug::scan_stage
