// Bad results that a file showed before, to tell where a bad input comes from. Bounded.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <unordered_map>
#include <unordered_set>

#include "api_culprits/value_state.hpp"

namespace opdebug::api_culprits {

/// What a result with bad values was. received: -Inf or the negative limit that came from another rank as it was: that
/// rank knows whether it is a mask. early: a gradient that was written before the backward that made it.
enum class Meaning { real, deliberate, unwritten, received, early };

class SeenValues {
public:
    struct Seen {
        Meaning meaning = Meaning::real;
        std::optional<std::size_t> found;  ///< the finding that showed it
    };

    /// The newest of a fingerprint counts, but memory that nobody wrote and what looks like a mask hide no real result:
    /// all NaN look alike, and so do scores before and behind a mask that is added to them. Past the bound nothing is
    /// added.
    void add(const ApiValue& value, Meaning meaning, std::optional<std::size_t> found) {
        if (by_value_.size() >= kBound) {
            return;
        }
        const auto [place, is_new] = by_value_.try_emplace(fingerprint_of(value), Seen{meaning, found});
        const bool hides = meaning == Meaning::unwritten || meaning == Meaning::deliberate;
        if (!is_new && !(hides && place->second.meaning == Meaning::real)) {
            place->second = {meaning, found};
        }
        if (meaning == Meaning::real || meaning == Meaning::early) {
            real_statistics_.insert(statistics_fingerprint_of(value));
        } else if (meaning == Meaning::deliberate) {
            deliberate_statistics_.insert(statistics_fingerprint_of(value));
        }
    }

    const Seen* find(const ApiValue& value) const {
        const auto place = by_value_.find(fingerprint_of(value));
        return place == by_value_.end() ? nullptr : &place->second;
    }

    /// In any shape: views change it, and are often not dumped.
    bool was_real_in_any_shape(const ApiValue& value) const {
        return real_statistics_.count(statistics_fingerprint_of(value)) != 0;
    }
    bool was_deliberate_in_any_shape(const ApiValue& value) const {
        return deliberate_statistics_.count(statistics_fingerprint_of(value)) != 0;
    }

private:
    static constexpr std::size_t kBound = 1U << 14U;
    std::unordered_map<std::uint64_t, Seen> by_value_;
    std::unordered_set<std::uint64_t> real_statistics_, deliberate_statistics_;
};

}  // namespace opdebug::api_culprits
