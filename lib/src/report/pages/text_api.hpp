// Parts of the page on API dumps, alone and on the page of a scan.
#pragma once

#include <string>

#include <opdebug/api.hpp>
#include <opdebug/report.hpp>

#include "report/scan/scan_api.hpp"

namespace opdebug::report {

/// "18572 calls in 8 files, 1 step, 8 ranks".
std::string api_counts_text(const ApiReport& report, const ReportOptions& options);

/// The first culprits with their proof and call stack, or that there is none. Begins with an empty line.
std::string api_first_text(const ApiReport& report, const ReportOptions& options);

/// Files that could not be read; empty: none.
std::string api_failures_text(const ApiReport& report, const ReportOptions& options);

/// Without a heading.
std::string scan_api_to_text(const ScanApi& api, const ReportOptions& options);

/// The culprits alone, with what could not be read.
std::string scan_api_culprits(const ScanApi& api, const ReportOptions& options);

/// "step 3, rank 0"; what is unknown is said.
std::string api_timeline_place(const ApiTimeline& timeline, Language language);

}  // namespace opdebug::report
