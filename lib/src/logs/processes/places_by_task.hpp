// Places in a list, by stream and task.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <numeric>
#include <utility>
#include <vector>

namespace opdebug::logs {

/// Brings places that come in rising order into that of group, stream and task. The tasks of a stream rise with time in
/// nearly all logs, so streams are told apart and there is nothing to sort: sorting all places together was 3 % of
/// indexing.
class PlacesByTask {
public:
    void add(std::uint64_t group, std::uint64_t stream_id, std::uint64_t task_id, std::uint32_t place) {
        const Key key{group, stream_id};
        Recent& recent = recent_[stream_id % kRecent];
        if (recent.tasks == nullptr || recent.key != key) {
            recent = {key, &streams_[key]};
        }
        recent.tasks->push_back({task_id, place});
    }

    /// Calls use(group, stream, task, place) for all, those of one task in rising order. None is there afterwards.
    template <class Use>
    void take(const Use& use) {
        for (auto& [key, tasks] : streams_) {
            sort(tasks);
            for (const OfTask& of_task : tasks) {
                use(key.first, key.second, of_task.task_id, of_task.place);
            }
            tasks = {};
        }
        recent_ = {};
        streams_.clear();
    }

private:
    static constexpr std::size_t kRecent = 16;
    using Key = std::pair<std::uint64_t, std::uint64_t>;  ///< group and stream
    struct OfTask {
        std::uint64_t task_id = 0;
        std::uint32_t place = 0;
    };
    struct Recent {
        Key key;
        std::vector<OfTask>* tasks = nullptr;
    };

    static constexpr std::uint64_t kIdsEach = 8;  ///< ids lie closer than this when they are counted

    static bool is_before(const OfTask& a, const OfTask& b) noexcept { return a.task_id < b.task_id; }
    /// Those of one task stay in their order.
    static void sort(std::vector<OfTask>& tasks) {
        if (std::is_sorted(tasks.begin(), tasks.end(), is_before)) {
            return;
        }
        const auto [first, last] = std::minmax_element(tasks.begin(), tasks.end(), is_before);
        const std::uint64_t least = first->task_id;
        const std::uint64_t most = last->task_id;
        if (most - least < kIdsEach * tasks.size()) {
            sort_by_counting(tasks, least, static_cast<std::size_t>(most - least) + 1);
        } else {
            std::stable_sort(tasks.begin(), tasks.end(), is_before);
        }
    }
    /// Ids lie close to each other, so they are counted: to compare them was 2 % of indexing.
    static void sort_by_counting(std::vector<OfTask>& tasks, std::uint64_t least, std::size_t ids) {
        std::vector<std::uint32_t> next(ids + 1);  // of each id, where its next one goes
        for (const OfTask& of_task : tasks) {
            ++next[static_cast<std::size_t>(of_task.task_id - least) + 1];
        }
        std::partial_sum(next.begin(), next.end(), next.begin());
        std::vector<OfTask> sorted(tasks.size());
        for (const OfTask& of_task : tasks) {
            sorted[next[static_cast<std::size_t>(of_task.task_id - least)]++] = of_task;
        }
        tasks = std::move(sorted);
    }

    std::map<Key, std::vector<OfTask>> streams_;
    std::array<Recent, kRecent> recent_{};  ///< of `streams_`: streams alternate
};

}  // namespace opdebug::logs
