// A value for each task.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <vector>

#include "logs/count_of_bits.hpp"
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
        return recent.page->find(neighbour_of(task));
    }
    /// An empty one where there was none. Until the table changes.
    Value& operator[](const TaskKey& task) {
        const TaskKey key = key_of(task);
        Recent& recent = recent_of(key);
        if (recent.page == nullptr || recent.key != key) {
            recent = {key, &pages_[key]};
        }
        const unsigned neighbour = neighbour_of(task);
        Value* const known = recent.page->find(neighbour);
        return known != nullptr ? *known : recent.page->add(neighbour);
    }

    void clear() noexcept {
        pages_.clear();
        recent_.clear();
        only_recent_ = {};
    }

private:
    static constexpr unsigned kNeighbours = 16;
    static constexpr std::uint64_t kRecent = 16;
    static constexpr std::size_t kFewPages = 4;

    /// Those of sixteen neighbours that there are: ids may also lie far apart. Which they are is told by a mask beside
    /// their list: to search the list for a new one took ten cache lines.
    class Page {
    public:
        Value* find(unsigned neighbour) noexcept {
            return (mask_ >> neighbour & 1U) != 0 ? &values_[index_of(neighbour)] : nullptr;
        }
        /// There must be none yet.
        Value& add(unsigned neighbour) {
            if (values_.size() == 1) {
                values_.reserve(kNeighbours / 2);  // where there are two, there are more
            }
            const auto place = values_.begin() + static_cast<std::ptrdiff_t>(index_of(neighbour));
            Value& added = *values_.emplace(place);
            mask_ |= 1U << neighbour;
            return added;
        }

    private:
        /// How many are before it.
        std::size_t index_of(unsigned neighbour) const noexcept {
            return count_of_bits(mask_ & ((1U << neighbour) - 1));
        }

        std::vector<Value> values_;
        std::uint32_t mask_ = 0;
    };
    struct Recent {
        TaskKey key;
        Page* page = nullptr;
    };
    static TaskKey key_of(const TaskKey& task) noexcept { return {task.first, task.second / kNeighbours}; }
    static unsigned neighbour_of(const TaskKey& task) noexcept {
        return static_cast<unsigned>(task.second % kNeighbours);
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
