#include "logs/same_statement.hpp"

#include <algorithm>
#include <array>
#include <optional>

namespace opdebug::logs {
namespace {

constexpr std::uint64_t kAicpuKernel = 1;

/// Task types that are kernels (runtime task_base.hpp): AI Core, AICPU, FFTS, FFTS+, AI vector, fusion, mixed AIC and
/// AIV.
constexpr std::array<std::uint64_t, 8> kKernelTypes{0, kAicpuKernel, 51, 52, 66, 107, 108, 109};

using Number = std::optional<std::uint64_t>;

bool same_or_unknown(const Number& a, const Number& b) noexcept {
    return !a || !b || *a == *b;
}

}  // namespace

bool is_kernel_launch(FactKind kind) noexcept {
    return kind == FactKind::kernel_of_task || kind == FactKind::unnamed_launch;
}

bool submits_a_kernel(FactKind kind, const TaskIds& submit) noexcept {
    return kind == FactKind::submit &&
           std::find(kKernelTypes.begin(), kKernelTypes.end(), submit.task_type.value_or(0)) != kKernelTypes.end();
}

bool may_be_one_launch(const TaskIds& a, const TaskIds& b) noexcept {
    return (!a.task_type || !b.task_type || (*a.task_type == kAicpuKernel) == (*b.task_type == kAicpuKernel)) &&
           same_or_unknown(a.device_id, b.device_id) && same_or_unknown(a.task_sn, b.task_sn);
}

bool is_launch(FactKind kind) noexcept {
    return is_kernel_launch(kind) || kind == FactKind::submit;
}

}  // namespace opdebug::logs
