// Lines that tell of a launch: which ones do, and which may tell of one and the same.
#pragma once

#include <cstdint>

#include "logs/facts/fact.hpp"

namespace opdebug::logs {

/// Whether the line names a launched kernel, or says that one without name was launched.
bool is_kernel_launch(FactKind kind) noexcept;
inline bool is_kernel_launch(const Fact& fact) noexcept {
    return is_kernel_launch(fact.kind);
}

/// Whether lines of this kind name what a task runs: an operator, or a kernel.
inline bool names_what_runs(FactKind kind) noexcept {
    return kind == FactKind::kernel_of_task || kind == FactKind::operator_of_task || kind == FactKind::dumped_with_task;
}

/// Of which kinds a line tells of one task by its stream and task alone.
bool is_of_one_task(FactKind kind) noexcept;

/// Taken for the type of a task where the line does not say.
constexpr std::uint64_t kKernelOfAnyType = 0;

/// Whether a submit line is that of a kernel. Flip, event and maintenance tasks of the same thread may stand between a
/// launch and its own submit line.
bool submits_a_kernel(FactKind kind, std::uint64_t task_type) noexcept;
inline bool submits_a_kernel(const Fact& submit) noexcept {
    return submits_a_kernel(submit.kind, submit.task_type.value_or(kKernelOfAnyType));
}

/// Whether two lines about a launch can be about one and the same: both of an AICPU kernel or both of another one, as
/// far as they say, on one device and with one number.
bool may_be_one_launch(const TaskIds& a, const TaskIds& b) noexcept;

/// Whether the fact begins the life of a task: launch lines, and submit lines. That of a kernel is mostly the echo of
/// its launch line.
bool is_launch(FactKind kind) noexcept;
inline bool is_launch(const Fact& fact) noexcept {
    return is_launch(fact.kind);
}

/// Lines that belong together (a launch and its submit lines, the two halves of a statement) stand within microseconds
/// in real logs. A full queue and a slow disk may hold them up, but ids come back after 65535 tasks.
constexpr std::int64_t kTogetherUs = 10'000'000;
/// Longest time between the submit lines of one launch, with a slow disk.
constexpr std::int64_t kSentTogetherUs = 1'000'000;

}  // namespace opdebug::logs
