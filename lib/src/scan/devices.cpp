#include "scan/devices.hpp"

#include <string>

#include <fmt/format.h>

namespace opdebug::scan_stage {
namespace {

/// "4", or "4 to 12"
std::string show_count(const Devices& devices) {
    return devices.are_told_apart() ? std::to_string(devices.most())
                                    : fmt::format("{} to {}", devices.fewest(), devices.most());
}

/// Why the number of devices is not known.
std::string doubt_on(const Devices& devices) {
    return devices.are_told_apart()
               ? ""
               : "; equal device numbers of different folders or of unnamed hosts may be one device or several";
}

/// "device 3 of host node-7"
std::string show_device(const Place& device) {
    return fmt::format("device {}{}", *device.device_id, device.host.empty() ? "" : " of host " + device.host);
}

ScanRemark remark(const char* code, std::string message) {
    return {Severity::info, code, std::move(message)};
}

/// Numbers look like one device, or like all of them, but need not be, or cannot.
std::optional<ScanRemark> on_numbers(std::uint64_t count, const Devices& here, const Devices& everywhere) {
    if (everywhere.numbers().size() < 2) {
        return std::nullopt;
    }
    const std::string share = fmt::format("{} of the {} devices that have dumps{}", show_count(here),
                                          show_count(everywhere), doubt_on(everywhere));
    if (here.numbers().size() == 1) {
        return remark("device_numbers", fmt::format("all {} dumps are of devices with the number {}, {}", count,
                                                    *here.numbers().begin(), share));
    }
    if (here.fewest() == everywhere.fewest()) {
        return remark("device_numbers",
                      fmt::format("on devices of all {} numbers, {}", everywhere.numbers().size(), share));
    }
    return std::nullopt;
}

}  // namespace

void Devices::add(std::optional<std::uint64_t> device_id, const PlaceNumbers& place) {
    if (!device_id || !by_root_.insert(place.device).second) {
        return;
    }
    numbers_.insert(*device_id);
    if (place.device_of_host) {
        by_host_.insert(*place.device_of_host);
        of_known_hosts_.insert(*device_id);
    }
}

std::size_t Devices::fewest() const {
    return by_host_.size() + numbers_.size() - of_known_hosts_.size();
}

std::optional<ScanRemark> spread_on_devices(std::uint64_t count, const Devices& here, const Devices& everywhere,
                                            const KnownPlaces& places) {
    if (everywhere.most() < 2) {
        return std::nullopt;
    }
    const bool are_several = everywhere.fewest() >= 2;
    if (here.most() == 1 && are_several) {
        return remark("single_device",
                      fmt::format("all {} dumps are of {}, out of {} devices that have dumps{}", count,
                                  show_device(places.at(here.any())), show_count(everywhere), doubt_on(everywhere)));
    }
    if (here.most() == everywhere.most() && are_several) {
        return remark("all_devices",
                      fmt::format("on all {} devices that have dumps, which speaks against a fault of one device{}",
                                  show_count(everywhere), doubt_on(everywhere)));
    }
    return on_numbers(count, here, everywhere);
}

}  // namespace opdebug::scan_stage
