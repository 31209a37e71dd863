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
#include "api_pairs/pair_rules.hpp"
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
                           [&](std::size_t i) { return evidence.here.found.files[i].file == finding.file; });
    });
    return unit == evidence.units.end() ? nullptr : &*unit;
}

/// The finding next to its partner. Null: it has none.
const FindingPair* pair_of(const ApiFinding& finding, const Unit* unit) {
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
        const FindingPair* const pair = pair_of(finding, unit_of(finding, evidence));
        return pair == nullptr || !pair->values.bad_there;
    });
    for (const Unit& unit : any_here_only ? StepUnits() : evidence.units) {
        const auto bad = evidence.bad_here.of(unit.here, evidence.here, unit.bad_here);
        if (const ApiFinding* const made = first_only_bad(bad, unit.only_bad_here, true)) {
            culprits.push_back(*made);
        }
    }
    return culprits;
}

CallKey partner_key(const FindingPair& pair) {
    return {pair.partner_file, pair.partner_position};
}

void add_pair(const FindingPair& pair, const CallsReadAgain& calls, Break& result) {
    result.partner = pair.partner;
    result.partner_file = pair.partner_file;
    result.by_order = pair.by_order;
    ComparedValues values = calls.compare({result.file, result.position}, partner_key(pair));
    result.inputs = std::move(values.inputs);
    result.outputs = std::move(values.outputs);
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
    const auto found = std::find_if(outputs.begin(), outputs.end(), [](const ValuePair& pair) {
        const double size = std::max(std::fabs(pair.there.max.value_or(0)), std::fabs(pair.there.min.value_or(0)));
        return pair.bad_here_only && size > api_culprits::limit_of(pair.here.dtype).value_or(size);
    });
    return found == outputs.end() ? nullptr : &*found;
}

