// What several scans, as of the hosts of a job, found in API dumps → one report.
#pragma once

#include <cstddef>
#include <memory>
#include <vector>

#include <opdebug/api_culprits.hpp>

namespace opdebug::report {

/// Nothing is compared between the scans: first is what is first of those with the earliest step. `places`: of the
/// findings of all reports, one after the other, the index in the new one.
std::shared_ptr<const ApiReport> one_api_report_of(const std::vector<std::shared_ptr<const ApiReport>>& reports,
                                                   std::vector<std::size_t>& places);

}  // namespace opdebug::report
