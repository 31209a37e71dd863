// Parts of the report of a scan that also stand alone.
#pragma once

#include <string>

#include <opdebug/scan_report.hpp>

#include "report/json_writer.hpp"

namespace opdebug::report {

/// An item of "failures": file, code, message with the place.
void write_failure(const Error& error, JsonWriter& json);

/// The last of the JSON lines, without a line break. Needs no documents of the temporary file.
std::string summary_line(const ScanReport::Contents& contents);

}  // namespace opdebug::report
