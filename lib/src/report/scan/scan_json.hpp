// Parts of the report of a scan that also stand alone.
#pragma once

#include <optional>
#include <string>

#include <opdebug/scan_report.hpp>

#include "report/json/sink_writer.hpp"

namespace opdebug::report {

/// The first of the JSON lines. `partial`: the member of that name, as JSON.
void write_begin_line(const ScanReport::Contents& contents, const std::optional<std::string>& partial, SinkWriter& out);

/// The last of them. Needs no documents of the temporary file. Error: read_failed, of a merged report; the line was
/// begun then.
std::optional<Error> write_summary_line(const ScanReport::Contents& contents, const std::optional<std::string>& partial,
                                        SinkWriter& out);

/// The same of an ordinary report, without its line break.
Result<std::string> summary_line(const ScanReport::Contents& contents);

}  // namespace opdebug::report
