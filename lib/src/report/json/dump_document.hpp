// The record document of a dump of a scan, decoded or not.
#pragma once

#include <opdebug/report.hpp>
#include <opdebug/scan.hpp>

#include "report/json/json_writer.hpp"

namespace opdebug::report {

/// Why a dump failed, with its file; one that failed without an error of its own lacks records.
Error failure_of(const ScannedDump& scanned);

void write_document(const ScannedDump& scanned, const ReportOptions& options, JsonWriter& json);

}  // namespace opdebug::report
