// A value for each task.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <vector>

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

    /// Null where there is none. Until the table changes.
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
        return find_in(*recent.page, task);
    }
    /// An empty one where there was none. Until the table changes.
    Value& operator[](const TaskKey& task) {
        const TaskKey key = key_of(task);
        Recent& recent = recent_of(key);
        if (recent.page == nullptr || recent.key != key) {
            recent = {key, &pages_[key]};
        }
        if (Value* const known = find_in(*recent.page, task)) {
            return *known;
        }
        if (recent.page->size() == 1) {
            recent.page->reserve(kNeighbours / 2);  // where there are two, there are more
        }
        return recent.page->emplace_back(Neighbour{task.second, Value()}).value;
    }

    void clear() noexcept {
        pages_.clear();
        recent_.clear();
        only_recent_ = {};
    }

private:
    static constexpr std::uint64_t kNeighbours = 16;
    static constexpr std::uint64_t kRecent = 16;
    static constexpr std::size_t kFewPages = 4;
    struct Neighbour {
        std::uint64_t task_id = 0;
        Value value;
    };
    using Page = std::vector<Neighbour>;  ///< those that there are: ids may also lie far apart
    struct Recent {
        TaskKey key;
        Page* page = nullptr;
    };
    static TaskKey key_of(const TaskKey& task) noexcept { return {task.first, task.second / kNeighbours}; }
    /// The last one first: it is asked for most.
    static Value* find_in(Page& page, const TaskKey& task) noexcept {
        for (std::size_t i = page.size(); i-- > 0;) {
            if (page[i].task_id == task.second) {
                return &page[i].value;
            }
        }
        return nullptr;
    }
    /// The streams of a process are few, and each goes on with the entry that it was at. Of a process with few tasks
    /// not even they are kept: a log may have 100,000 such.
    Recent& recent_of(const TaskKey& key) {
        if (recent_.empty()) {
            if (pages_.size() < kFewPages) {
                return only_recent_;
            }
            recent_.resize(kRecent);
        }
        return recent_[key.first % kRecent];
    }

    std::map<TaskKey, Page> pages_;
    Recent only_recent_;          ///< of `pages_`
    std::vector<Recent> recent_;  ///< likewise
};

}  // namespace opdebug::logs
