// From findings and overflows to ties: the levels are asked from the surest down, and the first that answers counts.
#include <opdebug/api_ties.hpp>

#include <utility>

#include <fmt/format.h>

#include "api_ties/findings.hpp"
#include "api_ties/places.hpp"

namespace opdebug {
inline namespace v0 {
namespace {

using namespace api_ties;

/// Ties that are told of one overflow.
constexpr std::size_t kMostTies = 5;

}  // namespace

Result<ApiTies> tie_api_findings(const ApiReport& report, const std::vector<KernelOverflow>& overflows,
                                 const ApiTieOptions& options) {
    ApiTies ties;
    Places places(report, overflows);
    const Findings findings(report);
    for (std::size_t i = 0; i < overflows.size(); ++i) {
        if (options.stop && options.stop()) {
            return Error{ErrorCode::interrupted, "stopped before the overflows were tied", {}, std::nullopt};
        }
        for (const std::size_t finding : findings.of(places.places_of(overflows[i]), kMostTies)) {
            ties.ties.push_back(
                {ApiTieLevel::rank_or_device_only, i, finding, report.findings[finding].api,
                 "nothing but the place fits" + places.assumed(overflows[i], report.findings[finding])});
        }
    }
    ties.diagnostics = places.diagnostics();
    return ties;
}

std::string_view to_string(ApiTieLevel level) noexcept {
    switch (level) {
        case ApiTieLevel::exact: return "exact";
        case ApiTieLevel::same_run_time: return "same_run_time";
        case ApiTieLevel::type_and_order: return "type_and_order";
        case ApiTieLevel::type_only: return "type_only";
        case ApiTieLevel::rank_or_device_only: return "rank_or_device_only";
    }
    return "rank_or_device_only";
}

}  // namespace v0
}  // namespace opdebug
