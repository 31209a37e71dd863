// tie_api_findings(), where more is known of the overflows than they say themselves.
#pragma once

#include <vector>

#include <opdebug/api_ties.hpp>

namespace opdebug::api_ties {

/// `lacking`: for each overflow, whether others of its place may be missing, so that they cannot be counted; empty:
/// none are.
Result<ApiTies> tie_findings(const ApiReport& report, const std::vector<KernelOverflow>& overflows,
                             const ApiTieOptions& options, const std::vector<bool>& lacking);

}  // namespace opdebug::api_ties
