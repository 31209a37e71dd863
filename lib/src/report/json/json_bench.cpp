// The member "bench" of "opdebug.api_report/1".
#include "report/json/json_api.hpp"
#include "report/json/json_parts.hpp"

namespace opdebug::report {
namespace {

using api_pairs::BenchComparison;
using api_pairs::Break;
using api_pairs::PairCounts;
using api_pairs::StepPair;
using api_pairs::ValuePair;

void write_texts(std::string_view name, const std::vector<LocalizedText>& texts, JsonWriter& json) {
    json.begin_array(name);
    for (const LocalizedText& text : texts) {
        json.begin_object();
        json.member("text", text.en);
        json.member("text_zh", text.zh);
        json.end_object();
    }
    json.end_array();
}

void write_pair_counts(const PairCounts& counts, JsonWriter& json) {
    json.member("paired", counts.paired);
    json.member("only_here", counts.only_here);
    json.member("only_there", counts.only_there);
    json.member("not_comparable", counts.not_comparable);
}

void write_step(const StepPair& step, JsonWriter& json) {
    json.begin_object();
    json.member("step", step.step);
    json.member("bench_step", step.bench_step);
    json.member("outcome", to_string(step.outcome));
    json.member("here_bad", step.here_bad);
    json.member("there_bad", step.there_bad);
    json.member("same_call", step.same_call);
    write_text_or_null("first_here", step.first_here, json);
    write_text_or_null("first_there", step.first_there, json);
    write_pair_counts(step.counts, json);
    write_texts("missing", step.missing, json);
    json.end_object();
}

void write_value_pairs(std::string_view name, const std::vector<ValuePair>& pairs, JsonWriter& json) {
    json.begin_array(name);
    for (const ValuePair& pair : pairs) {
        json.begin_object();
        json.member("kind", to_string(pair.here.kind));
        json.member("index", pair.here.index);
        write_text_or_null("dtype_here", pair.here.dtype, json);
        write_text_or_null("dtype_there", pair.there.dtype, json);
        json.member("state_here", to_string(pair.state_here));
        json.member("state_there", to_string(pair.state_there));
        write_extreme("max_here", pair.here.max, json);
        write_extreme("max_there", pair.there.max, json);
        write_extreme("min_here", pair.here.min, json);
        write_extreme("min_there", pair.there.min, json);
        write_extreme("difference", pair.difference, json);
        json.member("distance", to_string(pair.distance));
        json.end_object();
    }
    json.end_array();
}

void write_break(const Break& one, JsonWriter& json) {
    json.begin_object();
    json.member("kind", to_string(one.kind));
    json.member("strength", one.is_strong ? "strong" : "weak");
    json.member("step", one.step);
    json.member("rank", one.rank);
    json.member("api", one.api);
    json.member("position", one.position);
    json.member("file", one.file);
    write_text_or_null("partner", one.partner, json);
    write_text_or_null("partner_file", one.partner_file, json);
    json.member("by_order", one.by_order);
    write_value_pairs("inputs", one.inputs, json);
    write_value_pairs("outputs", one.outputs, json);
    json.member("because", one.because.en);
    json.member("because_zh", one.because.zh);
    json.member("matters", to_string(one.matters));
    json.member("matters_because", one.matters_because.en);
    json.member("matters_because_zh", one.matters_because.zh);
    write_texts("needed", one.needed, json);
    json.end_object();
}

}  // namespace

void write_bench(const BenchComparison* bench, JsonWriter& json) {
    if (bench == nullptr) {
        json.null();
        return;
    }
    json.begin_object();
    json.member("inputs", bench->inputs);
    json.key("counts");
    write_api_counts(bench->counts, json);
    json.begin_object("pairs");
    write_pair_counts(bench->pairs, json);
    json.end_object();
    json.member("only_here", bench->only_here);
    json.member("only_there", bench->only_there);
    json.begin_array("steps");
    for (const StepPair& step : bench->steps) {
        write_step(step, json);
    }
    json.end_array();
    json.member("rule", to_string(bench->rule));
    json.member("problem_step", bench->problem ? bench->steps[*bench->problem].step : std::nullopt);
    json.member("strength", bench->is_strong ? "strong" : "weak");
    json.begin_object("window");
    json.member("steps", bench->window);
    json.member("bad_here", bench->bad_here);
    json.member("bad_there", bench->bad_there);
    json.end_object();
    json.begin_array("breaks");
    for (const Break& one : bench->breaks) {
        write_break(one, json);
    }
    json.end_array();
    write_texts("needed", bench->needed, json);
    json.begin_array("failures");
    for (const Error& failure : bench->failures) {
        write_failure(failure, json);
    }
    json.end_array();
    json.key("diagnostics");
    write_diagnostics(bench->diagnostics, json);
    json.end_object();
}

}  // namespace opdebug::report
