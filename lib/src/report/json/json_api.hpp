// Parts of the report on API dumps that other documents have as well.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include <opdebug/api.hpp>
#include <opdebug/report.hpp>

#include "api_pairs/bench.hpp"
#include "report/json/json_writer.hpp"

namespace opdebug::report {

/// api_report_to_json() with the comparison; null: without a benchmark.
std::string api_report_to_json(const ApiReport& report, const api_pairs::BenchComparison* bench,
                               const ReportOptions& options);

/// The member "bench".
void write_bench(const api_pairs::BenchComparison* bench, JsonWriter& json);

/// A number, "nan", "inf" or "-inf", or null.
void write_extreme(std::string_view name, const std::optional<double>& number, JsonWriter& json);

void write_api_counts(const ApiCounts& counts, JsonWriter& json);

/// An item of "findings".
void write_api_finding(const ApiFinding& finding, JsonWriter& json);

}  // namespace opdebug::report
