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

Fits ByTask::of(const KernelOverflow& overflow, const std::vector<Place>& places) const {
    Fits fits;
    if (!overflow.stream_id || !overflow.task_id) {
        return fits;
    }
    const std::vector<ApiFinding>& all = findings_.report().findings;
    FindingList nearest;  // of each place: the last two executions in front of the overflow, and two behind it
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
    const KernelOverflow& asked = overflow;
    nearest.erase(
        std::remove_if(nearest.begin(), nearest.end(), [&](std::size_t i) { return contradicts(asked, all[i]); }),
        nearest.end());
    std::optional<std::size_t> best;
    std::uint64_t gap = UINT64_MAX;
    std::set<std::uint64_t> near;  // times of executions
    for (const std::size_t i : nearest) {
        const bool has_times = overflow.timestamp_us && all[i].timestamp_us;
        const std::uint64_t here = has_times ? distance(*overflow.timestamp_us, *all[i].timestamp_us) : UINT64_MAX;
        best = !best || here < gap ? i : best;
        gap = std::min(gap, here);
        if (here <= kNearMicroseconds) {
            near.insert(*all[i].timestamp_us);
        }
    }
    if (!best) {
        return fits;
    }
    const std::string ids = fmt::format("stream {} and task {} are equal", *overflow.stream_id, *overflow.task_id);
    if (near.size() == 1) {
        fits.told.push_back(
            {ApiTieLevel::same_run_time, best, {}, fmt::format("{}, the times are {} us apart", ids, gap)});
    } else if (near.size() > 1) {
        fits.told.push_back({ApiTieLevel::type_and_order,
                             best,
                             {},
                             fmt::format("{}, the times are {} us apart; another execution of the task is less than a "
                                         "second away, too",
                                         ids, gap)});
    } else if (!overflow.operator_type.empty() && !all[*best].operator_type.empty()) {
        fits.told.push_back({ApiTieLevel::type_and_order,
                             best,
                             {},
                             ids + ", and so is the operator type; the times are not near, or not known: it may be "
                                   "another execution of the task"});
    }
    return fits;
}

}  // namespace opdebug::api_ties
