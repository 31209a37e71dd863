#include "api_culprits/file_judge.hpp"

#include <algorithm>
#include <cstddef>
#include <limits>
#include <optional>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "api_culprits/exchanges.hpp"
#include "bytes/each_in_parallel.hpp"
#include "bytes/free_descriptors.hpp"
#include "remarks/diagnose.hpp"

namespace opdebug::api_culprits {
namespace {

constexpr std::size_t kMostApis = 4096;

/// Findings of each verdict and file that are kept until the ranks are matched, even if fewer are wanted: verdicts on
/// calls between ranks can change then, and the earliest counts.
constexpr std::uint64_t kLeastFindings = 1000;

Meaning meaning_of_results(const Call& call, const DraftFinding& draft) {
    return call.api.leaves_memory                             ? Meaning::unwritten
           : draft.finding.verdict == ApiVerdict::deliberate  ? Meaning::deliberate
           : draft.is_constant                                ? Meaning::constant
           : draft.negative_only && !call.communication->sums ? Meaning::received
                                                              : Meaning::real;  // a sum makes -Inf of clean values
}

/// Copies facts of the call to the finding.
void note_call(DraftFinding& draft, const ApiEntry& entry) {
    draft.finding.api = entry.name;
    draft.finding.position = entry.position;
    draft.finding.task_id = entry.task_id;
    draft.finding.stream_id = entry.stream_id;
    draft.finding.timestamp_us = entry.timestamp_us;
    if (entry.phase == ApiPhase::kernel) {
        draft.finding.operator_type = entry.api;
    }
    draft.phase = entry.phase;
    draft.is_module = entry.is_module;
}

constexpr std::size_t kMostFeeders = 16;
constexpr std::size_t kMostShapesNoted = 4096;  // networks have some dozen

}  // namespace

/// Orders kernels of a statistic.csv by time, because rows are written when results arrive on the host. A kernel
/// without a time stays after the row before it. Gradients that were written at the module's forward are last: nothing
/// shows when they arrived.
std::uint64_t FileJudge::order_of(const ApiEntry& entry) const {
    return entry.placed_early                ? std::numeric_limits<std::uint64_t>::max()
           : entry.phase == ApiPhase::kernel ? last_time_
                                             : entry.position;
}

void FileJudge::note_values(const Call& call) {
    const ApiEntry& entry = call.entry;
    facts_.has_flags = facts_.has_flags || entry.is_nan || entry.is_nan_unread;
    facts_.unread_flags += entry.is_nan_unread ? 1U : 0U;
    if (entry.timestamp_us) {
        facts_.first_time = std::min(facts_.first_time.value_or(*entry.timestamp_us), *entry.timestamp_us);
    }
    facts_.has_arguments = facts_.has_arguments || !entry.values.empty();
    for (std::size_t i = 0; i < entry.values.size() && !facts_.has_statistics; ++i) {
        if (has_elements(entry.values[i])) {
            facts_.has_values = true;
            facts_.has_statistics = call.states[i] != ApiState::unknown;
        }
    }
}

/// Each API is looked up once.
const KnownApi& FileJudge::api_of(const ApiEntry& entry) {
    if (apis_.size() >= kMostApis && !apis_.contains(entry.api)) {
        apis_.clear();
    }
    const auto [known, is_new] = apis_.try_emplace(entry.api);
    if (is_new) {
        known->second = known_api(entry.api);
    }
    return known->second;
}

Call FileJudge::add(const ApiEntry& entry) {
    set_states(entry, rounded_, states_);
    Call call = call_of(entry, api_of(entry), states_, rank_, rounded_);
    note_values(call);
    last_time_ = entry.timestamp_us.value_or(last_time_);
    const bool is_plain = entry.is_nan.value_or(0) == 0 && !entry.is_listed_overflow &&
                          std::none_of(states_.begin(), states_.end(), is_bad) && call.communication == nullptr;
    if (!is_plain) {
        judge(call);
    }
    note_clean_values(call);
    return call;
}

void FileJudge::judge(const Call& call) {
    const Evidence evidence = evidence_of(call, seen_);
    DraftFinding draft = judge_call(call, evidence, seen_);
    const Meaning meaning = meaning_of_results(call, draft);
    std::optional<std::size_t> index;
    if (draft.finding.verdict != ApiVerdict::clean) {
        trace_inputs(call, evidence, draft);
        report_last_clean(call, evidence, draft);
        index = add_draft(std::move(draft), call.entry);
    }
    note_results(call, evidence, meaning, index);
    if (call.communication != nullptr) {
        note_transfers(call, evidence, index);
    }
}

void FileJudge::note_results(const Call& call, const Evidence& evidence, Meaning meaning,
                             std::optional<std::size_t> index) {
    for (const std::size_t i : evidence.bad_outputs) {
        const ApiValue& value = call.entry.values[i];
        seen_.add(value, meaning, index);
        if (meaning != Meaning::unwritten && meaning != Meaning::deliberate && meaning != Meaning::constant) {
            const bool infinite = call.states[i] > ApiState::limit;
            facts_.shows_infinity = facts_.shows_infinity || infinite;
            facts_.shows_limit = facts_.shows_limit || !infinite;
        }
    }
}

std::optional<std::size_t> FileJudge::add_draft(DraftFinding&& draft, const ApiEntry& entry) {
    if (counts_[draft.finding.verdict]++ >= bound_) {
        ++facts_.left_out;
        return std::nullopt;
    }
    note_call(draft, entry);
    draft.order = order_of(entry);
    facts_.drafts.push_back(std::move(draft));
    return facts_.drafts.size() - 1;
}

FileFacts FileJudge::finish(ApiFile file) {
    facts_.file = std::move(file);
    return std::move(facts_);
}

Result<FileFacts> judge_file(const api_dump::DumpFile& dump, const ApiOptions& options, Remarks remarks,
                             const std::function<void(const Call&, ApiEntry&&)>& after) {
    const Result<std::optional<ApiSource>> source = dump.source ? dump.source : api_source_of(dump.file);
    if (!source) {
        return source.error();
    }
    ApiFile location;
    location.source = source->value_or(ApiSource::msprobe);
    api_dump::read_location(dump.file, location);
    FileJudge judge(location.source, location.rank, std::max(options.findings_per_verdict, kLeastFindings), remarks);
    const auto use = [&judge, &after](ApiEntry&& entry) {
        const Call call = judge.add(entry);
        if (after) {
            after(call, std::move(entry));
        }
    };
    Result<ApiFile> file = *source ? api_dump::read_as(**source, dump.file, options.read, use)
                                   : read_api_dump(dump.file, options.read, use);
    if (!file) {
        return std::move(file).error();
    }
    FileFacts facts = judge.finish(std::move(*file));
    if (std::optional<Error> error = settle_modules(facts, options.read)) {
        return std::move(*error);
    }
    return facts;
}

unsigned threads_of(const ApiOptions& options, std::size_t pieces) {
    const std::size_t useful = std::clamp<std::size_t>(pieces, 1, bytes::thread_count(options.threads));
    return bytes::threads_with_files(static_cast<unsigned>(useful));
}

void FileJudge::note_clean_values(const Call& call) {
    const ApiEntry& entry = call.entry;
    for (std::size_t i = 0; i < entry.values.size() && notes_clean_; ++i) {
        const ApiValue& value = entry.values[i];
        const bool is_clean_tensor = is_clean(call.states[i]) && has_elements(value);
        if (!is_clean_tensor || (clean_uses_.size() >= kMostShapesNoted && !clean_uses_.contains(value.shape))) {
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
    if (const auto match = clean_uses_.find(shape); match != clean_uses_.end()) {
        const CleanUse& use = match->second;
        draft.finding.remarks.push_back(
            remarks::diagnose("last_clean", {{"shape", fmt::format("{}", fmt::join(shape, ", "))},
                                             {"value", name_of(use.kind, use.index)},
                                             {"call", use.call},
                                             {"position", use.position}}));
    }
}

/// Notes which earlier findings of the file made the bad inputs and the assumed masks: values from other ranks may turn
/// out to be masks.
void FileJudge::trace_inputs(const Call& call, const Evidence& evidence, DraftFinding& draft) {
    const auto earlier_of = [&](std::size_t i) {
        const ApiValue& value = call.entry.values[i];
        return value.is_scalar ? nullptr : seen_.find(value);
    };
    bool any_traced = false, all_fed = evidence.bad_inputs.size() <= kMostFeeders && evidence.bad_weights.empty();
    for (const std::size_t i : evidence.bad_inputs) {
        const auto* const earlier = earlier_of(i);
        any_traced = any_traced || earlier != nullptr || call.entry.values[i].is_scalar;
        all_fed = all_fed && earlier != nullptr && earlier->draft;
        if (all_fed) {
            draft.fed_by.push_back(*earlier->draft);
        }
    }
    if (!all_fed) {
        draft.fed_by.clear();
    }
    if (!any_traced) {
        draft.untraced = fingerprints(evidence.bad_inputs, call);
    }
    for (std::size_t i = 0; i < std::min(evidence.masks.size(), kMostFeeders); ++i) {
        const auto* const earlier = earlier_of(evidence.masks[i]);
        if (earlier != nullptr && earlier->draft) {
            draft.masks_from.push_back(*earlier->draft);
        }
    }
    if (draft.finding.verdict != ApiVerdict::weight && !evidence.bad_inputs.empty()) {
        report_source(call, call.entry.values[evidence.bad_inputs.front()], draft);
    }
}

/// Reports where the first bad input was seen before, and marks it there as used.
void FileJudge::report_source(const Call& call, const ApiValue& value, DraftFinding& draft) {
    const auto* const earlier = value.is_scalar ? nullptr : seen_.find(value);
    if (earlier == nullptr) {
        draft.finding.remarks.push_back(
            remarks::diagnose(value.is_scalar ? "bad_number" : "source_not_dumped", {{"value", name_of(value)}}));
    } else if (earlier->draft) {
        ApiFinding& source = facts_.drafts[*earlier->draft].finding;
        draft.finding.remarks.push_back(remarks::diagnose(
            "fed_by", {{"value", name_of(value)}, {"call", source.api}, {"position", source.position}}));
        if (fed_.insert(*earlier->draft).second) {
            source.remarks.push_back(remarks::diagnose(
                "feeds", {{"value", name_of(value)}, {"call", call.entry.name}, {"position", call.entry.position}}));
        }
    }
}

}  // namespace opdebug::api_culprits
