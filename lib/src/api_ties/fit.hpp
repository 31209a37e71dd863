// What a level says of one overflow.
#pragma once

#include <cstddef>
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
};

/// Those that are told, and how many more there are.
struct Fits {
    std::vector<Fit> told;
    std::size_t left_out = 0;
    bool is_whole = true;  ///< false: less sure levels may add what this one cannot say
};

/// Ties that are told of one overflow. More help nobody: then the level is no answer, but a list.
constexpr std::size_t kMostTies = 5;

}  // namespace opdebug::api_ties
