// A value for each task.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>

#include "logs/task_map.hpp"

namespace opdebug::logs {

/// Values by stream and task. Task ids are given one after the other, so sixteen neighbours share an entry of the map,
/// which then fits the processor's cache: with an entry for each task a look took 0.4 us in a log of 300,000 launches,
/// a fifth of collecting. Not a hash table: a log could be made so that all of its tasks have the same hash.
template <class Value>
class TaskTable {
public:
    TaskTable() = default;
    TaskTable(const TaskTable&) = delete;
    TaskTable& operator=(const TaskTable&) = delete;
    ~TaskTable() = default;

    /// Null where no neighbour of the task has a value either; else perhaps an empty one.
    Value* find(const TaskKey& task) {
        const TaskKey key = key_of(task);
        Recent& recent = recent_of(key);
        if (recent.page == nullptr || recent.key != key) {
            const auto known = pages_.find(key);
            if (known == pages_.end()) {
                return nullptr;
            }
            recent = {key, &known->second};
        }
        return &(*recent.page)[task.second % kNeighbours];
    }
    /// An empty one where there was none.
    Value& operator[](const TaskKey& task) {
        const TaskKey key = key_of(task);
        Recent& recent = recent_of(key);
        if (recent.page == nullptr || recent.key != key) {
            recent = {key, &pages_[key]};
        }
        return (*recent.page)[task.second % kNeighbours];
    }

    void clear() noexcept {
        pages_.clear();
        recent_.fill({});
    }

private:
    static constexpr std::uint64_t kNeighbours = 16;
    static constexpr std::uint64_t kRecent = 16;
    using Page = std::array<Value, kNeighbours>;
    struct Recent {
        TaskKey key;
        Page* page = nullptr;
    };
    static TaskKey key_of(const TaskKey& task) noexcept { return {task.first, task.second / kNeighbours}; }
    /// The streams of a process are few, and each goes on with the entry that it was at.
    Recent& recent_of(const TaskKey& key) noexcept { return recent_[key.first % kRecent]; }

    std::map<TaskKey, Page> pages_;
    std::array<Recent, kRecent> recent_{};  ///< of `pages_`
};

}  // namespace opdebug::logs
