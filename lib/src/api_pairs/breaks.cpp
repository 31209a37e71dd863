// The calls that explain the difference in one step.
#include "api_pairs/units.hpp"

#include <algorithm>
#include <cmath>
#include <string>
#include <tuple>
#include <utility>

#include <fmt/format.h>

#include "api_culprits/file_judge.hpp"
#include "api_culprits/value_state.hpp"
#include "remarks/diagnose.hpp"

namespace opdebug::api_pairs {
namespace {

using remarks::phrase;

constexpr std::size_t kBreaksListed = 10;

std::string percent(double difference) {
    return std::isfinite(difference) ? fmt::format("{:.3g}%", difference * 100) : std::string("inf");
}

const Unit* unit_of(const ApiFinding& finding, const StepEvidence& evidence) {
    const auto unit = std::find_if(evidence.units.begin(), evidence.units.end(), [&](const Unit& one) {
        return std::any_of(one.here.begin(), one.here.end(),
                           [&](std::size_t i) { return evidence.here.list.files[i].file == finding.file; });
    });
    return unit == evidence.units.end() ? nullptr : &*unit;
}

/// The finding next to its partner. Null: it has none.
const PairedCall* pair_of(const ApiFinding& finding, const Unit* unit) {
    if (unit == nullptr) {
        return nullptr;
    }
    const auto pair = unit->findings.find({finding.file, finding.position});
    return pair == unit->findings.end() || !pair->second.has_partner ? nullptr : &pair->second;
}

/// The culprits of this step alone, with the order of ranks. If the benchmark has all of them, those after them.
std::vector<ApiFinding> culprits_of(const StepEvidence& evidence) {
    std::vector<Result<api_culprits::FileFacts>> facts;
    for (const Unit& unit : evidence.units) {
        for (const std::size_t i : unit.here) {
            facts.push_back(*evidence.here.facts[i]);
        }
    }
    std::vector<ApiFinding> culprits = api_culprits::report_on({}, std::move(facts), {}, evidence.options).first;
    const bool any_here_only = std::any_of(culprits.begin(), culprits.end(), [&evidence](const ApiFinding& finding) {
        const PairedCall* const pair = pair_of(finding, unit_of(finding, evidence));
        return pair == nullptr || !pair->values.bad_there;
    });
    for (const Unit& unit : any_here_only ? StepUnits() : evidence.units) {
        const auto bad = evidence.bad_here.of(unit.here, evidence.here, unit.bad_here);
        if (const ApiFinding* const made = first_only_bad(bad, unit.bad_here, true)) {
            culprits.push_back(*made);
        }
    }
    return culprits;
}

void add_pair(const PairedCall& pair, Break& result) {
    result.partner = pair.partner;
    result.partner_file = pair.partner_file;
    result.by_order = pair.by_order;
    result.inputs = pair.compared.inputs;
    result.outputs = pair.compared.outputs;
}

void set_unknown(LocalizedText because, LocalizedText needed, Break& result) {
    result.kind = BreakKind::not_known;
    result.because = std::move(because);
    result.needed.push_back(std::move(needed));
}

LocalizedText state_words(ApiState state) {
    return phrase(fmt::format("bench_word.state_{}", to_string(state)));
}

LocalizedText difference_words(const ValuePair& pair) {
    const std::string name = api_culprits::name_of(pair.here);
    if (!pair.difference && pair.distance == Distance::apart) {
        return phrase("bench_value.differs", {{"value", name}});
    }
    return pair.difference
               ? phrase("bench_value.difference", {{"value", name}, {"difference", percent(*pair.difference)}})
               : phrase("bench_value.state", {{"value", name},
                                              {"here", state_words(pair.state_here)},
                                              {"there", state_words(pair.state_there)}});
}

/// The value that decides: bad here only, or with the largest difference. Empty: none is known.
LocalizedText worst_words(const std::vector<ValuePair>& values) {
    return values.empty() ? LocalizedText{} : difference_words(values.front());
}

/// A value that the benchmark's wider type contains and the type here cannot. Null: none.
const ValuePair* value_above_type(const std::vector<ValuePair>& outputs) {
    const auto match = std::find_if(outputs.begin(), outputs.end(), [](const ValuePair& pair) {
        const double size = std::max(std::fabs(pair.there.max.value_or(0)), std::fabs(pair.there.min.value_or(0)));
        return pair.bad_here_only && size > api_culprits::limit_of(pair.here.dtype).value_or(size);
    });
    return match == outputs.end() ? nullptr : &*match;
}

/// Judges a culprit by its pair.
void judge(const ApiFinding& finding, const PairedCall& pair, Break& result) {
    const CallPair& values = pair.values;
    const LocalizedText where = location_words(finding.step, finding.rank);
    const bool is_made_here = finding.verdict == ApiVerdict::born_here || finding.verdict == ApiVerdict::saturated ||
                              finding.verdict == ApiVerdict::in_collective;
    if (values.bad_there) {
        result.kind = BreakKind::also_there;
        result.because = phrase("bench_break.also_there");
    } else if (finding.verdict == ApiVerdict::weight) {
        result.kind = BreakKind::inherited_difference;
        result.because = phrase("bench_break.weight");
        result.needed.push_back(phrase("bench_needs.step_before", {{"where", where}}));
    } else if (!is_made_here || values.inputs_compared == 0) {  // gradients of parameters show what a backward made
        set_unknown(phrase("bench_break.source"),
                    phrase("bench_needs.source", {{"where", where}, {"api", finding.api}}), result);
    } else if (pair.is_random) {
        set_unknown(phrase("bench_break.random"), phrase("bench_needs.random", {{"api", finding.api}}), result);
    } else if (values.inputs == Agreement::apart) {
        result.kind = BreakKind::inherited_difference;
        result.because = phrase("bench_break.inputs", {{"values", worst_words(result.inputs)}});
    } else if (values.inputs == Agreement::unknown || !values.bad_here_only) {
        set_unknown(phrase("bench_break.no_statistics"),
                    phrase("bench_needs.statistics", {{"where", where}, {"api", finding.api}}), result);
    } else if (const ValuePair* const above = value_above_type(result.outputs)) {
        set_unknown(
            phrase("bench_break.type", {{"value", api_culprits::name_of(above->here)}, {"type", above->here.dtype}}),
            phrase("bench_needs.type", {{"where", where}, {"api", finding.api}}), result);
    } else {
        result.kind = BreakKind::breaks_here;
        // A call between ranks shows only the inputs of its own rank.
        result.is_strong = !pair.by_order && !pair.twin_differs && finding.verdict != ApiVerdict::in_collective;
        result.because = phrase("bench_break.bad", {{"values", worst_words(result.outputs)}});
    }
}

Break break_at(const Number& step, const Number& rank, const CallKey& call, const std::string& api) {
    Break result;
    result.step = step;
    result.rank = rank;
    result.api = api;
    result.file = call.first;
    result.position = call.second;
    return result;
}

Break culprit_break(const ApiFinding& finding, const StepEvidence& evidence) {
    Break result = break_at(finding.step, finding.rank, {finding.file, finding.position}, finding.api);
    const Unit* const unit = unit_of(finding, evidence);
    const PairedCall* const pair = pair_of(finding, unit);
    const LocalizedText where = location_words(finding.step, finding.rank);
    if (pair != nullptr) {
        add_pair(*pair, result);
    }
    if (unit != nullptr && !unit->inputs_apart.empty()) {  // nothing after other inputs of the first call can be judged
        set_unknown(phrase("bench_break.other_data"), phrase("bench_needs.same_data", {{"where", where}}), result);
    } else if (pair != nullptr) {
        judge(finding, *pair, result);
    } else {
        set_unknown(phrase("bench_break.no_partner"),
                    phrase("bench_needs.partner", {{"where", where}, {"api", finding.api}}), result);
    }
    judge_matters(evidence, result);
    return result;
}

Break value_break(const PairedCall& one, const Unit& unit) {
    Break result = break_at(unit.step, unit.rank, {one.file, one.position}, one.api);
    add_pair(one, result);
    const bool is_clear =
        one.values.output == Distance::far && !one.by_order && one.values.input_difference.value_or(0) <= rule("same");
    result.kind = is_clear ? BreakKind::breaks_here : BreakKind::drifts_here;
    result.because = phrase("bench_break.values", {{"values", worst_words(result.outputs)},
                                                   {"inputs", percent(one.values.input_difference.value_or(0))}});
    set_matters(Matters::unknown, phrase("bench_matters.finite"), result);
    result.needed.push_back(
        phrase("bench_needs.tensor", {{"where", location_words(unit.step, unit.rank)}, {"api", one.api}}));
    return result;
}

/// The first call of a unit with other finite values: a module only if no other call is known.
const PairedCall* first_value_break(const Unit& unit) {
    const auto api =
        std::find_if(unit.breaks.begin(), unit.breaks.end(), [](const PairedCall& one) { return !one.is_module; });
    return api != unit.breaks.end() ? &*api : unit.breaks.empty() ? nullptr : &unit.breaks.front();
}

}  // namespace

LocalizedText location_words(const Number& step, const Number& rank) {
    const LocalizedText rank_words = rank ? phrase("rank", {{"rank", *rank}}) : phrase("bench_where.rank");
    return step ? phrase("bench_where", {{"step", *step}, {"rank", rank_words}}) : rank_words;
}

std::vector<Break> breaks_of(const StepEvidence& evidence, bool with_culprits, std::vector<Diagnostic>& diagnostics) {
    std::vector<Break> breaks;
    const std::vector<ApiFinding> culprits = with_culprits ? culprits_of(evidence) : std::vector<ApiFinding>();
    breaks.reserve(culprits.size() + evidence.units.size());
    for (const ApiFinding& finding : culprits) {
        breaks.push_back(culprit_break(finding, evidence));
    }
    for (const Unit& unit : evidence.units) {
        if (!unit.inputs_apart.empty()) {
            diagnostics.push_back(remarks::diagnose(
                "runs_not_alike", {{"where", location_words(unit.step, unit.rank)}, {"api", unit.inputs_apart}}));
            continue;
        }
        if (const PairedCall* const one = first_value_break(unit)) {
            breaks.push_back(value_break(*one, unit));
        }
    }
    std::stable_sort(breaks.begin(), breaks.end(), [](const Break& a, const Break& b) {
        return std::tuple(!a.is_strong, a.kind == BreakKind::inherited_difference, a.kind) <
               std::tuple(!b.is_strong, b.kind == BreakKind::inherited_difference, b.kind);
    });
    breaks.resize(std::min(breaks.size(), kBreaksListed));
    return breaks;
}

}  // namespace opdebug::api_pairs
