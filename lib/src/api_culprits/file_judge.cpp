#include "api_culprits/file_judge.hpp"

#include <algorithm>
#include <utility>

#include "api_culprits/exchanges.hpp"
#include "bytes/each_in_parallel.hpp"
#include "bytes/free_descriptors.hpp"

namespace opdebug::api_culprits {
namespace {

constexpr std::size_t kApisKept = 4096;

/// Findings of each verdict and file that are kept until the ranks are matched, even if fewer are wanted: verdicts on
/// calls between ranks can change then, and the earliest counts.
constexpr std::uint64_t kKeptUntilSettled = 1000;

Meaning meaning_of_results(const Call& call, const DraftFinding& draft) {
    return call.entry.placed_early                            ? Meaning::early
           : call.api.leaves_memory                           ? Meaning::unwritten
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

}  // namespace

/// Orders kernels of a statistic.csv by time, because rows are written when results arrive on the host. A kernel
/// without a time stays after the row before it.
std::uint64_t FileJudge::order_of(const ApiEntry& entry) const {
    return entry.phase == ApiPhase::kernel ? last_time_ : entry.position;
}

void FileJudge::note_values(const KnownCall& call) {
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
    if (apis_.size() >= kApisKept && !apis_.contains(entry.api)) {
        apis_.clear();
    }
    const auto [place, is_new] = apis_.try_emplace(entry.api);
    if (is_new) {
        place->second = known_api(entry.api);
    }
    return place->second;
}

KnownCall FileJudge::add(const ApiEntry& entry) {
    set_states(entry, rounded_, states_);
    const KnownCall call{entry, api_of(entry), states_};
    note_values(call);
    last_time_ = entry.timestamp_us.value_or(last_time_);
    if (!waiting_.empty()) {
        place_gradients(entry);
    }
    const bool is_plain = entry.is_nan.value_or(0) == 0 && !entry.is_listed_overflow &&
                          std::none_of(states_.begin(), states_.end(), is_bad) &&
                          communication_of(entry, call.api) == nullptr;
    if (!is_plain) {
        judge(call_of(call, rank_, rounded_));
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
        note_feeders(call, evidence, draft);
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

FileFacts FileJudge::finish(ApiFile file) {
    facts_.file = std::move(file);
    for (const Waiting& gradient : waiting_) {
        if (!gradient.module.empty()) {
            facts_.drafts[gradient.draft].order = facts_.file.entries;  // without a backward of the module: at the end
        }
    }
    return std::move(facts_);
}

Result<FileFacts> judge_file(const api_dump::FoundDump& dump, const ApiOptions& options, Remarks remarks,
                             const std::function<void(const KnownCall&)>& after) {
    const Result<std::optional<ApiSource>> source = dump.source ? dump.source : api_source_of(dump.file);
    if (!source) {
        return source.error();
    }
    ApiFile place;
    place.source = source->value_or(ApiSource::msprobe);
    api_dump::read_location(dump.file, place);
    FileJudge judge(place.source, place.rank, std::max(options.findings_per_verdict, kKeptUntilSettled), remarks);
    const auto use = [&judge, &after](ApiEntry&& entry) {
        const KnownCall call = judge.add(entry);
        if (after) {
            after(call);
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
