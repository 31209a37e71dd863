// The document "opdebug.api_report/1". Keys are always present; what is unknown is null.
#include <opdebug/api.hpp>
#include <opdebug/report.hpp>

#include "report/json/json_parts.hpp"

namespace opdebug::report {

using api_pairs::BenchComparison;
using api_pairs::Break;
using api_pairs::PairCounts;
using api_pairs::StepPair;
using api_pairs::ValuePair;

static void write_members(const LocalizedText& text, JsonWriter& json) {
    json.both("text", text);
}

static void write_members(const PairCounts& counts, JsonWriter& json) {
    json.member("paired", counts.paired);
    json.member("only_here", counts.only_here);
    json.member("only_there", counts.only_there);
    json.member("not_comparable", counts.not_comparable);
}

static void write_members(const StepPair& step, JsonWriter& json) {
    json.member("step", step.step);
    json.member("bench_step", step.bench_step);
    json.member("outcome", step.outcome);
    json.member("here_bad", step.here_bad);
    json.member("there_bad", step.there_bad);
    json.member("same_call", step.same_call);
    json.text_member("first_here", step.first_here);
    json.text_member("first_there", step.first_there);
    write_members(step.counts, json);
    json.member("missing", step.missing);
}

static void write_members(const ValuePair& pair, JsonWriter& json) {
    json.member("kind", pair.here.kind);
    json.member("index", pair.here.index);
    json.text_member("dtype_here", pair.here.dtype);
    json.text_member("dtype_there", pair.there.dtype);
    json.member("state_here", pair.state_here);
    json.member("state_there", pair.state_there);
    json.member("max_here", pair.here.max);
    json.member("max_there", pair.there.max);
    json.member("min_here", pair.here.min);
    json.member("min_there", pair.there.min);
    json.member("difference", pair.difference);
    json.member("distance", pair.distance);
}

static void write_members(const Break& one, JsonWriter& json) {
    json.member("kind", one.kind);
    json.member("strength", one.is_strong ? "strong" : "weak");
    json.member("step", one.step);
    json.member("rank", one.rank);
    json.member("api", one.api);
    json.member("position", one.position);
    json.member("file", one.file);
    json.text_member("partner", one.partner);
    json.text_member("partner_file", one.partner_file);
    json.member("by_order", one.by_order);
    json.member("inputs", one.inputs);
    json.member("outputs", one.outputs);
    json.both("because", one.because);
    json.member("matters", one.matters);
    json.both("matters_because", one.matters_because);
    json.member("needed", one.needed);
}

void write_members(const BenchComparison& bench, JsonWriter& json) {
    json.member("inputs", bench.inputs);
    json.member("counts", bench.counts);
    json.member("pairs", bench.pairs);
    json.member("only_here", bench.only_here);
    json.member("only_there", bench.only_there);
    json.member("steps", bench.steps);
    json.member("rule", bench.rule);
    json.member("problem_step", bench.problem ? bench.steps[*bench.problem].step : std::nullopt);
    json.member("strength", bench.is_strong ? "strong" : "weak");
    json.member("window", [&] {
        json.member("steps", bench.window);
        json.member("bad_here", bench.bad_here);
        json.member("bad_there", bench.bad_there);
    });
    json.member("breaks", bench.breaks);
    json.member("needed", bench.needed);
    json.member("failures", bench.failures);
    json.member("diagnostics", bench.diagnostics);
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
    json.objects("tensors", finding.values, [&](const ApiFindingValue& shown) {
        json.member("kind", shown.value.kind);
        json.member("index", shown.value.index);
        json.text_member("dtype", shown.value.dtype);
        json.member("shape", shown.value.shape);
        json.member("max", shown.value.max);
        json.member("min", shown.value.min);
        json.member("state", shown.state);
    });
    json.member("stack", finding.stack);
    json.member("file", finding.file);
    json.member("diagnostics", finding.remarks);
}

std::string api_report_to_json(const ApiReport& report, const api_pairs::BenchComparison* bench,
                               const ReportOptions& options) {
    return JsonWriter::document("opdebug.api_report/1", options, [&](JsonWriter& json) {
        json.member("inputs", report.inputs);
        json.member("counts", report.counts);
        json.member("first", report.first);
        json.member("findings", report.findings);
        json.member("bench", bench);
        json.member("failures", report.failures);
        json.member("diagnostics", report.diagnostics);
    });
}

}  // namespace opdebug::report

std::string opdebug::api_report_to_json(const ApiReport& report, const ReportOptions& options) {
    return report::api_report_to_json(report, nullptr, options);
}