/// Judges a culprit by its pair.
void judge(const ApiFinding& finding, const FindingPair& pair, Break& result) {
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

/// Whether the finding has a bad result, not only a bad input.
bool has_bad_result(const ApiFinding& finding) {
    return finding.verdict != ApiVerdict::absorbed;
}

/// Whether the call may have made a bad value by itself, which then explains later ones.
bool may_be_origin(const ApiFinding& finding, bool is_own_rank) {
    return finding.verdict != ApiVerdict::inherited && has_bad_result(finding) &&
           (is_own_rank || finding.verdict != ApiVerdict::in_collective);
}

/// Whether no other call of the step explains a later bad value. Findings may have been left out of a full list.
bool is_only_origin(const StepEvidence& evidence, const Break& result) {
    for (const Unit& unit : evidence.units) {
        std::uint64_t origins = 0;
        for (const ApiFinding* const finding : evidence.bad_here.of(unit.here, evidence.here, unit.bad_here)) {
            const bool is_itself = finding->file == result.file && finding->position == result.position;
            const bool is_origin = may_be_origin(*finding, unit.rank == result.rank);
            if ((is_origin && !is_itself) || finding->verdict == ApiVerdict::absorbed) {
                return false;
            }
            origins += is_origin ? 1U : 0U;
        }
        if (origins >= evidence.options.findings_per_verdict) {
            return false;
        }
    }
    return true;
}

/// A bad value of a gradient, of the last call, or of a weight in the next step. Empty: none.
LocalizedText reached_result(const StepEvidence& evidence, const Break& result) {
    for (const Unit& unit : evidence.units) {
        for (const ApiFinding* const later : evidence.bad_here.of(unit.here, evidence.here, unit.bad_here)) {
            const bool is_later = unit.rank == result.rank && later->position > result.position;
            const bool is_gradient = later->api.find(".parameters_grad") != std::string::npos;
            if (is_later && has_bad_result(*later) && (is_gradient || later->position == unit.last_position)) {
                return phrase(is_gradient ? "bench_matters.gradient" : "bench_matters.end", {{"api", later->api}});
            }
        }
    }
    for (const Unit& unit : evidence.next_units) {
        for (const ApiFinding* const later : evidence.bad_here.of(unit.here, evidence.here, unit.bad_here)) {
            if (unit.rank == result.rank && later->verdict == ApiVerdict::weight) {
                return phrase("bench_matters.weight", {{"api", later->api}});
            }
        }
    }
    return {};
}

/// Whether every other call of the step agrees with the benchmark, on all ranks, gradients included.
bool all_others_agree(const StepEvidence& evidence) {
    std::uint64_t different = 0;
    for (const Unit& unit : evidence.units) {
        different += unit.different;
        if (!unit.is_known_here || !unit.is_known_there || !unit.has_backward || !unit.has_gradients) {
            return false;
        }
    }
    return different == 1;
}

void set_matters(Matters matters, LocalizedText because, Break& result) {
    result.matters = matters;
    result.matters_because = std::move(because);
}

void judge_matters(const StepEvidence& evidence, Break& result) {
    const auto own = std::find_if(evidence.units.begin(), evidence.units.end(),
                                  [&result](const Unit& unit) { return unit.rank == result.rank; });
    const bool has_own = own != evidence.units.end();
    const bool is_last = has_own && own->last_position == result.position;
    const LocalizedText reached = reached_result(evidence, result);
    if (!reached.en.empty() && is_only_origin(evidence, result)) {
        set_matters(Matters::reached_results, reached, result);
        return;
    }
    if (reached.en.empty() && !is_last && all_others_agree(evidence)) {
        set_matters(Matters::stayed_inside, phrase("bench_matters.clean"), result);
        return;
    }
    const bool lacks_gradients = !has_own || !own->has_backward || !own->has_gradients;
    set_matters(Matters::unknown, phrase("bench_matters.unknown"), result);
    result.needed.push_back(phrase(is_last           ? "bench_needs.later_calls"
                                   : lacks_gradients ? "bench_needs.gradients"
                                                     : "bench_needs.next_step",
                                   {{"where", location_words(result.step, result.rank)}}));
}

Break culprit_break(const ApiFinding& finding, const StepEvidence& evidence, const CallsReadAgain& calls) {
    Break result;
    result.step = finding.step;
    result.rank = finding.rank;
    result.api = finding.api;
    result.position = finding.position;
    result.file = finding.file;
    const Unit* const unit = unit_of(finding, evidence);
    const FindingPair* const pair = pair_of(finding, unit);
    const LocalizedText where = location_words(finding.step, finding.rank);
    if (pair != nullptr) {
        add_pair(*pair, calls, result);
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

Break value_break(const ValueBreak& found, const Unit& unit, const CallsReadAgain& calls) {
    Break result;
    result.step = unit.step;
    result.rank = unit.rank;
    result.api = found.api;
    result.position = found.position;
    result.file = found.file;
    add_pair(found.pair, calls, result);
    const bool is_clear = found.pair.values.output == Distance::far && !found.pair.by_order &&
                          found.pair.values.input_difference.value_or(0) <= rule("same");
    result.kind = is_clear ? BreakKind::breaks_here : BreakKind::drifts_here;
    result.because = phrase(
        "bench_break.values",
        {{"values", worst_words(result.outputs)}, {"inputs", percent(found.pair.values.input_difference.value_or(0))}});
    set_matters(Matters::unknown, phrase("bench_matters.finite"), result);
    result.needed.push_back(
        phrase("bench_needs.tensor", {{"where", location_words(unit.step, unit.rank)}, {"api", found.api}}));
    return result;
}

/// The first call of a unit with other finite values: a module only if no other call is known.
const ValueBreak* first_value_break(const Unit& unit) {
    const auto api =
        std::find_if(unit.breaks.begin(), unit.breaks.end(), [](const ValueBreak& one) { return !one.is_module; });
    return api != unit.breaks.end() ? &*api : unit.breaks.empty() ? nullptr : &unit.breaks.front();
}

/// Whether the finding shows a bad value that was not intended.
bool shows_bad_value(const ApiFinding& finding) {
    return finding.verdict != ApiVerdict::deliberate && finding.verdict != ApiVerdict::process &&
           finding.verdict != ApiVerdict::clean && !finding.api.ends_with(".debug");
}

/// Whether a value is NaN, +Inf or the positive limit, which are never intended; or the call made it.
bool is_certain(const ApiFinding& finding) {
    if (!shows_bad_value(finding)) {
        return false;
    }
    const bool only_shows = finding.verdict == ApiVerdict::inherited || finding.verdict == ApiVerdict::weight ||
                            finding.verdict == ApiVerdict::absorbed;
    const bool rounded = finding.source == ApiSource::statistic_csv;
    return !only_shows ||
           std::any_of(finding.values.begin(), finding.values.end(), [rounded](const ApiFindingValue& shown) {
               return api_culprits::is_bad(shown.state) && !api_culprits::only_negative_is_bad(shown.value, rounded);
           });
}

}  // namespace

BadCalls::BadCalls(const ApiReport& report) {
    for (const ApiFinding& finding : report.findings) {
        if (shows_bad_value(finding)) {
            by_file_[finding.file].push_back(&finding);
        }
    }
}

BadCalls::Findings BadCalls::of(const std::vector<std::size_t>& files, const SideDumps& side,
                                const PairedBad& paired) const {
    Findings all;
    for (const std::size_t i : files) {
        const auto place = by_file_.find(side.found.files[i].file);
        if (place == by_file_.end()) {
            continue;
        }
        for (const ApiFinding* const finding : place->second) {
            const auto pair = paired.find({finding->file, finding->position});
            if (pair == paired.end() ? is_certain(*finding) : pair->second) {
                all.push_back(finding);
            }
        }
    }
    std::stable_sort(all.begin(), all.end(),
                     [](const ApiFinding* a, const ApiFinding* b) { return a->position < b->position; });
    return all;
}

const ApiFinding* first_only_bad(const BadCalls::Findings& bad, const std::set<CallKey>& only_bad, bool only_made) {
    const auto found = std::find_if(bad.begin(), bad.end(), [&only_bad, only_made](const ApiFinding* finding) {
        const bool is_made = finding->verdict == ApiVerdict::born_here || finding->verdict == ApiVerdict::saturated;
        return (!only_made || is_made) && only_bad.contains({finding->file, finding->position});
    });
    return found == bad.end() ? nullptr : *found;
}

LocalizedText location_words(const Number& step, const Number& rank) {
    const LocalizedText rank_words = rank ? phrase("rank", {{"rank", *rank}}) : phrase("bench_where.rank");
    return step ? phrase("bench_where", {{"step", *step}, {"rank", rank_words}}) : rank_words;
}

std::vector<Break> breaks_of(const StepEvidence& evidence, bool with_culprits, std::vector<Diagnostic>& diagnostics) {
    std::vector<Break> breaks;
    const std::vector<ApiFinding> culprits = with_culprits ? culprits_of(evidence) : std::vector<ApiFinding>();
    breaks.reserve(culprits.size() + evidence.units.size());
    CallsReadAgain calls;
    const auto want = [&calls](const CallKey& call, const FindingPair& pair, const Unit& unit) {
        calls.want(call, unit.rank);
        calls.want(partner_key(pair), unit.rank);
    };
    for (const ApiFinding& finding : culprits) {
        const Unit* const unit = unit_of(finding, evidence);
        if (const FindingPair* const pair = pair_of(finding, unit)) {
            want({finding.file, finding.position}, *pair, *unit);
        }
    }
    for (const Unit& unit : evidence.units) {
        if (const ValueBreak* const found = unit.inputs_apart.empty() ? first_value_break(unit) : nullptr) {
            want({found->file, found->position}, found->pair, unit);
        }
    }
    calls.read(evidence.options);
    for (const ApiFinding& finding : culprits) {
        breaks.push_back(culprit_break(finding, evidence, calls));
    }
    for (const Unit& unit : evidence.units) {
        if (!unit.inputs_apart.empty()) {
            diagnostics.push_back(remarks::diagnose(
                "runs_not_alike", {{"where", location_words(unit.step, unit.rank)}, {"api", unit.inputs_apart}}));
            continue;
        }
        if (const ValueBreak* const found = first_value_break(unit)) {
            breaks.push_back(value_break(*found, unit, calls));
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
