#include "logs/facts/launch_lines.hpp"

#include <array>
#include <optional>

namespace opdebug::logs {
namespace {

constexpr std::uint64_t kAicpuKernel = 1;

/// Task types that are kernels (runtime task_base.hpp): AI Core, AICPU, FFTS, FFTS+, AI vector, fusion, mixed AIC and
/// AIV.
constexpr auto kIsKernelType = [] {
    std::array<bool, 110> is_kernel{};
    for (const std::uint64_t type : {std::uint64_t{0}, kAicpuKernel, std::uint64_t{51}, std::uint64_t{52},
                                     std::uint64_t{66}, std::uint64_t{107}, std::uint64_t{108}, std::uint64_t{109}}) {
        is_kernel[type] = true;
    }
    return is_kernel;
}();

using Number = std::optional<std::uint64_t>;

bool same_or_unknown(const Number& a, const Number& b) noexcept {
    return !a || !b || *a == *b;
}

}  // namespace

bool is_kernel_launch(FactKind kind) noexcept {
    return kind == FactKind::kernel_of_task || kind == FactKind::unnamed_launch;
}

bool submits_a_kernel(FactKind kind, std::uint64_t task_type) noexcept {
    return kind == FactKind::submit && task_type < kIsKernelType.size() && kIsKernelType[task_type];
}

bool is_of_one_task(FactKind kind) noexcept {
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

bool may_be_one_launch(const TaskIds& a, const TaskIds& b) noexcept {
    return (!a.task_type || !b.task_type || (*a.task_type == kAicpuKernel) == (*b.task_type == kAicpuKernel)) &&
           same_or_unknown(a.device_id, b.device_id) && same_or_unknown(a.task_sn, b.task_sn);
}

bool is_launch(FactKind kind) noexcept {
    return is_kernel_launch(kind) || kind == FactKind::submit;
}

}  // namespace opdebug::logs
