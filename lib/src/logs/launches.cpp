#include "logs/launches.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace opdebug::logs {
namespace {

constexpr std::uint64_t kAicpuKernel = 1;

/// Task types that are kernels (runtime task_base.hpp): AI Core, AICPU, FFTS, FFTS+, AI vector, fusion, mixed AIC and
/// AIV.
constexpr std::array<std::uint64_t, 8> kKernelTypes{0, kAicpuKernel, 51, 52, 66, 107, 108, 109};

/// The low bits of a 32-bit task number: as wide as the task id of a record.
constexpr std::uint64_t kTaskIdMask = 0xFFFF;

bool same_or_unknown(const std::optional<std::uint64_t>& a, const std::optional<std::uint64_t>& b) noexcept {
    return !a || !b || *a == *b;
}

/// Launch lines without a stream are those of AICPU kernels on Ascend 950.
bool belong_together(const Fact& launch, const Fact& later, const Captures& captures) {
    if (!later.stream_id) {
        return false;
    }
    if (!launch.stream_id) {
        return later.task_type.value_or(kAicpuKernel) == kAicpuKernel;
    }
    return *launch.stream_id == *later.stream_id ||
           captures.leads(*launch.stream_id, *later.stream_id, later.device_id ? later.device_id : launch.device_id);
}

void take_ids(Fact& launch, const Fact& submit) {
    if (launch.stream_id && launch.stream_id != submit.stream_id) {
        launch.origin_stream_id = launch.stream_id;
    }
    launch.stream_id = submit.stream_id;
    launch.task_id = submit.task_id;
    launch.task_sn = submit.task_sn ? submit.task_sn : launch.task_sn;
    launch.flip_num = submit.flip_num ? submit.flip_num : launch.flip_num;
    launch.device_id = launch.device_id ? launch.device_id : submit.device_id;
    launch.task_id_provisional = false;
}

void decide(StoredFact&& launch, std::vector<StoredFact>& decided) {
    if (is_complete(launch.fact)) {
        decided.push_back(std::move(launch));
    }
}

}  // namespace

bool submits_a_kernel(const Fact& submit) noexcept {
    return std::find(kKernelTypes.begin(), kKernelTypes.end(), submit.task_type.value_or(0)) != kKernelTypes.end();
}

void Launches::launch(StoredFact&& launch, std::vector<StoredFact>& decided) {
    const std::int64_t thread = launch.tid;
    if (const auto found = pending_.find(thread); found != pending_.end()) {
        replace(std::exchange(found->second, {std::move(launch), false}), decided);
        return;
    }
    pending_.emplace(thread, Pending{std::move(launch), false});
}

/// Another launch of the thread follows.
void Launches::replace(Pending&& pending, std::vector<StoredFact>& decided) {
    if (pending.renumbered) {
        pending.launch.fact.task_id_provisional = false;
        decide(std::move(pending.launch), decided);
    } else if (!has_submit_lines_ && is_complete(pending.launch.fact)) {
        unsubmitted_.push_back(std::move(pending.launch));
    }
}

void Launches::submit(StoredFact&& submit, const Captures& captures, std::vector<StoredFact>& decided) {
    has_submit_lines_ = true;
    unsubmitted_.clear();
    const auto found = pending_.find(submit.tid);
    if (found == pending_.end() || !belong_together(found->second.launch.fact, submit.fact, captures)) {
        return;
    }
    StoredFact launch = std::move(found->second.launch);
    pending_.erase(found);
    take_ids(launch.fact, submit.fact);
    launch.submit = std::move(submit.place);
    // 950: which of the two numbers an overflow record carries is not known, so the launch is found under both.
    const std::uint64_t low_sn = launch.fact.task_sn.value_or(0) & kTaskIdMask;
    if (submit.fact.task_sn && launch.fact.task_id != low_sn) {
        StoredFact by_number = launch;
        by_number.fact.task_id = low_sn;
        by_number.fact.task_id_from_sn = true;
        decide(std::move(launch), decided);
        decide(std::move(by_number), decided);
        return;
    }
    decide(std::move(launch), decided);
}

void Launches::renumber(StoredFact&& renumbering, const Captures& captures) {
    const auto found = pending_.find(renumbering.tid);
    if (found == pending_.end()) {
        return;
    }
    Fact& launch = found->second.launch.fact;
    if (!launch.stream_id || !belong_together(launch, renumbering.fact, captures) ||
        !same_or_unknown(launch.task_id, renumbering.fact.previous_task_id)) {
        return;
    }
    const bool provisional = launch.task_id_provisional;
    take_ids(launch, renumbering.fact);
    launch.task_id_provisional = provisional;
    found->second.launch.submit = std::move(renumbering.place);
    found->second.renumbered = true;
}

std::vector<StoredFact> Launches::finish() {
    std::vector<StoredFact> kept = std::move(unsubmitted_);
    for (StoredFact& launch : kept) {
        launch.fact.task_id_unconfirmed = launch.fact.task_id == std::uint64_t{0};
    }
    for (auto& [thread, pending] : pending_) {
        Fact& fact = pending.launch.fact;
        fact.task_id_provisional = fact.task_id_provisional && !pending.renumbered;
        fact.task_id_unconfirmed = !pending.renumbered && (has_submit_lines_ || fact.task_id == std::uint64_t{0});
        decide(std::move(pending.launch), kept);
    }
    pending_.clear();
    return kept;
}

}  // namespace opdebug::logs
