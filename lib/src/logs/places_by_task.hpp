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
        std::vector<OfTask> spare;
        for (auto& [key, tasks] : streams_) {
            sort_by_task(tasks, spare);
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
    /// Keeps the order of those of one task. Byte by byte of the ids, as far as they differ, for a model's tasks come
    /// again and again: std::stable_sort was 1 % of indexing. `spare`: memory, to be used again.
    static void sort_by_task(std::vector<OfTask>& tasks, std::vector<OfTask>& spare) {
        const auto is_before = [](const OfTask& a, const OfTask& b) { return a.task_id < b.task_id; };
        constexpr std::size_t kFew = 256;
        constexpr unsigned kBitsOfByte = 8, kBits = 64;
        if (std::is_sorted(tasks.begin(), tasks.end(), is_before)) {
            return;
        }
        if (tasks.size() < kFew) {
            std::stable_sort(tasks.begin(), tasks.end(), is_before);
            return;
        }
        std::uint64_t differ = 0;
        for (const OfTask& of_task : tasks) {
            differ |= of_task.task_id ^ tasks.front().task_id;
        }
        spare.resize(tasks.size());
        for (unsigned shift = 0; shift < kBits && differ >> shift != 0; shift += kBitsOfByte) {
            sort_by_byte(tasks, shift, spare);
        }
    }
    static void sort_by_byte(std::vector<OfTask>& tasks, unsigned shift, std::vector<OfTask>& sorted) {
        constexpr std::size_t kValues = 256;
        const auto byte_of = [shift](const OfTask& of_task) { return of_task.task_id >> shift & 0xFFU; };
        std::array<std::size_t, kValues> next{};
        for (const OfTask& of_task : tasks) {
            ++next[byte_of(of_task)];
        }
        std::exclusive_scan(next.begin(), next.end(), next.begin(), std::size_t{0});
        for (const OfTask& of_task : tasks) {
            sorted[next[byte_of(of_task)]++] = of_task;
        }
        tasks.swap(sorted);
    }

    struct Recent {
        Key key;
        std::vector<OfTask>* tasks = nullptr;
    };

    std::map<Key, std::vector<OfTask>> streams_;
    std::array<Recent, kRecent> recent_{};  ///< of `streams_`: streams alternate
};

}  // namespace opdebug::logs
