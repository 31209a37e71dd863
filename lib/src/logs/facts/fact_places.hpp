// Where the facts on a task, a stream or something else stand in a list.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace opdebug::logs {

/// Places in a list; ascending, so in the order of time where the list is.
using Places = std::span<const std::uint32_t>;

/// For each key its places, in the order of the keys. Three arrays: a map with a vector for each task took five times
/// the memory, and half of the time of indexing.
template <class Key>
class FactPlaces {
public:
    /// A key and one of its places.
    using Entry = std::pair<Key, std::uint32_t>;

    FactPlaces() = default;
    explicit FactPlaces(std::vector<Entry> entries) {
        if (!std::is_sorted(entries.begin(), entries.end())) {
            std::sort(entries.begin(), entries.end());
        }
        places_.reserve(entries.size());
        for (const auto& [key, place] : entries) {
            if (keys_.empty() || keys_.back() != key) {
                keys_.push_back(key);
                begins_.push_back(static_cast<std::uint32_t>(places_.size()));
            }
            places_.push_back(place);
        }
        begins_.push_back(static_cast<std::uint32_t>(places_.size()));
        keys_.shrink_to_fit();
        begins_.shrink_to_fit();
    }

    std::size_t size() const noexcept { return keys_.size(); }

    /// None when the key has none.
    Places of(const Key& key) const {
        const std::size_t number = first_from(key);
        return number < keys_.size() && keys_[number] == key ? places(number) : Places();
    }

    /// The number of the first key that is not less; size() when there is none.
    std::size_t first_from(const Key& key) const {
        return static_cast<std::size_t>(std::lower_bound(keys_.begin(), keys_.end(), key) - keys_.begin());
    }
    const Key& key(std::size_t number) const { return keys_[number]; }
    Places places(std::size_t number) const {
        return Places(places_).subspan(begins_[number], begins_[number + 1] - begins_[number]);
    }

    /// Goes through keys and their places.
    class Iterator {
    public:
        Iterator(const FactPlaces& all, std::size_t number) : all_(&all), number_(number) {}
        std::pair<Key, Places> operator*() const { return {all_->key(number_), all_->places(number_)}; }
        Iterator& operator++() {
            ++number_;
            return *this;
        }
        bool operator!=(const Iterator& other) const noexcept { return number_ != other.number_; }

    private:
        const FactPlaces* all_;
        std::size_t number_;
    };
    Iterator begin() const { return {*this, 0}; }
    Iterator end() const { return {*this, size()}; }

private:
    std::vector<Key> keys_;
    std::vector<std::uint32_t> begins_;  ///< of the places of each key, and the end of the last one's
    std::vector<std::uint32_t> places_;
};

}  // namespace opdebug::logs
