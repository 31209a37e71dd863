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
    /// Null where no neighbour of the task has a value either; else perhaps an empty one.
    Value* find(const TaskKey& task) {
        const auto page = pages_.find(page_of(task));
        return page == pages_.end() ? nullptr : &page->second[task.second % kNeighbours];
    }
    /// An empty one where there was none.
    Value& operator[](const TaskKey& task) { return pages_[page_of(task)][task.second % kNeighbours]; }

    void clear() noexcept { pages_.clear(); }

private:
    static constexpr std::uint64_t kNeighbours = 16;
    static TaskKey page_of(const TaskKey& task) noexcept { return {task.first, task.second / kNeighbours}; }

    std::map<TaskKey, std::array<Value, kNeighbours>> pages_;
};

}  // namespace opdebug::logs
