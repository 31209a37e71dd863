#include "scan/kernel_overflows.hpp"

#include <algorithm>
#include <map>
#include <tuple>
#include <utility>
#include <vector>

#include "bytes/unknown_last.hpp"

namespace opdebug::scan_stage {
namespace {

using Id = std::optional<std::uint64_t>;

/// See comes_before().
bool before(const KernelOverflow& a, const KernelOverflow& b) {
    using bytes::unknown_last;
    const auto step_a = unknown_last(a.step), step_b = unknown_last(b.step);
    const auto time_a = unknown_last(a.timestamp_us), time_b = unknown_last(b.timestamp_us);
    return std::tie(step_a, time_a, a.file) < std::tie(step_b, time_b, b.file);
}

/// Step, rank, and the device if the rank is unknown.
using StepAndRank = std::tuple<Id, Id, Id>;

StepAndRank step_and_rank_of(const KernelOverflow& overflow) {
    return {overflow.step, overflow.rank, overflow.rank ? std::nullopt : overflow.device_id};
}

}  // namespace

KernelOverflow kernel_overflow_of(const ScannedDump& scanned) {
    KernelOverflow overflow;
    overflow.file = scanned.file;
    if (scanned.dump) {
        const Dump& dump = *scanned.dump;
        overflow.timestamp_us = dump.timestamp_us;
        overflow.step = dump.path_ids.data_index;
        overflow.rank = dump.path_ids.rank;
        overflow.device_id = dump.path_ids.device_id;
        if (!overflow.device_id && dump.name) {
            overflow.device_id = dump.name->device_id;
        }
        if (const Record* const record = located_record(dump)) {
            overflow.stream_id = record->field(Field::stream_id);
            overflow.task_id = record->field(Field::task_id);
        }
    }
    if (scanned.location.op) {
        const OperatorAnswer& best = scanned.location.op->best;
        overflow.operator_type = best.type.value_or("");
        overflow.operator_name = best.name.value_or("");
        overflow.kernel = best.kernel.value_or("");
    }
    return overflow;
}

void KernelOverflows::add(KernelOverflow overflow) {
    overflows_.push_back(std::move(overflow));
    if (overflows_.size() >= 2 * kOverflows) {
        cut();
    }
}

void KernelOverflows::add(const ScanApiDumps& shard) {
    left_out_ += shard.overflows_left_out;
    for (const KernelOverflow& overflow : shard.overflows) {
        add(overflow);
    }
}

void KernelOverflows::cut() {
    std::sort(overflows_.begin(), overflows_.end(), before);
    const auto same_file = [](const KernelOverflow& a, const KernelOverflow& b) {
        return !before(a, b) && !before(b, a);
    };
    overflows_.erase(std::unique(overflows_.begin(), overflows_.end(), same_file), overflows_.end());
    std::map<StepAndRank, std::size_t> counts;
    const std::size_t all = overflows_.size();
    const auto is_too_many = [&counts](const KernelOverflow& overflow) {
        return ++counts[step_and_rank_of(overflow)] > kOverflowsPerRank;
    };
    overflows_.erase(std::remove_if(overflows_.begin(), overflows_.end(), is_too_many), overflows_.end());
    overflows_.erase(overflows_.begin() + static_cast<std::ptrdiff_t>(std::min(overflows_.size(), kOverflows)),
                     overflows_.end());
    left_out_ += all - overflows_.size();
}

void KernelOverflows::finish(ScanApiDumps& api) {
    cut();
    api.overflows = std::move(overflows_);
    api.overflows_left_out = left_out_;
}

}  // namespace opdebug::scan_stage
