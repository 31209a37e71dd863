#include "api_ties/by_task.hpp"

#include <algorithm>
#include <iterator>
#include <optional>
#include <set>

#include <fmt/format.h>

#include "api_ties/kernel_table.hpp"

namespace opdebug::api_ties {
namespace {

std::uint64_t distance(std::uint64_t left, std::uint64_t right) {
    return left < right ? right - left : left - right;
}

bool contradicts(const KernelOverflow& overflow, const ApiFinding& finding) {
    return !overflow.operator_type.empty() && !finding.operator_type.empty() &&
           plain_name(overflow.operator_type) != plain_name(finding.operator_type);
}

}  // namespace

ByTask::ByTask(const Findings& findings) : findings_(findings) {
    const std::vector<ApiFinding>& all = findings.report().findings;
    for (std::size_t i = 0; i < all.size(); ++i) {
        if (all[i].stream_id && all[i].task_id && chance_of(all[i].verdict) != Chance::never) {
            for (const Place& place : api_ties::places_of(all[i])) {
                tasks_[{place, *all[i].stream_id, *all[i].task_id}].push_back(i);
            }
        }
    }
    for (auto& [task, list] : tasks_) {
        std::stable_sort(list.begin(), list.end(), [&all](std::size_t left, std::size_t right) {
            return all[left].timestamp_us < all[right].timestamp_us;
        });
    }
}

/// Of each place the last two executions in front of the overflow and two behind it, but those of another operator.
FindingList ByTask::nearest(const KernelOverflow& overflow, const std::vector<Place>& places) const {
    const std::vector<ApiFinding>& all = findings_.report().findings;
    FindingList nearest;
    for (const Place& place : places) {
        const auto list = tasks_.find({place, *overflow.stream_id, *overflow.task_id});
        if (list == tasks_.end()) {
            continue;
        }
        const auto behind = std::lower_bound(
            list->second.begin(), list->second.end(), overflow.timestamp_us,
            [&all](std::size_t i, const std::optional<std::uint64_t>& time) { return all[i].timestamp_us < time; });
        const auto before = std::min<std::ptrdiff_t>(2, behind - list->second.begin());
        const auto after = std::min<std::ptrdiff_t>(2, list->second.end() - behind);
        nearest.insert(nearest.end(), behind - before, behind + after);
    }
    nearest.erase(
        std::remove_if(nearest.begin(), nearest.end(), [&](std::size_t i) { return contradicts(overflow, all[i]); }),
        nearest.end());
    return nearest;
}

Fits ByTask::of(const KernelOverflow& overflow, const std::vector<Place>& places) const {
    if (!overflow.stream_id || !overflow.task_id) {
        return {};
    }
    const std::vector<ApiFinding>& all = findings_.report().findings;
    std::optional<std::size_t> best;
    std::uint64_t gap = UINT64_MAX;
    std::set<std::uint64_t> near;  // times of executions
    for (const std::size_t i : nearest(overflow, places)) {
        const bool has_times = overflow.timestamp_us && all[i].timestamp_us;
        const std::uint64_t here = has_times ? distance(*overflow.timestamp_us, *all[i].timestamp_us) : UINT64_MAX;
        best = !best || here < gap ? i : best;
        gap = std::min(gap, here);
        if (here <= kNearMicroseconds) {
            near.insert(*all[i].timestamp_us);
        }
    }
    if (!best) {
        return {};
    }
    Fits fits;
    const auto tell = [&](ApiTieLevel level, const std::string& times) {
        fits.told.push_back(
            {level,
             best,
             {},
             fmt::format("stream {} and task {} are equal{}", *overflow.stream_id, *overflow.task_id, times)});
    };
    if (near.size() == 1) {
        tell(ApiTieLevel::same_run_time, fmt::format(", the times are {} us apart", gap));
    } else if (near.size() > 1) {
        tell(ApiTieLevel::type_and_order,
             fmt::format(", the times are {} us apart; another execution of the task is less than a second away, too",
                         gap));
    } else if (!overflow.operator_type.empty() && !all[*best].operator_type.empty()) {
        tell(ApiTieLevel::type_and_order,
             ", and so is the operator type; the times are not near, or not known: it may be another execution of the "
             "task");
    }
    return fits;
}

}  // namespace opdebug::api_ties
