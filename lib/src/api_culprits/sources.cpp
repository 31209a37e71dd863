// Where the bad inputs of a call come from, in its file.
#include "api_culprits/file_judge.hpp"

#include <algorithm>
#include <cstddef>
#include <optional>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "remarks/diagnose.hpp"

namespace opdebug::api_culprits {
namespace {

constexpr std::size_t kFeedersKept = 16;
constexpr std::size_t kShapesKept = 4096;  // networks have some dozen

}  // namespace

void FileJudge::note_clean_values(const KnownCall& call) {
    const ApiEntry& entry = call.entry;
    for (std::size_t i = 0; i < entry.values.size() && notes_clean_; ++i) {
        const ApiValue& value = entry.values[i];
        const bool is_clean_tensor = is_clean(call.states[i]) && has_elements(value);
        if (!is_clean_tensor || (clean_uses_.size() >= kShapesKept && !clean_uses_.contains(value.shape))) {
            continue;
        }
        const auto [use, is_new] = clean_uses_.try_emplace(value.shape);
        if (is_new || use->second.position != entry.position) {
            use->second.call = entry.name;
        }
        use->second.position = entry.position;
        use->second.kind = value.kind;
        use->second.index = value.index;
    }
}

/// Only if the call before is relevant: after a first bad value most calls have bad ones.
void FileJudge::report_last_clean(const Call& call, const Evidence& evidence, DraftFinding& draft) const {
    const ApiVerdict verdict = draft.finding.verdict;
    const std::vector<std::size_t>& bad = evidence.bad_outputs.empty() ? evidence.bad_inputs : evidence.bad_outputs;
    const bool is_end_of_trail = verdict == ApiVerdict::born_here || verdict == ApiVerdict::saturated ||
                                 verdict == ApiVerdict::in_collective || verdict == ApiVerdict::unknown ||
                                 !draft.untraced.empty();
    if (!is_end_of_trail || bad.empty()) {
        return;
    }
    const std::vector<std::uint64_t>& shape = call.entry.values[bad.front()].shape;
    if (const auto found = clean_uses_.find(shape); found != clean_uses_.end()) {
        const CleanUse& use = found->second;
        draft.finding.remarks.push_back(
            remarks::diagnose("last_clean", {{"shape", fmt::format("{}", fmt::join(shape, ", "))},
                                             {"value", name_of(use.kind, use.index)},
                                             {"call", use.call},
                                             {"position", use.position}}));
    }
}

/// Finds the bad inputs that no earlier result of the file has. Reports the source of the first.
void FileJudge::trace_inputs(const Call& call, const Evidence& evidence, DraftFinding& draft) {
    const bool any_traced = std::any_of(evidence.bad_inputs.begin(), evidence.bad_inputs.end(), [&](std::size_t i) {
        const ApiValue& value = call.entry.values[i];
        return value.is_scalar || seen_.find(value) != nullptr;
    });
    if (!any_traced) {
        draft.untraced = fingerprints(evidence.bad_inputs, call);
    }
    if (draft.finding.verdict != ApiVerdict::weight) {
        report_source(call, evidence, draft);
    }
}

/// Keeps the feeders until the values from other ranks are known to be masks or not.
void FileJudge::note_feeders(const Call& call, const Evidence& evidence, DraftFinding& draft) const {
    const auto feeder_of = [&](std::size_t i) {
        const ApiValue& value = call.entry.values[i];
        const auto* const earlier = value.is_scalar ? nullptr : seen_.find(value);
        return earlier == nullptr ? std::nullopt : earlier->draft;
    };
    for (std::size_t i = 0; i < std::min(evidence.masks.size(), kFeedersKept); ++i) {
        if (const auto feeder = feeder_of(evidence.masks[i])) {
            draft.masks_from.push_back(*feeder);
        }
    }
    if (evidence.bad_inputs.size() > kFeedersKept || !evidence.bad_weights.empty()) {
        return;
    }
    for (const std::size_t i : evidence.bad_inputs) {
        const auto feeder = feeder_of(i);
        if (!feeder) {
            draft.fed_by.clear();
            return;
        }
        draft.fed_by.push_back(*feeder);
    }
}

/// Reports where a bad input was seen before, and marks it there as used.
void FileJudge::report_source(const Call& call, const Evidence& evidence, DraftFinding& draft) {
    for (const std::size_t i : evidence.bad_inputs) {
        const ApiValue& value = call.entry.values[i];
        const auto* const earlier = value.is_scalar ? nullptr : seen_.find(value);
        if (value.is_scalar) {
            draft.finding.remarks.push_back(remarks::diagnose("bad_number", {{"value", name_of(value)}}));
        } else if (earlier == nullptr) {
            draft.finding.remarks.push_back(remarks::diagnose("source_not_dumped", {{"value", name_of(value)}}));
        } else if (earlier->draft) {
            ApiFinding& source = facts_.drafts[*earlier->draft].finding;
            draft.finding.remarks.push_back(remarks::diagnose(
                "fed_by", {{"value", name_of(value)}, {"call", source.api}, {"position", source.position}}));
            if (fed_.insert(*earlier->draft).second) {
                source.remarks.push_back(remarks::diagnose(
                    "feeds",
                    {{"value", name_of(value)}, {"call", call.entry.name}, {"position", call.entry.position}}));
            }
        }
        return;  // the first one is enough
    }
}

}  // namespace opdebug::api_culprits
