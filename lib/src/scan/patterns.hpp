// Patterns and suspicions in the dumps of a group, each with the numbers behind it.
#pragma once

#include <cstdint>
#include <set>
#include <vector>

#include <opdebug/scan_overview.hpp>

#include "scan/devices.hpp"
#include "scan/group_tally.hpp"
#include "scan/known_places.hpp"

namespace opdebug::scan_stage {

/// What the whole tree holds, clean and failed dumps too: the whole that a group is measured against.
struct Population {
    std::set<std::uint64_t> ranks;
    Devices devices;
    std::vector<std::uint64_t> steps;  ///< sorted, each once
    std::set<UnitCore> cores;          ///< of overflowed dumps; of clean ones nothing tells
    std::set<std::uint64_t> blocks;    ///< likewise

    /// Dumps come in report order.
    void add(const ScanItem& item, const PlaceNumbers& place);
};

/// one_off, recurring, every_step, single_rank, all_ranks, single_device, all_devices, device_numbers. Remarks of
/// severity info: they state what is there, and steps, ranks and devices without any dump are not known of. `group` is
/// filled but for its remarks.
std::vector<ScanRemark> patterns_of(const ScanGroup& group, const GroupTally& members, const KnownPlaces& places,
                                    const Population& population);

/// core_concentration, block_concentration: suspicions, so warnings in careful words. Counted by record, each
/// with its own unit, core and block.
std::vector<ScanRemark> concentrations_of(const GroupTally& members, const KnownPlaces& places,
                                          const Population& population);

}  // namespace opdebug::scan_stage
