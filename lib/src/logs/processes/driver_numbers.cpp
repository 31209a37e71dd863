#include "logs/processes/driver_numbers.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <map>
#include <set>
#include <vector>

#include "logs/facts/device_numbers.hpp"
#include "logs/facts/time_gap.hpp"

namespace opdebug::logs {
namespace {

/// What the lines of a process tell of its devices.
class DriverNumbers {
public:
    /// `facts`: in time order.
    explicit DriverNumbers(const StoredFacts& facts) {
        for (const StoredFact& stored : facts) {
            if (stored.fact.kind == FactKind::run_begin) {
                run_begins_.push_back(stored.time_us);
            } else if (stored.fact.kind == FactKind::visible_device) {
                add(stored);
            }
        }
        find_runs();
    }

    bool tells_nothing() const noexcept { return told_.empty(); }

    std::uint64_t of(std::uint64_t own_number, std::int64_t time_us) const {
        const auto found = told_.find(own_number);
        if (found == told_.end()) {
            return own_number;
        }
        const std::vector<Told>& told = found->second;
        const std::size_t run = run_that_tells(run_at(time_us));
        const auto begin =
            std::partition_point(told.begin(), told.end(), [run](const Told& line) { return line.run < run; });
        const auto end = std::partition_point(begin, told.end(), [run](const Told& line) { return line.run == run; });
        const auto later =
            std::partition_point(begin, end, [time_us](const Told& line) { return line.time_us <= time_us; });
        if (begin == end) {
            return own_number;
        }
        return later != begin ? std::prev(later)->device : begin->device;
    }

private:
    struct Told {
        std::int64_t time_us = 0;
        std::uint64_t device = 0;
        std::size_t run = 0;
    };

    /// How many runs began until then.
    std::size_t run_at(std::int64_t time_us) const {
        return static_cast<std::size_t>(std::upper_bound(run_begins_.begin(), run_begins_.end(), time_us) -
                                        run_begins_.begin());
    }

    /// As in lookup/visible_devices.cpp. There is one.
    std::size_t run_that_tells(std::size_t run) const {
        const auto behind = runs_that_tell_.upper_bound(run);
        return behind != runs_that_tell_.begin() ? *std::prev(behind) : *behind;
    }

    void add(const StoredFact& line) {
        const DeviceFilter own = line.fact.user_device_id, device = line.fact.device_id;
        if (own && device) {
            told_[*own].push_back({line.time_us, *device, 0});
        }
    }

    /// When all begins are known.
    void find_runs() {
        for (auto& [own_number, lines] : told_) {
            for (Told& line : lines) {
                line.run = run_at(in_run_of_line(line.time_us));
                runs_that_tell_.insert(line.run);
            }
        }
    }

    std::map<std::uint64_t, std::vector<Told>> told_;  ///< by the process's number, then by time
    std::vector<std::int64_t> run_begins_;
    std::set<std::size_t> runs_that_tell_;
};

}  // namespace

void set_driver_numbers(StoredFacts& facts) {
    const DriverNumbers numbers(facts);
    if (numbers.tells_nothing()) {
        return;
    }
    for (StoredFact& stored : facts) {
        if (is_by_own_number(stored.fact)) {
            stored.fact.device_id = numbers.of(*stored.fact.user_device_id, stored.time_us);
        }
    }
}

}  // namespace opdebug::logs
