// Suspicions: far more overflows on one core, or of one block, than chance would put there.
#include <algorithm>
#include <cstdint>
#include <string>

#include <fmt/format.h>

#include "scan/patterns.hpp"
#include "tree/no_id.hpp"

namespace opdebug::scan_stage {
namespace {

constexpr std::size_t kLeast = 8;  ///< of dumps, and of records that tell a core or block

/// How many records, and which share of them, must lie on one core or block. If two cores shared the work evenly, at
/// most 1 group in 46 of so many dumps would be that uneven (9 or more of 10); the 8 cores and more of a chip make it
/// less than one in a million.
bool is_concentrated(std::size_t on_one, std::size_t of_all) {
    return of_all >= kLeast && on_one * 10 >= of_all * 9;
}

/// The key that most values have. Which of several: nobody asks, for none of them has nine tenths.
template <class Counts, class CountOf>
auto most_frequent(const Counts& counts, CountOf count_of) {
    return std::max_element(counts.begin(), counts.end(), [&count_of](const auto& a, const auto& b) {
        return count_of(a.second) < count_of(b.second);
    });
}

/// " of rank 3, device 1"
std::string show_core_device(const Place& device) {
    const std::string rank = device.rank ? fmt::format("rank {}", *device.rank) : "";
    const std::string id = device.device_id ? fmt::format("device {}", *device.device_id) : "";
    return rank.empty() && id.empty() ? ""
                                      : fmt::format(" of {}{}{}", rank, rank.empty() || id.empty() ? "" : ", ", id);
}

/// " and of block 3": the block that all these records have in common.
std::string common_block(const CoreSpread::OnCore& records) {
    if (records.several_blocks || !records.block) {
        return {};
    }
    return fmt::format(
        "; all of these are of block {} as well, so that block's part of the data may be the reason "
        "instead",
        *records.block);
}

void add_core(const CoreSpread& spread, const KnownPlaces& places, std::vector<ScanRemark>& remarks) {
    if (spread.cores.empty()) {
        return;
    }
    const auto core = most_frequent(spread.cores, [](const CoreSpread::OnCore& on_core) { return on_core.count; });
    if (is_concentrated(core->second.count, spread.with_core)) {
        const auto& [unit, number] = core->first.core;
        remarks.push_back({Severity::warning, "core_concentration",
                           fmt::format("{} of {} records on {} core {}{}: one core in so many hints at the core itself "
                                       "rather than at the numbers; not proven{}",
                                       core->second.count, spread.with_core, unit_name(unit), number,
                                       show_core_device(places.at(core->first.device)), common_block(core->second))});
        return;
    }
    const auto id = most_frequent(spread.core_ids, [](std::size_t count) { return count; });
    if (is_concentrated(id->second, spread.with_core)) {
        remarks.push_back({Severity::info, "core_concentration",
                           fmt::format("{} of {} records on {} cores with the number {}, but of several devices: more "
                                       "likely the way the work is placed on cores than a faulty core; not proven",
                                       id->second, spread.with_core, unit_name(id->first.first), id->first.second)});
    }
}

/// Blocks of a launch are numbered from 0, so one of a higher number was not alone. Block 0 may be all there is, on
/// whichever core the launches ran.
bool ran_other_blocks(const CoreSpread& spread, const Population& population) {
    const std::uint64_t block = spread.blocks.begin()->first;
    return population.blocks.size() > 1 || (population.cores.size() > 1 && block > 0 && !tree::is_no_id(block));
}

}  // namespace

std::vector<ScanRemark> concentrations_of(const GroupTally& members, const KnownPlaces& places,
                                          const Population& population) {
    std::vector<ScanRemark> remarks;
    if (members.count < kLeast) {
        return remarks;  // the records of a few dumps are few events, however many they are
    }
    const CoreSpread& spread = members.spread;
    // With one core and one block only, nothing shows that the work ran anywhere else.
    if (population.cores.size() > 1 || spread.blocks.size() > 1) {
        add_core(spread, places, remarks);
    }
    if (spread.blocks.empty() || !ran_other_blocks(spread, population)) {
        return remarks;
    }
    const auto block = most_frequent(spread.blocks, [](std::size_t count) { return count; });
    if (is_concentrated(block->second, spread.with_block)) {
        remarks.push_back({Severity::warning, "block_concentration",
                           fmt::format("{} of {} records of block {}: one block in so many hints at one part of the "
                                       "data; not proven",
                                       block->second, spread.with_block, block->first)});
    }
    return remarks;
}

}  // namespace opdebug::scan_stage
