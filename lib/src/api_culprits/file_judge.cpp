#include "api_culprits/file_judge.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "api_culprits/exchanges.hpp"
#include "bytes/each_in_parallel.hpp"
#include "bytes/free_descriptors.hpp"
#include "remarks/diagnose.hpp"

namespace opdebug::api_culprits {
namespace {

/// Maximum number of clean calls that are kept until it is known whether the file lists overflows only. Such files are
/// short: msprobe and ptdbg stop at the first overflow by default.
constexpr std::size_t kCleanKept = 2000;

constexpr std::size_t kFeedersKept = 16;
constexpr std::size_t kShapesKept = 4096;  // networks have some dozen
constexpr std::size_t kApisKept = 4096;

/// Findings of each verdict and file that are kept until the ranks are matched, even if fewer are wanted: verdicts on
/// calls between ranks can change then, and the earliest counts.
constexpr std::uint64_t kKeptUntilSettled = 1000;

Meaning meaning_of_results(const Call& call, const DraftFinding& draft) {
    return call.entry.placed_early                            ? Meaning::early
           : leaves_memory_as_it_is(call.function)            ? Meaning::unwritten
           : draft.finding.verdict == ApiVerdict::deliberate  ? Meaning::deliberate
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

/// Adds the values that a rank passed to one call to those of another.
void add_given(const Transfer& more, Transfer& sum) {
    sum.gives_bad = sum.gives_bad || more.gives_bad;
    sum.gives_mask = sum.gives_mask || more.gives_mask;
    sum.gives_infinite_mask = sum.gives_infinite_mask || more.gives_infinite_mask;
    sum.unknown_input = sum.unknown_input || more.unknown_input;
    sum.magnitude = std::max(sum.magnitude, more.magnitude);
    sum.limit = std::max(sum.limit, more.limit);
}

}  // namespace

/// Orders kernels of a statistic.csv by time, because rows are written when results arrive on the host. A kernel
/// without a time stays after the row before it.
std::uint64_t FileJudge::order_of(const ApiEntry& entry) const {
    return entry.phase == ApiPhase::kernel ? last_time_ : entry.position;
}

/// Whether no check applies to the call; true for most calls.
bool FileJudge::is_plain(const ApiEntry& entry) const {
    return entry.is_nan.value_or(0) == 0 &&
           std::none_of(entry.values.begin(), entry.values.end(),
                        [this](const ApiValue& value) { return is_bad(state_of(value, rounded_)); });
}

void FileJudge::note_values(const ApiEntry& entry) {
    facts_.has_flags = facts_.has_flags || entry.is_nan || entry.is_nan_unread;
    facts_.unread_flags += entry.is_nan_unread ? 1U : 0U;
    if (entry.timestamp_us) {
        facts_.first_time = std::min(facts_.first_time.value_or(*entry.timestamp_us), *entry.timestamp_us);
    }
    facts_.has_arguments = facts_.has_arguments || !entry.values.empty();
    if (facts_.has_statistics) {
        return;
    }
    for (const ApiValue& value : entry.values) {
        if (has_elements(value)) {
            facts_.has_values = true;
            facts_.has_statistics = facts_.has_statistics || state_of(value, rounded_) != ApiState::unknown;
        }
    }
}

/// The kind of call between ranks, or null. Backwards communicate only in fused calls: torch.distributed's functions
/// have no backward. Each API is looked up once.
const CommunicationApi* FileJudge::communication_of(const ApiEntry& entry) {
    const bool is_backward = entry.phase == ApiPhase::backward;
    const bool is_call = is_backward || entry.phase == ApiPhase::forward || entry.phase == ApiPhase::kernel;
    if (!is_call || entry.is_module) {
        return nullptr;
    }
    const auto known = communication_.find(entry.api);
    const CommunicationApi* const api = known == communication_.end() ? communication_api(entry.api) : known->second;
    if (known == communication_.end() && communication_.size() < kApisKept) {
        communication_.emplace(entry.api, api);
    }
    return api != nullptr && is_backward && !api->computes ? nullptr : api;
}

void FileJudge::add(const ApiEntry& entry) {
    note_values(entry);
    last_time_ = entry.timestamp_us.value_or(last_time_);
    if (!waiting_.empty()) {
        place_gradients(entry);
    }
    const CommunicationApi* const communication = communication_of(entry);
    if (is_plain(entry) && communication == nullptr) {
        keep_clean(entry);
        note_clean_values(entry);
        return;
    }
    judge(call_of(entry, communication, rank_, rounded_));
}

void FileJudge::judge(const Call& call) {
    const Evidence evidence = evidence_of(call, seen_);
    DraftFinding draft = judge_call(call, evidence, seen_);
    const Meaning meaning = meaning_of_results(call, draft);
    std::optional<std::size_t> index;
    if (draft.finding.verdict != ApiVerdict::clean) {
        trace_inputs(call, evidence, draft);
        note_feeders(call, evidence, draft);
        report_last_clean(call, evidence, draft);
        index = add_draft(std::move(draft), call.entry);
    } else {
        keep_clean(call.entry);
    }
    note_results(call, evidence, meaning, index);
    note_clean_values(call.entry);
    if (call.communication != nullptr) {
        note_transfers(call, evidence, index);
    }
}

void FileJudge::note_clean_values(const ApiEntry& entry) {
    if (!notes_clean_) {
        return;
    }
    for (const ApiValue& value : entry.values) {
        const bool is_clean_tensor = has_elements(value) && is_clean(state_of(value, rounded_));
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

void FileJudge::note_results(const Call& call, const Evidence& evidence, Meaning meaning,
                             std::optional<std::size_t> index) {
    for (const std::size_t i : evidence.bad_outputs) {
        const ApiValue& value = call.entry.values[i];
        seen_.add(value, meaning, index);
        if (meaning != Meaning::unwritten && meaning != Meaning::deliberate) {
            const bool infinite = state_of(value, rounded_) > ApiState::limit;
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
    if (entry.phase == ApiPhase::parameters_grad && entry.placed_early) {
        waiting_.push_back({facts_.drafts.size(), entry.api});
    }
    facts_.drafts.push_back(std::move(draft));
    return facts_.drafts.size() - 1;
}

/// Moves gradients that were written early to the backward of their module.
void FileJudge::place_gradients(const ApiEntry& entry) {
    if (!entry.is_module || entry.phase != ApiPhase::backward) {
        return;
    }
    for (Waiting& gradient : waiting_) {
        if (gradient.module == entry.api) {
            facts_.drafts[gradient.draft].order = entry.position;
            facts_.drafts[gradient.draft].behind = entry.name;
            gradient.module.clear();  // the first backward counts
        }
    }
}

void FileJudge::keep_clean(const ApiEntry& entry) {
    if (!notes_clean_ || clean_.size() >= kCleanKept) {
        return;
    }
    Clean& clean = clean_.emplace_back();
    clean.has_known_result = std::any_of(entry.values.begin(), entry.values.end(), [this](const ApiValue& value) {
        return value.kind == ApiValueKind::output && state_of(value, rounded_) != ApiState::unknown;
    });
    note_call(clean.draft, entry);
    clean.draft.order = order_of(entry);
}

void FileJudge::note_transfers(const Call& call, const Evidence& evidence, std::optional<std::size_t> draft) {
    if (draft && call.communication->lists_ranks) {
        facts_.drafts[*draft].bad_pieces = bad_pieces(call, evidence);
    }
    Transfer common;
    common.api = call.communication;
    common.call = call.entry.position;
    common.order = order_of(call.entry);
    common.draft = draft;
    for (GroupedTransfer& grouped : transfers_of(call, evidence, common)) {
        grouped.transfer.group = number_of(std::move(grouped.group));
        join_with_waits(grouped.transfer);
        facts_.transfers.push_back(grouped.transfer);
    }
}

/// A wait returns the results of the calls before it. Several waits may belong to one call; the next call starts a new
/// set.
void FileJudge::join_with_waits(Transfer& transfer) {
    Transfer& given = unawaited_.given;
    if (!transfer.api->waits) {
        if (unawaited_.waits >= unawaited_.calls) {
            unawaited_ = {0, 0, transfer};
        }
        ++unawaited_.calls;
        add_given(transfer, given);
    } else if (unawaited_.calls != 0) {
        ++unawaited_.waits;
        add_given(given, transfer);
        transfer.reduction = given.reduction;
    }
}

std::uint32_t FileJudge::number_of(Group group) {
    std::sort(group.ranks.begin(), group.ranks.end());
    return group_numbers_.emplace(std::move(group), static_cast<std::uint32_t>(group_numbers_.size())).first->second;
}

void FileJudge::give_groups() {
    facts_.groups.resize(group_numbers_.size());
    while (!group_numbers_.empty()) {
        auto group = group_numbers_.extract(group_numbers_.begin());
        facts_.groups[group.mapped()] = std::move(group.key());
    }
}

/// In a file that lists only overflows, the listing itself is the flag.
void FileJudge::settle_lists() {
    if (!facts_.file.lists_overflows_only) {
        return;
    }
    for (Clean& clean : clean_) {
        clean.draft.finding.verdict = ApiVerdict::process;
        set_reason(remarks::phrase(clean.has_known_result ? "reason.listed" : "reason.listed_unseen"),
                   clean.draft.finding);
        if (!clean.has_known_result) {
            report_results_not_seen(clean.draft);
        }
        facts_.drafts.push_back(std::move(clean.draft));
    }
}

FileFacts FileJudge::finish(ApiFile file) {
    facts_.file = std::move(file);
    for (const Waiting& gradient : waiting_) {
        if (!gradient.module.empty()) {
            facts_.drafts[gradient.draft].order = facts_.file.entries;  // without a backward of the module: at the end
        }
    }
    give_groups();
    settle_lists();
    return std::move(facts_);
}

Result<FileFacts> judge_file(const api_dump::FoundDump& dump, const ApiOptions& options, Remarks remarks,
                             const std::function<void(ApiEntry&&)>& after) {
    const Result<std::optional<ApiSource>> source = dump.source ? dump.source : api_source_of(dump.file);
    if (!source) {
        return source.error();
    }
    ApiFile place;
    place.source = source->value_or(ApiSource::msprobe);
    api_dump::read_location(dump.file, place);
    FileJudge judge(place.source, place.rank, std::max(options.findings_per_verdict, kKeptUntilSettled), remarks);
    const auto use = [&judge, &after](ApiEntry&& entry) {
        judge.add(entry);
        if (after) {
            after(std::move(entry));
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

}  // namespace opdebug::api_culprits
