// Which side has a bad value in a step.
#include "api_pairs/units.hpp"

#include <algorithm>
#include <string_view>
#include <utility>

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

}  // namespace

StepPair outcome_of(StepUnits units, const Sides& sides) {
    return StepOutcomeOf(units, sides).take();
}

}  // namespace opdebug::api_pairs
