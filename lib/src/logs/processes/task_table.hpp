// A value for each task.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <map>
#include <vector>

#include "logs/facts/task_map.hpp"

namespace opdebug::logs {

/// Those of sixteen neighbours that there are: ids may also lie far apart. Which they are is told by a mask beside
/// their list: to search the list for a new one took ten cache lines.
template <class Element>
class Neighbours {
public:
    static constexpr unsigned kMost = 16;

    Element* find(unsigned neighbour) noexcept {
        return (mask_ >> neighbour & 1U) != 0 ? &elements_[index_of(neighbour)] : nullptr;
    }
    /// An empty one where there was none.
    Element& operator[](unsigned neighbour) {
        Element* const known = find(neighbour);
        return known != nullptr ? *known : add(neighbour);
    }

private:
    Element& add(unsigned neighbour) {
        if (elements_.size() == 1) {
            elements_.reserve(kMost / 2);  // where there are two, there are more
        }
        const auto place = elements_.begin() + static_cast<std::ptrdiff_t>(index_of(neighbour));
        Element& added = *elements_.emplace(place);
        mask_ |= 1U << neighbour;
        return added;
    }
    /// How many are before it.
    std::size_t index_of(unsigned neighbour) const noexcept {
        return static_cast<std::size_t>(std::popcount(mask_ & ((1U << neighbour) - 1)));
    }

    std::vector<Element> elements_;
    std::uint32_t mask_ = 0;
};

/// Values by stream and task. Task ids are given one after the other, so neighbours share an entry of the map, which
/// then fits the processor's cache: with an entry for each task a look took 0.4 us in a log of 300,000 launches, a
/// fifth of collecting; with one for sixteen, looks for tasks that are not the last ones of their stream still were 3 %
/// of indexing. Not a hash table: a log could be made so that all of its tasks have the same hash.
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
        if (recent.entry == nullptr || recent.key != key) {
            const auto known = entries_.find(key);
            if (known == entries_.end()) {
                return nullptr;
            }
            recent = {key, &known->second};
        }
        Page* const page = recent.entry->find(page_of(task));
        return page != nullptr ? page->find(neighbour_of(task)) : nullptr;
    }
    /// An empty one where there was none. Until the table changes.
    Value& operator[](const TaskKey& task) {
        const TaskKey key = key_of(task);
        Recent& recent = recent_of(key);
        if (recent.entry == nullptr || recent.key != key) {
            recent = {key, &entries_[key]};
        }
        return (*recent.entry)[page_of(task)][neighbour_of(task)];
    }

    void clear() noexcept {
        entries_.clear();
        recent_.clear();
        only_recent_ = {};
    }

private:
    using Page = Neighbours<Value>;
    using Entry = Neighbours<Page>;
    static constexpr unsigned kOfPage = Page::kMost, kOfEntry = Entry::kMost * kOfPage;  ///< tasks
    static constexpr std::uint64_t kRecent = 32;
    static constexpr std::size_t kFewEntries = 4;

    struct Recent {
        TaskKey key;
        Entry* entry = nullptr;
    };
    static TaskKey key_of(const TaskKey& task) noexcept { return {task.first, task.second / kOfEntry}; }
    static unsigned page_of(const TaskKey& task) noexcept {
        return static_cast<unsigned>(task.second % kOfEntry / kOfPage);
    }
    static unsigned neighbour_of(const TaskKey& task) noexcept { return static_cast<unsigned>(task.second % kOfPage); }
    /// The streams of a process are few, and each goes on with the entry that it was at; some lines are on earlier
    /// tasks of it. Of a process with few tasks not even they are kept: a log may have 100,000 such.
    Recent& recent_of(const TaskKey& key) {
        if (recent_.empty()) {
            if (entries_.size() < kFewEntries) {
                return only_recent_;
            }
            recent_.resize(kRecent);
        }
        return recent_[place_of(key)];
    }
    static std::size_t place_of(const TaskKey& key) noexcept { return (5 * key.first + key.second) % kRecent; }

    std::map<TaskKey, Entry> entries_;
    Recent only_recent_;          ///< of `entries_`
    std::vector<Recent> recent_;  ///< likewise
};

}  // namespace opdebug::logs
