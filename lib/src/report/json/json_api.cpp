// The document "opdebug.api_report/1". Keys are always present; what is unknown is null.
#include <opdebug/api.hpp>
#include <opdebug/report.hpp>

#include "report/json/json_parts.hpp"

namespace opdebug::report {

static void write_members(const ApiFindingValue& shown, JsonWriter& json) {
    json.member("kind", shown.value.kind);
    json.member("index", shown.value.index);
    json.text_member("dtype", shown.value.dtype);
    json.member("shape", shown.value.shape);
    json.member("max", shown.value.max);
    json.member("min", shown.value.min);
    json.member("state", shown.state);
}

void write_members(const ApiCounts& counts, JsonWriter& json) {
    json.member("files", counts.files);
    json.member("entries", counts.entries);
    json.member("steps", counts.steps);
    json.member("ranks", counts.ranks);
    json.member("failed", counts.failed);
}

void write_members(const ApiFinding& finding, JsonWriter& json) {
    json.member("source", finding.source);
    json.member("step", finding.step);
    json.member("rank", finding.rank);
    json.member("api", finding.api);
    json.member("position", finding.position);
    json.member("verdict", finding.verdict);
    json.member("because", finding.because);
    json.member("because_zh", finding.because_zh);
    json.member("tensors", finding.values);
    json.member("stack", finding.stack);
    json.member("file", finding.file);
    json.member("diagnostics", finding.remarks);
}

std::string api_report_to_json(const ApiReport& report, const api_pairs::BenchComparison* bench,
                               const ReportOptions& options) {
    JsonWriter json(options);
    json.begin_object();
    json.member("schema", "opdebug.api_report/1");
    json.member("inputs", report.inputs);
    json.member("counts", report.counts);
    json.member("first", report.first);
    json.member("findings", report.findings);
    json.member("bench", bench);
    json.member("failures", report.failures);
    json.member("diagnostics", report.diagnostics);
    json.end_object();
    return json.take();
}

}  // namespace opdebug::report

std::string opdebug::api_report_to_json(const ApiReport& report, const ReportOptions& options) {
    return report::api_report_to_json(report, nullptr, options);
}
