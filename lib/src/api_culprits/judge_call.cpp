#include "api_culprits/judge_call.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <vector>

#include <fmt/format.h>

#include "remarks/diagnose.hpp"

namespace opdebug::api_culprits {
namespace {

constexpr std::size_t kMostListed = 16;

bool are_only_negative(const std::vector<std::size_t>& values, const Call& call) {
    return std::all_of(values.begin(), values.end(),
                       [&call](std::size_t i) { return only_negative_is_bad(call.entry.values[i], call.rounded); });
}

bool only_limits(const std::vector<std::size_t>& values, const Call& call) {
    return std::all_of(values.begin(), values.end(),
                       [&call](std::size_t i) { return call.states[i] == ApiState::limit; });
}

/// The number arguments of the call, as in x * -65504.0; sorted, because there may be as many as results.
std::vector<double> given_numbers(const Call& call) {
    std::vector<double> numbers;
    for (const ApiValue& value : call.entry.values) {
        if (value.is_scalar && value.kind != ApiValueKind::output && value.max && !std::isnan(*value.max)) {
            numbers.push_back(*value.max);
        }
    }
    std::sort(numbers.begin(), numbers.end());
    return numbers;
}

/// Whether a nearest number on either side is equal.
bool is_one_of(const std::vector<double>& sorted, double number, bool rounded) {
    const auto above = std::lower_bound(sorted.begin(), sorted.end(), number);
    return (above != sorted.end() && are_equal(*above, number, rounded)) ||
           (above != sorted.begin() && are_equal(*std::prev(above), number, rounded));
}

/// Whether each result shows the limit of its type and the limit is an argument of the call.
bool are_given_limits(const std::vector<std::size_t>& results, const Call& call) {
    if (!only_limits(results, call)) {
        return false;
    }
    const std::vector<double> given = given_numbers(call);
    return std::all_of(results.begin(), results.end(), [&](std::size_t i) {
        const ApiValue& value = call.entry.values[i];
        const double limit = limit_of(value.dtype).value_or(0);
        const auto meant = [&](const std::optional<double>& number) {
            return !number || !are_equal(std::fabs(*number), limit, call.rounded) ||
                   is_one_of(given, *number, call.rounded);
        };
        return meant(value.max) && meant(value.min);
    });
}

/// Constants and masks: the bad values in these results are negative only, and made or passed on purpose.
bool are_deliberate(const std::vector<std::size_t>& results, const Call& call, const Evidence& evidence) {
    if (are_given_limits(results, call)) {
        return true;
    }
    const bool makes = call.makes_masks && call.entry.phase != ApiPhase::backward;
    return (makes || !evidence.masks.empty()) && are_only_negative(results, call);
}

/// Constants that are infinite or NaN because such a number is an argument, as in full(shape, inf).
bool are_given_constants(const Call& call, const Evidence& evidence) {
    const std::vector<ApiValue>& values = call.entry.values;
    const auto is_given = [&](const std::optional<double>& number) {
        return !number || std::isfinite(*number) ||
               std::any_of(evidence.bad_inputs.begin(), evidence.bad_inputs.end(), [&](std::size_t i) {
                   return values[i].max == number || (std::isnan(*values[i].max) && std::isnan(*number));
               });
    };
    return call.makes_masks && call.entry.phase == ApiPhase::forward && evidence.bad_weights.empty() &&
           !evidence.bad_outputs.empty() &&
           std::all_of(evidence.bad_inputs.begin(), evidence.bad_inputs.end(),
                       [&values](std::size_t i) { return values[i].is_scalar; }) &&
           std::all_of(evidence.bad_outputs.begin(), evidence.bad_outputs.end(),
                       [&](std::size_t i) { return is_given(values[i].max) && is_given(values[i].min); });
}

/// NaN or +Inf. Limits and -Inf alone are no evidence of an error.
bool is_strong(const std::vector<std::size_t>& values, const Call& call) {
    return std::any_of(values.begin(), values.end(), [&call](std::size_t i) {
        return call.states[i] > ApiState::limit && !only_negative_is_bad(call.entry.values[i], call.rounded);
    });
}

/// Whether the only bad input is the one that the call writes into, measured after the call.
bool shows_its_result_as_input(const Call& call, const Evidence& evidence) {
    return call.entry.inputs_after_call && call.communication == nullptr && call.api.writes_first &&
           evidence.bad_weights.empty() &&
           std::all_of(evidence.bad_inputs.begin(), evidence.bad_inputs.end(), [&call](std::size_t i) {
               const ApiValue& value = call.entry.values[i];
               return value.kind == ApiValueKind::input && first_of(value.index) == "0";
           });
}

/// Whether every bad input is a weight by its position in the API's signature, and no earlier result of the file has
/// its value.
bool are_weights(const Call& call, const Evidence& evidence, const SeenValues& seen) {
    return call.entry.phase == ApiPhase::forward && evidence.bad_weights.empty() &&
           std::all_of(evidence.bad_inputs.begin(), evidence.bad_inputs.end(), [&](std::size_t i) {
               const ApiValue& value = call.entry.values[i];
               return call.api.is_weight(value) && seen.find(value) == nullptr && !seen.was_real_in_any_shape(value);
           });
}

/// A mask that is written in place, with the input measured after the call: "scores.add_(mask)". A known result of an
/// earlier call is no mask.
bool is_mask_written_in_place(const Call& call, const Evidence& evidence, const SeenValues& seen) {
    std::vector<std::size_t> shown = evidence.bad_inputs;
    shown.insert(shown.end(), evidence.bad_outputs.begin(), evidence.bad_outputs.end());
    const bool returns_it = !evidence.bad_outputs.empty() || evidence.outputs == 0;
    const bool was_real = std::any_of(evidence.bad_inputs.begin(), evidence.bad_inputs.end(),
                                      [&](std::size_t i) { return seen.was_real(call.entry.values[i]); });
    return returns_it && !was_real && shows_its_result_as_input(call, evidence) &&
           are_deliberate(shown, call, evidence);
}

void judge_bad_inputs(const Call& call, const Evidence& evidence, const SeenValues& seen, DraftFinding& draft) {
    ApiFinding& finding = draft.finding;
    if (is_mask_written_in_place(call, evidence, seen)) {
        finding.verdict = ApiVerdict::deliberate;
        draft.makes_mask = call.makes_masks;
        draft.is_logarithm = call.api.takes_logarithm;
        set_reason(remarks::phrase(draft.is_logarithm ? "reason.logarithm" : "reason.mask_after_call",
                                   {{"values", words_of(evidence.bad_inputs, call)}}),
                   finding);
        return;
    }
    if (are_given_constants(call, evidence)) {
        finding.verdict = ApiVerdict::born_here;
        draft.is_constant = draft.strong = true;
        set_reason(remarks::phrase("reason.mask", {{"values", words_of(evidence.bad_outputs, call)}}), finding);
        return;
    }
    std::vector<std::size_t> bad = evidence.bad_inputs;
    bad.insert(bad.end(), evidence.bad_weights.begin(), evidence.bad_weights.end());
    draft.strong = is_strong(bad, call) || is_strong(evidence.bad_outputs, call);
    // A batch of messages does not return sent values, and received ones are other values.
    const bool sends = call.communication != nullptr && call.communication->flow == Flow::batch;
    const bool passes_on = !evidence.bad_outputs.empty();
    const bool arguments_are_weights = !evidence.bad_inputs.empty() && are_weights(call, evidence, seen);
    const bool only_weights = evidence.bad_inputs.empty() || arguments_are_weights;
    if (only_weights && (passes_on || evidence.known_outputs == 0)) {
        finding.verdict = ApiVerdict::weight;
        set_reason(remarks::phrase("reason.others_clean", {{"values", words_of(bad, call)}}), finding);
    } else if (!passes_on && !sends && evidence.known_outputs > 0) {
        finding.verdict = ApiVerdict::absorbed;
        set_reason(remarks::phrase("reason.outputs_clean", {{"values", words_of(bad, call)}}), finding);
    } else {
        finding.verdict = ApiVerdict::inherited;
        set_reason(words_of(bad, call), finding);
        if (passes_on && shows_its_result_as_input(call, evidence)) {
            draft.awaits = Awaits::earlier;
        }
    }
    if (finding.verdict == ApiVerdict::weight && arguments_are_weights) {
        draft.finding.remarks.push_back(remarks::diagnose("weight_argument"));
    }
}

void judge_bad_outputs(const Call& call, const Evidence& evidence, DraftFinding& draft) {
    ApiFinding& finding = draft.finding;
    const LocalizedText shown = words_of(evidence.bad_outputs, call);
    draft.strong = true;
    if (call.communication != nullptr) {
        finding.verdict = ApiVerdict::in_collective;
        set_reason(remarks::phrase(call.entry.inputs_dumped ? "reason.rank_clean" : "reason.rank_not_dumped",
                                   {{"values", shown}}),
                   finding);
        draft.awaits = Awaits::other_ranks;
        draft.negative_only = are_only_negative(evidence.bad_outputs, call);
        return;
    }
    if (are_deliberate(evidence.bad_outputs, call, evidence)) {
        finding.verdict = ApiVerdict::deliberate;
        draft.makes_mask = call.makes_masks;
        draft.is_logarithm = call.api.takes_logarithm;
        set_reason(remarks::phrase(draft.is_logarithm ? "reason.logarithm" : "reason.mask", {{"values", shown}}),
                   finding);
        draft.strong = false;
        return;
    }
    // A call without inputs makes its result. A backward has one in any case; its entry may be null.
    const auto is_result = [](const ApiValue& value) { return value.kind == ApiValueKind::output; };
    const bool lacks_inputs =
        !call.entry.inputs_dumped || (call.entry.phase == ApiPhase::backward &&
                                      std::all_of(call.entry.values.begin(), call.entry.values.end(), is_result));
    if (lacks_inputs && evidence.known_inputs == 0) {
        finding.verdict = ApiVerdict::unknown;
        set_reason(remarks::phrase("reason.no_inputs", {{"values", shown}}), finding);
        return;
    }
    if (!evidence.unknown_inputs.empty() && evidence.known_inputs == 0) {
        finding.verdict = ApiVerdict::unknown;
        set_reason(remarks::phrase("reason.inputs_unknown", {{"values", shown}}), finding);
        return;
    }
    finding.verdict = only_limits(evidence.bad_outputs, call) ? ApiVerdict::saturated : ApiVerdict::born_here;
    set_reason(!evidence.masks.empty()           ? remarks::phrase("reason.clean_but_mask",
                                                                   {{"masks", words_of(evidence.masks, call)}, {"values", shown}})
               : evidence.unknown_inputs.empty() ? remarks::phrase("reason.clean", {{"values", shown}})
                                                 : remarks::phrase("reason.measured_clean", {{"values", shown}}),
               finding);
    if (!evidence.unknown_inputs.empty()) {
        draft.finding.remarks.push_back(remarks::diagnose(
            "input_without_statistics", {{"value", name_of(call.entry.values[evidence.unknown_inputs.front()])}}));
    }
    if (!evidence.unwritten.empty()) {
        draft.finding.remarks.push_back(
            remarks::diagnose("unwritten_memory", {{"value", name_of(call.entry.values[evidence.unwritten.front()])}}));
    }
}

/// An overflow that the register shows, or the file by listing the call, and no value.
void judge_flag(const Call& call, const Evidence& evidence, DraftFinding& draft) {
    const bool is_flagged = call.entry.is_nan.value_or(0) != 0;
    if (draft.finding.verdict != ApiVerdict::clean || (!is_flagged && !call.entry.is_listed_overflow)) {
        return;
    }
    const bool are_seen = evidence.known_outputs > 0;
    draft.finding.verdict = ApiVerdict::process;
    set_reason(is_flagged ? remarks::phrase(are_seen ? "reason.register" : "reason.register_unseen",
                                            {{"value", *call.entry.is_nan}})
                          : remarks::phrase(are_seen ? "reason.listed" : "reason.listed_unseen"),
               draft.finding);
    if (!are_seen) {
        draft.finding.remarks.push_back(remarks::diagnose("results_not_seen"));
    }
}

/// The bad values, and the inputs of a call that made them.
void list_values(const Call& call, const Evidence& evidence, DraftFinding& draft) {
    std::vector<std::size_t> listed;
    const auto is_listed = [&listed](std::size_t i) {
        return std::find(listed.begin(), listed.end(), i) != listed.end();
    };
    for (const auto* const group :
         {&evidence.bad_outputs, &evidence.bad_inputs, &evidence.bad_weights, &evidence.masks}) {
        const std::size_t room = std::min(group->size(), kMostListed - std::min(kMostListed, listed.size()));
        listed.insert(listed.end(), group->begin(), group->begin() + static_cast<std::ptrdiff_t>(room));
    }
    const bool is_maker =
        draft.finding.verdict == ApiVerdict::born_here || draft.finding.verdict == ApiVerdict::saturated;
    for (std::size_t i = 0; is_maker && i < call.entry.values.size() && listed.size() < kMostListed; ++i) {
        const ApiValue& value = call.entry.values[i];  // a divisor of 0 is the reason of an infinity
        if (value.kind != ApiValueKind::output && value.max && !is_listed(i)) {
            listed.push_back(i);
        }
    }
    std::sort(listed.begin(), listed.end());
    for (const std::size_t i : listed) {
        const ApiValue& value = call.entry.values[i];
        draft.finding.values.push_back({value, call.states[i]});
    }
}

void judge_gradient(const Call& call, Evidence& evidence, DraftFinding& draft) {
    // A gradient is the only value of its entry, whatever kind the parser assigns.
    std::vector<std::size_t> bad = evidence.bad_outputs;
    for (const auto* const group :
         {&evidence.bad_inputs, &evidence.bad_weights, &evidence.masks, &evidence.unwritten}) {
        bad.insert(bad.end(), group->begin(), group->end());
    }
    if (bad.empty()) {
        return;
    }
    std::sort(bad.begin(), bad.end());
    const bool is_saved = call.entry.phase == ApiPhase::debug;
    draft.finding.verdict = is_saved ? ApiVerdict::unknown : ApiVerdict::inherited;
    set_reason(remarks::phrase(is_saved ? "reason.saved" : "reason.gradient", {{"values", words_of(bad, call)}}),
               draft.finding);
    draft.awaits = is_saved ? Awaits::nothing : Awaits::gradient;
    draft.strong = !is_saved && is_strong(bad, call);
    evidence = Evidence();
    evidence.bad_outputs = std::move(bad);
}

}  // namespace

DraftFinding judge_call(const Call& call, const Evidence& given, const SeenValues& seen) {
    DraftFinding draft;
    draft.finding.verdict = ApiVerdict::clean;
    Evidence evidence = given;
    const bool is_call = call.entry.phase != ApiPhase::parameters_grad && call.entry.phase != ApiPhase::debug;
    if (!is_call) {
        judge_gradient(call, evidence, draft);
    } else if (!evidence.clean_inputs()) {
        judge_bad_inputs(call, evidence, seen, draft);
    } else if (!evidence.bad_outputs.empty() && !call.api.leaves_memory) {
        judge_bad_outputs(call, evidence, draft);
    }
    judge_flag(call, evidence, draft);
    if (draft.finding.verdict != ApiVerdict::clean) {
        list_values(call, evidence, draft);
        draft.bad = fingerprints(evidence.bad_outputs, call);
        draft.bad_weights = fingerprints(evidence.bad_weights, call);
    }
    return draft;
}

}  // namespace opdebug::api_culprits
