// Which devices dumps are of, as far as hosts and paths tell them apart.
#pragma once

#include <cstdint>
#include <optional>
#include <set>

#include <opdebug/scan_overview.hpp>

#include "scan/known_places.hpp"

namespace opdebug::scan_stage {

/// Each host numbers its devices from 0. Equal numbers of two hosts are two devices; below two roots (place.hpp) they
/// are one where both lie on one machine, and two where the trees of several machines were gathered, or where processes
/// of one machine number devices anew (ASCEND_RT_VISIBLE_DEVICES, containers): no path tells. An unknown host may be
/// any of the known ones.
class Devices {
public:
    /// Dumps without a device id add nothing.
    void add(std::optional<std::uint64_t> device_id, const PlaceNumbers& place);

    const std::set<std::uint64_t>& numbers() const noexcept { return numbers_; }
    std::size_t fewest() const;
    std::size_t most() const noexcept { return by_root_.size(); }
    bool are_told_apart() const { return fewest() == most(); }
    /// One of them, by its place.
    std::uint32_t any() const { return *by_root_.begin(); }

private:
    std::set<std::uint64_t> numbers_, of_known_hosts_;
    std::set<std::uint32_t> by_host_;  ///< of known hosts
    std::set<std::uint32_t> by_root_;  ///< of all
};

/// single_device or all_devices where that is certain; device_numbers where numbers look so. `here`: of `count` dumps
/// of a group, each with a device id; `everywhere`: of all dumps.
std::optional<ScanRemark> spread_on_devices(std::uint64_t count, const Devices& here, const Devices& everywhere,
                                            const KnownPlaces& places);

}  // namespace opdebug::scan_stage
