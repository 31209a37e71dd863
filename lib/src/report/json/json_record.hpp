// The record document, told to a writer that goes on with the next one.
#pragma once

#include <opdebug/report.hpp>

#include "report/json/json_writer.hpp"

namespace opdebug::report {

/// As record_to_json().
void write_record_document(const Dump& dump, const Location& location, const TensorEvidence& evidence,
                           const ReportOptions& options, JsonWriter& json);

/// As failure_to_json().
void write_failure_document(const Error& error, const ReportOptions& options, JsonWriter& json);

}  // namespace opdebug::report
