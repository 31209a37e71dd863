// The findings of one side that count as bad, and whether a bad value mattered.
#include "api_pairs/units.hpp"

#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>

#include "api_culprits/value_state.hpp"
#include "remarks/diagnose.hpp"

namespace opdebug::api_pairs {
namespace {

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
    const auto found = std::find_if(bad.begin(), bad.end(), [&paired, only_made](const ApiFinding* finding) {
        const bool is_made = finding->verdict == ApiVerdict::born_here || finding->verdict == ApiVerdict::saturated;
        const auto pair = paired.find({finding->file, finding->position});
        return (!only_made || is_made) && pair != paired.end() && pair->second.clean_there;
    });
    return found == bad.end() ? nullptr : *found;
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
