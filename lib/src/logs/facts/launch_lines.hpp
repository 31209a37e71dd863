// Lines about launches: which lines these are, and which of them may be about the same launch.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

#include "logs/facts/fact.hpp"

namespace opdebug::logs {

/// Whether the line names a launched kernel, or reports that a kernel without name was launched.
inline bool is_kernel_launch(const Fact& fact) noexcept {
    return fact.kind == FactKind::kernel_of_task || fact.kind == FactKind::unnamed_launch;
}

/// Whether lines of this kind name what a task runs: an operator, or a kernel.
inline bool names_what_runs(FactKind kind) noexcept {
    return kind == FactKind::kernel_of_task || kind == FactKind::operator_of_task || kind == FactKind::dumped_with_task;
}

/// The kinds of lines that are about one task by its stream and task alone.
constexpr bool is_of_one_task(FactKind kind) noexcept {
    switch (kind) {
        case FactKind::operator_of_task:
        case FactKind::dumped_with_task:
        case FactKind::kernel_of_task:
        case FactKind::unnamed_launch:
        case FactKind::fault_kernel:
        case FactKind::end_of_graph_task:
        case FactKind::debug_task:
        case FactKind::task_fault:
        case FactKind::overflow_report:
        case FactKind::submit: return true;
        default: return false;
    }
}

/// Task type of AICPU kernels (runtime task_base.hpp).
constexpr std::uint64_t kAicpuKernel = 1;
/// Task type of memory copies by SDMA.
constexpr std::uint64_t kMemoryCopy = 5;

/// Whether a submit line is that of a kernel, or does not show of what. Flip, event and maintenance tasks of the same
/// thread may come between a launch and its own submit line.
inline bool submits_a_kernel(const Fact& submit) noexcept {
    // AI Core, AICPU, FFTS, FFTS+, AI vector, fusion, mixed AIC and AIV (runtime task_base.hpp)
    constexpr std::array<std::uint64_t, 8> kKernels{0, kAicpuKernel, 51, 52, 66, 107, 108, 109};
    return submit.kind == FactKind::submit &&
           std::find(kKernels.begin(), kKernels.end(), submit.task_type.value_or(0)) != kKernels.end();
}

inline bool same_or_unknown(const std::optional<std::uint64_t>& a, const std::optional<std::uint64_t>& b) noexcept {
    return !a || !b || *a == *b;
}

/// Whether two lines about a launch can be about one and the same: both of an AICPU kernel or both of another one, as
/// far as they state, on one device and with one number.
inline bool may_be_one_launch(const TaskIds& a, const TaskIds& b) noexcept {
    return (!a.task_type || !b.task_type || (*a.task_type == kAicpuKernel) == (*b.task_type == kAicpuKernel)) &&
           same_or_unknown(a.device_id, b.device_id) && same_or_unknown(a.task_sn, b.task_sn);
}

/// Whether the fact begins the life of a task: launch lines, and submit lines. That of a kernel is mostly the echo of
/// its launch line.
inline bool is_launch(const Fact& fact) noexcept {
    return is_kernel_launch(fact) || fact.kind == FactKind::submit;
}

/// Lines that belong together (a launch and its submit lines, the two halves of a statement) are microseconds apart in
/// real logs. A full queue and a slow disk may delay them, but ids come back after 65535 tasks.
constexpr std::int64_t kTogetherUs = 10'000'000;
/// Longest time between the submit lines of one launch, with a slow disk.
constexpr std::int64_t kSentTogetherUs = 1'000'000;

}  // namespace opdebug::logs
