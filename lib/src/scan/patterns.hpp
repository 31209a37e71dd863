// Patterns and suspicions in the dumps of a group, each with the numbers behind it.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include <opdebug/scan.hpp>

namespace opdebug::scan_stage {

using ScanItems = std::vector<const ScanItem*>;
/// The causes that make a group, each with its dump: one for each record.
using GroupCauses = std::vector<std::pair<const ScanItem*, const ScanCause*>>;
/// A core: its number counts within its unit.
using UnitCore = std::pair<Unit, std::uint64_t>;

/// What the whole tree holds, clean and failed dumps too: the whole that a group is measured against. Sorted, each
/// once.
struct Population {
    std::vector<std::uint64_t> ranks, devices, steps;
    std::vector<UnitCore> cores;        ///< of overflowed dumps; of clean ones nothing tells
    std::vector<std::uint64_t> blocks;  ///< likewise
};

Population population_of(const std::vector<ScanItem>& items);

/// The values of one member that are known, sorted, each once.
std::vector<std::uint64_t> sorted_once(std::vector<std::uint64_t> values);

/// Runs of dumps of one rank, device and process less than a second apart. A dump without a time is one of its own.
std::uint64_t count_bursts(const ScanItems& members);

/// one_off, recurring, every_step, single_rank, all_ranks, single_device, all_devices. Remarks of severity info: they
/// state what is there, and steps, ranks and devices without any dump are not known of. `group` is filled but for its
/// remarks.
std::vector<ScanRemark> patterns_of(const ScanGroup& group, const ScanItems& members, const Population& population);

/// core_concentration, block_concentration: suspicions, so warnings in careful words. Counted by record, each
/// with its own unit, core and block.
std::vector<ScanRemark> concentrations_of(const ScanItems& members, const GroupCauses& causes,
                                          const Population& population);

}  // namespace opdebug::scan_stage
