// What a level says of one overflow.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <opdebug/api_ties.hpp>

namespace opdebug::api_ties {

/// A finding that fits, or the host operation of a trace. What is assumed of the place is added to `because` later.
struct Fit {
    ApiTieLevel level = ApiTieLevel::rank_or_device_only;
    std::optional<std::size_t> finding;
    std::string api;  ///< of a host operation
    std::string because;
    bool takes_profiler_step = false;  ///< a trace's ProfilerStep#N was taken for step N of the dumps
    std::optional<std::uint64_t> rank_of_device = std::nullopt;  ///< that of a trace, taken for the overflow's device
};

/// Those that are told, and how many more there are.
struct Fits {
    std::vector<Fit> told;
    std::size_t left_out = 0;
    bool is_whole = true;  ///< false: less sure levels may add what this one cannot say
};

/// Ties that are told of one overflow. More help nobody: then the level is no answer, but a list.
constexpr std::size_t kMostTies = 5;

/// How far the time of an overflow dump may be from its kernel's. The dump is written when the kernel has ended, on the
/// same host and within milliseconds (inferred). It does not tell executions apart that follow one another faster.
constexpr std::uint64_t kNearMicroseconds = 1'000'000;

}  // namespace opdebug::api_ties
