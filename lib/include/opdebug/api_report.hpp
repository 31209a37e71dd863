// The report on API dumps as a document and as a page for people. The functions are thread-safe.
#pragma once

#include <string>

#include <opdebug/export.h>
#include <opdebug/api_culprits.hpp>
#include <opdebug/report.hpp>

namespace opdebug {
inline namespace v0 {

/// The document "opdebug.api_report/1" of what API dumps show.
OPDEBUG_API std::string api_report_to_json(const ApiReport& report, const ReportOptions& options = {});

/// The same as a page for people: the first culprits with their proof and call stack, then the other findings. Ends
/// with a line break.
OPDEBUG_API std::string api_report_to_text(const ApiReport& report, const ReportOptions& options = {});

}  // namespace v0
}  // namespace opdebug
