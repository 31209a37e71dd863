#include "logs/lookup/devices.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
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

/// By the last line until then, else by the first one after. Without such a line the numbers are equal.
std::uint64_t driver_number(const Process& process, std::uint64_t user_number, std::int64_t time_us) {
    const VisibleDevice* found = nullptr;
    for (const VisibleDevice& visible : told(process, time_us)) {
        const bool is_behind = process.facts[visible.place].time_us > time_us;
        if (visible.user_number == user_number && (found == nullptr || !is_behind)) {
            found = &visible;
        }
    }
    return found != nullptr ? found->device : user_number;
}

/// A device that the last line on the number in the same run has is not added again.
void add_visible_device(Process& process, std::uint32_t place) {
    const StoredFact& stored = process.facts[place];
    const VisibleDevice added{*stored.fact.user_device_id, *stored.fact.device_id, place,
                              run_of(process, in_run_of_line(stored.time_us))};
    std::vector<VisibleDevice>& known = process.visible_devices;
    const auto last = std::find_if(known.rbegin(), known.rend(), [&added](const VisibleDevice& other) {
        return other.user_number == added.user_number && other.run == added.run;
    });
    const bool is_known = last != known.rend() && last->device == added.device;
    if (!is_known && known.size() < kMostDevicesOfProcess) {
        known.push_back(added);
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
    }
    if (process.visible_devices.empty()) {
        return {user_number};
    }
    for (VisibleDevices rest = time_us ? VisibleDevices() : process.visible_devices; !rest.empty();) {
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

void find_visible_devices(Process& process) {
    process.run_begins.clear();
    process.visible_devices.clear();
    std::vector<std::uint32_t> lines;
    for (std::uint32_t place = 0; place < process.facts.size(); ++place) {
        const StoredFact& stored = process.facts[place];
        if (stored.fact.kind == FactKind::run_begin) {
            process.run_begins.push_back(stored.time_us);
        } else if (stored.fact.kind == FactKind::visible_device && is_complete(stored.fact)) {
            lines.push_back(place);
        }
    }
    for (const std::uint32_t place : lines) {  // when all begins are known
        add_visible_device(process, place);
    }
}

void set_driver_numbers(Process& process) {
    if (process.visible_devices.empty()) {
        return;
    }
    for (StoredFact& stored : process.facts) {
        if (is_by_own_number(stored.fact)) {
            stored.fact.device_id = driver_number(process, *stored.fact.user_device_id, stored.time_us);
        }
    }
}

}  // namespace opdebug::logs
