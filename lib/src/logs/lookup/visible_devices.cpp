#include "logs/lookup/visible_devices.hpp"
#include "logs/facts/task_map.hpp"
#include "logs/facts/time_gap.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <map>
#include <set>
#include <span>
#include <vector>

namespace opdebug::logs {
namespace {

using VisibleDevices = std::span<const VisibleDevice>;

struct ByRun {
    bool operator()(const VisibleDevice& a, std::size_t run) const noexcept { return a.run < run; }
    bool operator()(std::size_t run, const VisibleDevice& a) const noexcept { return run < a.run; }
};

/// Of a run without such lines, the last run before it that has them, else the first one after it: the begin of a run
/// is inferred, and its own lines may be missing. No line states that its numbers are the driver's.
VisibleDevices told_in_run(const Process& process, std::size_t run) {
    const auto& all = process.visible_devices;
    const auto behind = std::upper_bound(all.begin(), all.end(), run, ByRun());
    const auto last = behind != all.begin() ? std::prev(behind) : behind;
    if (last == all.end()) {
        return {};
    }
    const auto [begin, end] = std::equal_range(all.begin(), all.end(), last->run, ByRun());
    return {begin, end};
}

/// The devices of one run, or of all of them.
VisibleDevices told(const Process& process, std::optional<std::int64_t> time_us) {
    return time_us ? told_in_run(process, run_of(process, *time_us)) : VisibleDevices(process.visible_devices);
}

void add_devices_of_run(VisibleDevices of_run, std::uint64_t user_number, std::vector<std::uint64_t>& devices) {
    bool is_told = false, may_be_equal = true;
    for (const VisibleDevice& visible : of_run) {
        if (visible.user_number == user_number) {
            devices.push_back(visible.device);
            is_told = true;
        }
        // The runtime takes ascending lists only: after a device with a lower number than the driver's none is equal.
        may_be_equal = may_be_equal && (visible.user_number > user_number || visible.user_number == visible.device);
    }
    if (!is_told && may_be_equal) {
        devices.push_back(user_number);
    }
}

}  // namespace

std::size_t run_of(const Process& process, std::int64_t time_us) {
    const auto next = std::upper_bound(process.run_begins.begin(), process.run_begins.end(), time_us);
    return static_cast<std::size_t>(next - process.run_begins.begin());
}

std::vector<std::uint64_t> devices_seen_as(const Process& process, std::uint64_t user_number,
                                           std::optional<std::int64_t> time_us) {
    std::vector<std::uint64_t> devices;
    if (time_us) {
        add_devices_of_run(told(process, time_us), user_number, devices);
        return devices;
    }
    if (process.visible_devices.empty()) {
        return {user_number};
    }
    for (VisibleDevices rest = process.visible_devices; !rest.empty();) {
        const auto end = std::upper_bound(rest.begin(), rest.end(), rest.front().run, ByRun());
        add_devices_of_run({rest.begin(), end}, user_number, devices);
        rest = {end, rest.end()};
    }
    std::sort(devices.begin(), devices.end());
    devices.erase(std::unique(devices.begin(), devices.end()), devices.end());
    return devices;
}

bool is_seen_as(const Process& process, DeviceFilter device, DeviceFilter user_number,
                std::optional<std::int64_t> time_us) {
    if (!device || !user_number) {
        return false;
    }
    if (process.visible_devices.empty()) {  // nearly always, and requested each match
        return device == user_number;
    }
    const std::vector<std::uint64_t> devices = devices_seen_as(process, *user_number, time_us);
    return std::find(devices.begin(), devices.end(), *device) != devices.end();
}

const StoredFact* renumbering_of(const Process& process, DeviceFilter device, DeviceFilter user_number,
                                 std::optional<std::int64_t> time_us) {
    const VisibleDevices lines = told(process, time_us);
    const auto said = std::find_if(lines.begin(), lines.end(), [&](const VisibleDevice& visible) {
        return visible.device == device && visible.user_number == user_number;
    });
    return said == lines.end() || device == user_number ? nullptr : &process.facts[said->place];
}

namespace {

/// The devices of a process, by its lines.
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
