#include "locate/statistic_list.hpp"

#include <algorithm>
#include <tuple>
#include <utility>

#include <opdebug/api.hpp>

#include "locate/op_dump_candidates.hpp"

namespace opdebug::locate_stage {
namespace {

auto key_of(const ListedOperator& op) {
    return std::tuple(op.stream_id, lower_half(op.task_id));
}

bool is_same_operator(const ListedOperator& a, const ListedOperator& b) {
    return a.name == b.name && a.type == b.type;
}

/// Each operator once, by its nearest execution.
std::vector<NearOperator> each_once(const std::vector<NearOperator>& sorted) {
    std::vector<NearOperator> once;
    for (const NearOperator& candidate : sorted) {
        const bool is_new = std::none_of(once.begin(), once.end(), [&candidate](const NearOperator& known) {
            return is_same_operator(*known.op, *candidate.op);
        });
        if (is_new) {
            once.push_back(candidate);
        }
    }
    return once;
}

}  // namespace

StatisticList::StatisticList(std::string file, const Limits& limits) : file_(std::move(file)) {
    ApiReadOptions options;
    options.limits = limits;
    const auto add = [this](ApiEntry&& entry) {
        if (entry.task_id && entry.stream_id && !entry.name.empty()) {
            operators_.push_back(
                {*entry.stream_id, *entry.task_id, entry.timestamp_us, std::move(entry.name), std::move(entry.api)});
        }
    };
    static_cast<void>(read_api_dump(file_, options, add));  // the rows before a fault are there
    std::stable_sort(operators_.begin(), operators_.end(),
                     [](const ListedOperator& a, const ListedOperator& b) { return key_of(a) < key_of(b); });
}

std::vector<NearOperator> StatisticList::of_task(const TaskQuery& query, TaskIds ids) const {
    std::vector<NearOperator> candidates;
    if (!query.stream_id || !query.task_id) {
        return candidates;
    }
    ListedOperator wanted;
    wanted.stream_id = *query.stream_id;
    wanted.task_id = *query.task_id;
    const auto [first, last] =
        std::equal_range(operators_.begin(), operators_.end(), wanted,
                         [](const ListedOperator& a, const ListedOperator& b) { return key_of(a) < key_of(b); });
    const bool has_whole_id =
        std::any_of(first, last, [&wanted](const ListedOperator& op) { return op.task_id == wanted.task_id; });
    for (auto op = first; op != last; ++op) {
        const std::uint64_t distance_us = distance_of(op->timestamp_us, query.timestamp_us);
        const bool is_task = ids == TaskIds::lower_half || !has_whole_id || op->task_id == wanted.task_id;
        if (is_task && !(query.is_hint && distance_us > kNearUs)) {
            candidates.push_back({&*op, distance_us});
        }
    }
    std::stable_sort(candidates.begin(), candidates.end(),
                     [](const NearOperator& a, const NearOperator& b) { return a.distance_us < b.distance_us; });
    candidates = each_once(candidates);
    const auto is_far = [&candidates](const NearOperator& candidate) {
        return candidate.distance_us > std::max(kSameExecutionUs, candidates.front().distance_us);
    };
    const auto far = std::find_if(candidates.begin(), candidates.end(), is_far);
    candidates.erase(far, candidates.end());
    return candidates;
}

}  // namespace opdebug::locate_stage
