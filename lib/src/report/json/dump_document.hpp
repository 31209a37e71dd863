// The record document "opdebug.record/1", for a writer that continues with the next one.
#pragma once

#include <opdebug/report.hpp>
#include <opdebug/scan.hpp>

#include "report/json/json_writer.hpp"

namespace opdebug::report {

/// As record_to_json().
void write_record_document(const Dump& dump, const Location& location, const TensorEvidence& evidence,
                           const ReportOptions& options, JsonWriter& json);

/// As failure_to_json().
void write_failure_document(const Error& error, const ReportOptions& options, JsonWriter& json);

/// Why a dump failed, with its file; one that failed without an error of its own lacks records.
Error failure_of(const ScannedDump& scanned);

void write_document(const ScannedDump& scanned, const ReportOptions& options, JsonWriter& json);

}  // namespace opdebug::report
