#include "logs/processes/launches.hpp"

#include <utility>

#include "logs/facts/launch_lines.hpp"

namespace opdebug::logs {
namespace {

/// Launch lines without a stream are those of AICPU kernels on Ascend 950.
bool belong_together(const StoredFact& launch_line, const TaskIds& later, std::int64_t later_us,
                     const Captures& captures) {
    const Fact& launch = launch_line.fact;
    const std::int64_t wait = later_us - launch_line.time_us;
    if (!later.stream_id || wait < -kTogetherUs || wait > kTogetherUs || !may_be_one_launch(launch, later)) {
        return false;
    }
    if (!launch.stream_id) {
        return later.task_type.value_or(kAicpuKernel) == kAicpuKernel;
    }
    return *launch.stream_id == *later.stream_id ||
           captures.leads(*launch.stream_id, *later.stream_id, later.device_id ? later.device_id : launch.device_id,
                          later_us);
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
    launch.user_device_id = launch.user_device_id ? launch.user_device_id : submit.user_device_id;
    prefer_drivers_number(launch);
    launch.task_type = submit.task_type ? submit.task_type : launch.task_type;
    launch.of_model = launch.of_model || submit.of_model;
    launch.task_id_provisional = false;
}

void decide(const StoredFact& launch, const Launches::Decided& decided) {
    if (is_complete(launch.fact)) {
        decided(launch);
    }
}

/// 950: which of the two numbers an overflow record carries is not known, so the task is found under both.
void decide_submitted(const StoredFact& launch, const Launches::Decided& decided) {
    decide(launch, decided);
    const std::uint64_t low_sn = launch.fact.task_sn.value_or(0) & kLowHalfOfTask;
    if (launch.fact.task_sn && launch.fact.task_id != low_sn) {
        StoredFact by_number = launch;
        by_number.fact.task_id = low_sn;
        by_number.fact.task_id_from_sn = true;
        decide(by_number, decided);
    }
}

}  // namespace

void Launches::launch(StoredFact&& launch, bool needed, const Decided& decided) {
    const std::int64_t thread = launch.tid;
    if (const auto before = pending_.find(thread); before != pending_.end()) {
        replace(before->second, decided);
    }
    pending_.insert_or_assign(thread, Pending{std::move(launch), false, needed});
}

/// Another launch of the thread follows.
void Launches::replace(Pending& pending, const Decided& decided) {
    if (pending.renumbered) {
        pending.launch.fact.task_id_provisional = false;
        decide(pending.launch, decided);
    } else if (!has_submit_lines_ && is_complete(pending.launch.fact) &&
               (kinds_unsubmitted_.insert(pending.launch.fact.kind).second || pending.needed)) {
        unsubmitted_.push_back(std::move(pending.launch));
    }
}

void Launches::submit(const StoredFact& submit, const Captures& captures, const Decided& decided) {
    has_submit_lines_ = true;
    unsubmitted_.clear();
    const auto pending = pending_.find(submit.tid);
    if (pending == pending_.end() || !belong_together(pending->second.launch, submit.fact, submit.time_us, captures)) {
        decide_submitted(submit, decided);
        return;
    }
    StoredFact& launch = pending->second.launch;
    take_ids(launch.fact, submit.fact);
    launch.submit = submit.place;
    decide_submitted(launch, decided);
    pending_.erase(pending);
}

void Launches::renumber(StoredFact&& renumbering, const Captures& captures) {
    const auto found = pending_.find(renumbering.tid);
    if (found == pending_.end()) {
        return;
    }
    Pending& pending = found->second;
    Fact& launch = pending.launch.fact;
    if (!launch.stream_id || !belong_together(pending.launch, renumbering.fact, renumbering.time_us, captures) ||
        !same_or_unknown(launch.task_id, renumbering.fact.previous_task_id)) {
        return;
    }
    const bool provisional = launch.task_id_provisional;
    take_ids(launch, renumbering.fact);
    launch.task_id_provisional = provisional;
    pending.launch.submit = std::move(renumbering.place);
    pending.renumbered = true;
}

void Launches::finish(const Decided& decided, const Decided& open) {
    for (StoredFact& launch : unsubmitted_) {
        launch.fact.task_id_unconfirmed = launch.fact.task_id == std::uint64_t{0};
        decided(launch);
    }
    unsubmitted_ = {};
    for (auto& [thread, pending] : pending_) {
        Fact& fact = pending.launch.fact;
        fact.task_id_provisional = fact.task_id_provisional && !pending.renumbered;
        fact.task_id_unconfirmed = !pending.renumbered && (has_submit_lines_ || fact.task_id == std::uint64_t{0});
        decide(pending.launch, open);
    }
    pending_.clear();
}

}  // namespace opdebug::logs
