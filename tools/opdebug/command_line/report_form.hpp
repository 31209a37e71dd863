// --format of the commands that write a scan's report.
#pragma once

#include <opdebug/scan_report.hpp>

#include "command_line/arguments.hpp"

namespace opdebug::tool {

using WriteReport = std::optional<Error> (ScanReport::*)(const TextSink&) const;

/// --format
Option form_option();

/// --trace
Option trace_option();

/// Reads --format, which depends on where the report goes: what is to be kept for it, and colour. Partial reports
/// (`report.partial`) are JSON lines with all that is kept; in other forms there is none.
WriteReport read_form(const ParsedArguments& arguments, bool to_file, ScanReportOptions& report);

}  // namespace opdebug::tool
