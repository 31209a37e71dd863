#include "logs/lookup/visible_devices.hpp"

#include <algorithm>

namespace opdebug::logs {

std::vector<std::uint64_t> devices_seen_as(const Process& process, std::uint64_t user_number) {
    std::vector<std::uint64_t> devices;
    bool may_be_equal = true;
    for (const VisibleDevice& visible : process.visible_devices) {
        if (visible.user_number == user_number) {
            devices.push_back(visible.device);
        }
        // The runtime takes ascending lists only: behind a device with a lower number than the driver's none is equal.
        may_be_equal = may_be_equal && (visible.user_number > user_number || visible.user_number == visible.device);
    }
    if (devices.empty() && may_be_equal) {
        devices.push_back(user_number);
    }
    return devices;
}

bool is_seen_as(const Process& process, DeviceFilter device, DeviceFilter user_number) {
    if (!device || !user_number) {
        return false;
    }
    if (process.visible_devices.empty()) {  // nearly always, and asked for each match
        return device == user_number;
    }
    const std::vector<std::uint64_t> devices = devices_seen_as(process, *user_number);
    return std::find(devices.begin(), devices.end(), *device) != devices.end();
}

const StoredFact* renumbering_of(const Process& process, DeviceFilter device, DeviceFilter user_number) {
    const auto said = std::find_if(
        process.visible_devices.begin(), process.visible_devices.end(),
        [&](const VisibleDevice& visible) { return visible.device == device && visible.user_number == user_number; });
    return said == process.visible_devices.end() || device == user_number ? nullptr : &process.facts[said->place];
}

}  // namespace opdebug::logs
