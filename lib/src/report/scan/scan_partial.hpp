// A partial report: a report as JSON lines with what is needed to merge it with others.
#pragma once

#include <optional>

#include <opdebug/scan_report.hpp>

namespace opdebug::report {

/// The report must be finished. Error: read_failed.
std::optional<Error> write_partial(const ScanReport::Contents& contents, const TextSink& sink);

}  // namespace opdebug::report
