#include "logs/processes/driver_numbers.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <map>
#include <vector>

#include "logs/facts/device_numbers.hpp"
#include "logs/facts/time_gap.hpp"
#include "logs/processes/open_facts.hpp"

namespace opdebug::logs {
namespace {

constexpr std::size_t kOwn = number_index(&Fact::user_device_id);

/// What the lines of a process tell of its devices.
class DriverNumbers {
public:
    /// Facts: PackedFacts or OpenFacts, in time order.
    template <class Facts>
    explicit DriverNumbers(const Facts& facts) {
        for (std::size_t place = 0; place < facts.size(); ++place) {
            const FactKind kind = facts.subject(place).kind;
            if (kind == FactKind::run_begin) {
                run_begins_.push_back(facts.time_us(place));
            } else if (kind == FactKind::visible_device) {
                add(facts[place]);
            }
        }
    }

    bool tells_nothing() const noexcept { return told_.empty(); }

    std::uint64_t of(std::uint64_t own_number, std::int64_t time_us) const {
        const auto found = told_.find(own_number);
        if (found == told_.end()) {
            return own_number;
        }
        const std::vector<Told>& told = found->second;
        const auto later = std::upper_bound(told.begin(), told.end(), time_us,
                                            [](std::int64_t time, const Told& line) { return time < line.time_us; });
        const auto is_of_run = [this, run = run_at(time_us)](const Told& line) {
            return run_at(in_run_of_line(line.time_us)) == run;
        };
        if (later != told.begin() && is_of_run(*std::prev(later))) {
            return std::prev(later)->device;
        }
        return later != told.end() && is_of_run(*later) ? later->device : own_number;
    }

private:
    struct Told {
        std::int64_t time_us = 0;
        std::uint64_t device = 0;
    };

    /// How many runs began until then.
    std::ptrdiff_t run_at(std::int64_t time_us) const {
        return std::upper_bound(run_begins_.begin(), run_begins_.end(), time_us) - run_begins_.begin();
    }

    /// A map that somebody else made may lack a number.
    void add(const FactView& line) {
        const DeviceFilter own = line.number(kOwn), device = line.device_id();
        if (own && device) {
            told_[*own].push_back({line.time_us, *device});
        }
    }

    std::map<std::uint64_t, std::vector<Told>> told_;  ///< by the process's number, then by time
    std::vector<std::int64_t> run_begins_;
};

}  // namespace

void set_driver_numbers(StoredFacts& facts) {
    const DriverNumbers numbers{OpenFacts(facts)};
    if (numbers.tells_nothing()) {
        return;
    }
    for (StoredFact& stored : facts) {
        if (is_by_own_number(stored.fact)) {
            stored.fact.device_id = numbers.of(*stored.fact.user_device_id, stored.time_us);
        }
    }
}

void set_driver_numbers(PackedFacts& facts) {
    const DriverNumbers numbers(facts);
    for (std::size_t place = 0; place < facts.size() && !numbers.tells_nothing(); ++place) {
        const FactView fact = facts[place];
        const DeviceFilter own = fact.number(kOwn);
        if (!own || fact.kind == FactKind::visible_device) {
            continue;
        }
        if (const std::uint64_t device = numbers.of(*own, fact.time_us); fact.device_id() != device) {
            StoredFact with_device = stored_fact(fact);
            with_device.fact.device_id = device;
            facts.replace(place, view_of(with_device));
        }
    }
}

}  // namespace opdebug::logs
