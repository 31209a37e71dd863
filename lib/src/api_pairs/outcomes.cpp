// Which side has a bad value in a step, by the findings that count as bad; whether a bad value mattered.
#include "api_pairs/units.hpp"

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

#include "api_culprits/value_state.hpp"
#include "remarks/diagnose.hpp"

namespace opdebug::api_pairs {
namespace {

using remarks::phrase;

void add_missing(std::string_view id, const Unit& unit, StepPair& step) {
    step.missing.push_back(phrase(id, {{"where", location_words(unit.step, unit.rank)}}));
}

/// A step while its ranks are added.
class StepOutcomeOf {
public:
    StepOutcomeOf(StepUnits units, const Sides& sides) {
        step_.step = units.front().step;
        step_.bench_step = units.front().bench_step;
        has_bench_ = std::any_of(units.begin(), units.end(), [](const Unit& unit) { return !unit.there.empty(); });
        for (const Unit& unit : units) {
            add(unit, sides);
        }
        step_.outcome = outcome();
        step_.may_be_problem =
            step_.outcome == StepOutcome::not_comparable && has_here_ && (step_.here_bad || !known_here_ || lacks_);
        step_.same_call = step_.outcome == StepOutcome::there_too && same_calls_;
    }

    StepPair take() { return std::move(step_); }

private:
    void add(const Unit& unit, const Sides& sides) {
        const auto here = sides.bad_here.of(unit.here, sides.here, unit.bad_here);
        const auto there = sides.bad_there.of(unit.there, sides.there, unit.bad_there);
        step_.counts += unit.counts;
        has_here_ = has_here_ || !unit.here.empty();
        if (unit.is_ambiguous) {
            add_missing("bench_needs.one_run", unit, step_);
        } else {
            known_here_ = note(unit.is_known_here, "bench_needs.here", unit) && known_here_;
            const bool lacks_rank = unit.there.empty() && has_bench_;
            known_there_ =
                note(unit.is_known_there, lacks_rank ? "bench_needs.rank" : "bench_needs.there", unit) && known_there_;
        }
        known_here_ = known_here_ && !unit.is_ambiguous;
        known_there_ = known_there_ && !unit.is_ambiguous;
        step_.first_here = step_.first_here.empty() && !here.empty() ? here.front()->api : step_.first_here;
        step_.first_there = step_.first_there.empty() && !there.empty() ? there.front()->api : step_.first_there;
        step_.here_bad = step_.here_bad || !here.empty();
        step_.there_bad = step_.there_bad || !there.empty();
        // Bad values of both sides explain each other only where they are the same event.
        const bool is_only_here = first_only_bad(here, unit.bad_here, !there.empty()) != nullptr;
        only_here_ = only_here_ || is_only_here;
        const bool is_only_there = first_only_bad(there, unit.bad_there, !here.empty()) != nullptr;
        step_.made_there = step_.made_there || is_only_there;
        both_made_ = both_made_ && (is_only_there || !is_only_here);
        unpaired_ = here.empty() || !there.empty() || is_only_here ? unpaired_ : &unit;
        if (!unit.without_values.empty()) {
            lacks_ = true;
            step_.missing.push_back(phrase("bench_needs.statistics", {{"where", location_words(unit.step, unit.rank)},
                                                                      {"api", unit.without_values}}));
        }
        same_calls_ = same_calls_ && here.empty() == there.empty() &&
                      (here.empty() || are_pair(*here.front(), *there.front(), unit));
    }

    bool note(bool is_known, std::string_view id, const Unit& unit) {
        if (!is_known) {
            add_missing(id, unit, step_);
        }
        return is_known;
    }

    static bool are_pair(const ApiFinding& here, const ApiFinding& there, const Unit& unit) {
        const auto pair = unit.findings.find({here.file, here.position});
        return pair != unit.findings.end() && pair->second.partner == there.api;
    }

    /// Each rank is judged alone: a bad value of another rank of the benchmark explains nothing.
    StepOutcome outcome() {
        if (step_.here_bad && !only_here_ && unpaired_ == nullptr) {
            return StepOutcome::there_too;
        }
        if (step_.here_bad && known_there_ && !only_here_) {
            add_missing("bench_needs.calls", *unpaired_, step_);
            return StepOutcome::not_comparable;
        }
        if (step_.here_bad) {
            step_.made_here = known_there_;
            return !known_there_ ? StepOutcome::not_comparable
                   : both_made_  ? StepOutcome::there_too
                                 : StepOutcome::here_only;
        }
        if (step_.there_bad) {
            return known_here_ && !lacks_ ? StepOutcome::there_only : StepOutcome::not_comparable;
        }
        return known_here_ && known_there_ && !lacks_ ? StepOutcome::neither : StepOutcome::not_comparable;
    }

    StepPair step_;
    bool has_bench_ = false;  ///< a rank of the benchmark has the step
    bool has_here_ = false, known_here_ = true, known_there_ = true, same_calls_ = true;
    bool both_made_ = true;           ///< each rank with a value that is bad only here has one that is bad only there
    bool only_here_ = false;          ///< a rank has a bad value that is clean on the other side
    bool lacks_ = false;              ///< a result has no known state
    const Unit* unpaired_ = nullptr;  ///< bad here, not bad there, and not known to be clean there
};

using remarks::phrase;

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

}  // namespace

StepPair outcome_of(StepUnits units, const Sides& sides) {
    return StepOutcomeOf(units, sides).take();
}

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
        const auto slot = by_file_.find(side.list.files[i].file);
        if (slot == by_file_.end()) {
            continue;
        }
        for (const ApiFinding* const finding : slot->second) {
            const auto pair = paired.find({finding->file, finding->position});
            if (pair == paired.end() ? is_certain(*finding) : pair->second.counts) {
                all.push_back(finding);
            }
        }
    }
    std::stable_sort(all.begin(), all.end(),
                     [](const ApiFinding* a, const ApiFinding* b) { return a->position < b->position; });
    return all;
}

const ApiFinding* first_only_bad(const BadCalls::Findings& bad, const PairedBad& paired, bool only_made) {
    const auto match = std::find_if(bad.begin(), bad.end(), [&paired, only_made](const ApiFinding* finding) {
        const bool is_made = finding->verdict == ApiVerdict::born_here || finding->verdict == ApiVerdict::saturated;
        const auto pair = paired.find({finding->file, finding->position});
        return (!only_made || is_made) && pair != paired.end() && pair->second.clean_there;
    });
    return match == bad.end() ? nullptr : *match;
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

}  // namespace opdebug::api_pairs
