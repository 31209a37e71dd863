// How far in time a file or row is from the overflow dump whose task it names.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>

#include "locate/query.hpp"

namespace opdebug::locate_stage {

/// The operator's dump is written within milliseconds of the overflow dump; beyond this the ids may have been reused.
constexpr std::uint64_t kNearUs = 60'000'000;
/// Operators of one task that ran so close to the overflow cannot be told apart by their times.
constexpr std::uint64_t kSameExecutionUs = 1'000'000;
constexpr std::uint64_t kUnknownDistance = std::numeric_limits<std::uint64_t>::max();

inline std::uint64_t distance_of(std::optional<std::uint64_t> a, std::optional<std::uint64_t> b) noexcept {
    return a && b ? std::max(*a, *b) - std::min(*a, *b) : kUnknownDistance;
}

/// "300 us before the overflow dump".
inline std::string describe_distance(std::optional<std::uint64_t> time, const TaskQuery& query) {
    if (!time || !query.timestamp_us) {
        return "one of the times is unknown";
    }
    return std::to_string(distance_of(time, query.timestamp_us)) +
           (*time < *query.timestamp_us ? " us before" : " us after") + " the overflow dump";
}

}  // namespace opdebug::locate_stage
