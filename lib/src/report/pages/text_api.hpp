// Parts of the page on API dumps that other pages have as well.
#pragma once

#include <string>

#include <opdebug/api_culprits.hpp>
#include <opdebug/report.hpp>

namespace opdebug::report {

/// "18572 calls in 8 files, 1 step, 8 ranks".
std::string api_counts_text(const ApiReport& report, const ReportOptions& options);

/// The first culprits with their proof and call stack, or that there is none. Begins with an empty line.
std::string api_first_text(const ApiReport& report, const ReportOptions& options);

/// Files that could not be read; empty: none.
std::string api_failures_text(const ApiReport& report, const ReportOptions& options);

}  // namespace opdebug::report
