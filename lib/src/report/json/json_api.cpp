// The document "opdebug.api_report/1". Keys are always present; what is unknown is null.
#include <cmath>

#include <opdebug/api.hpp>
#include <opdebug/report.hpp>

#include "report/json/json_api.hpp"
#include "report/json/json_parts.hpp"

namespace opdebug {
inline namespace v0 {
namespace {

using report::write_extreme;

void write_value(const ApiFindingValue& shown, report::JsonWriter& json) {
    json.begin_object();
    json.member("kind", to_string(shown.value.kind));
    json.member("index", shown.value.index);
    report::write_text_or_null("dtype", shown.value.dtype, json);
    json.member("shape", shown.value.shape);
    write_extreme("max", shown.value.max, json);
    write_extreme("min", shown.value.min, json);
    json.member("state", to_string(shown.state));
    json.end_object();
}

}  // namespace

std::string api_report_to_json(const ApiReport& report, const ReportOptions& options) {
    return report::api_report_to_json(report, nullptr, options);
}

}  // namespace v0
}  // namespace opdebug

namespace opdebug::report {
namespace {

void write_findings(std::string_view name, const std::vector<ApiFinding>& findings, JsonWriter& json) {
    json.begin_array(name);
    for (const ApiFinding& finding : findings) {
        write_api_finding(finding, json);
    }
    json.end_array();
}

}  // namespace

std::string api_report_to_json(const ApiReport& report, const api_pairs::BenchComparison* bench,
                               const ReportOptions& options) {
    JsonWriter json(options);
    json.begin_object();
    json.member("schema", "opdebug.api_report/1");
    json.member("inputs", report.inputs);
    json.key("counts");
    write_api_counts(report.counts, json);
    write_findings("first", report.first, json);
    write_findings("findings", report.findings, json);
    json.key("bench");
    write_bench(bench, json);
    json.begin_array("failures");
    for (const Error& failure : report.failures) {
        write_failure(failure, json);
    }
    json.end_array();
    json.key("diagnostics");
    write_diagnostics(report.diagnostics, json);
    json.end_object();
    return json.take();
}

/// JSON has no numbers for what these dumps are about: "nan", "inf", "-inf".
void write_extreme(std::string_view name, const std::optional<double>& number, JsonWriter& json) {
    if (number && !std::isfinite(*number)) {
        json.member(name, std::isnan(*number) ? "nan" : *number > 0 ? "inf" : "-inf");
    } else {
        json.member(name, number);
    }
}

void write_api_counts(const ApiCounts& counts, JsonWriter& json) {
    json.begin_object();
    json.member("files", counts.files);
    json.member("entries", counts.entries);
    json.member("steps", counts.steps);
    json.member("ranks", counts.ranks);
    json.member("failed", counts.failed);
    json.end_object();
}

void write_api_finding(const ApiFinding& finding, JsonWriter& json) {
    json.begin_object();
    json.member("source", to_string(finding.source));
    json.member("step", finding.step);
    json.member("rank", finding.rank);
    json.member("api", finding.api);
    json.member("position", finding.position);
    json.member("verdict", to_string(finding.verdict));
    json.member("because", finding.because);
    json.member("because_zh", finding.because_zh);
    json.begin_array("tensors");
    for (const ApiFindingValue& shown : finding.values) {
        write_value(shown, json);
    }
    json.end_array();
    json.member("stack", finding.stack);
    json.member("file", finding.file);
    json.key("diagnostics");
    write_diagnostics(finding.remarks, json);
    json.end_object();
}

}  // namespace opdebug::report
