// What API dumps show, on the page of a scan: counts, the first culprits, calls and dumps on one timeline.
#pragma once

#include <string>

#include <opdebug/report.hpp>

#include "report/scan/scan_api.hpp"

namespace opdebug::report {

/// Without a heading.
std::string scan_api_to_text(const ScanApi& api, const ReportOptions& options);

/// The culprits alone, with what could not be read.
std::string scan_api_culprits(const ScanApi& api, const ReportOptions& options);

/// "step 3, rank 0"; what is unknown is said.
std::string api_timeline_place(const ApiTimeline& timeline, Language language);

}  // namespace opdebug::report
