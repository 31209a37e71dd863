#include "logs/lookup/visible_devices.hpp"

#include <algorithm>
#include <iterator>
#include <span>

namespace opdebug::logs {
namespace {

using VisibleDevices = std::span<const VisibleDevice>;

struct ByRun {
    bool operator()(const VisibleDevice& a, std::size_t run) const noexcept { return a.run < run; }
    bool operator()(std::size_t run, const VisibleDevice& a) const noexcept { return run < a.run; }
};

/// Of a run that tells nothing, the last one before it that does, else the first one behind: where a run begins is
/// inferred, and the lines of its own may be missing. That its numbers are the driver's nobody says.
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

/// What one run tells, or all of them.
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
        // The runtime takes ascending lists only: behind a device with a lower number than the driver's none is equal.
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
    if (process.visible_devices.empty()) {  // nearly always, and asked for each match
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

}  // namespace opdebug::logs
