// Suspicions: far more dumps on one core, or of one block, than chance would put there.
#include <map>
#include <set>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "scan/patterns.hpp"
#include "scan/place.hpp"

namespace opdebug::scan_stage {
namespace {

/// How many dumps, and which share of them, must lie on one core or block. If two cores shared the work evenly, at most
/// 1 group in 46 of so many dumps would be that uneven (9 or more of 10); the 8 cores and more of a chip make it less
/// than one in a million.
bool is_concentrated(std::size_t on_one, std::size_t of_all) {
    return of_all >= 8 && on_one * 10 >= of_all * 9;
}

/// The key that most values have, the least of them when several do.
template <class Key>
std::pair<Key, std::size_t> most_frequent(const std::map<Key, std::size_t>& counts) {
    std::pair<Key, std::size_t> most;
    for (const auto& [key, count] : counts) {
        if (count > most.second) {
            most = {key, count};
        }
    }
    return most;
}

/// " of rank 3, device 1"
std::string show_device(const Place& device) {
    const std::string rank = device.rank ? fmt::format("rank {}", *device.rank) : "";
    const std::string id = device.device_id ? fmt::format("device {}", *device.device_id) : "";
    return rank.empty() && id.empty() ? ""
                                      : fmt::format(" of {}{}{}", rank, rank.empty() || id.empty() ? "" : ", ", id);
}

/// " and of block 3": the block that all these dumps have in common.
std::string common_block(const ScanItems& members, const Place& device, std::uint64_t core) {
    std::set<std::optional<std::uint64_t>> blocks;
    for (const ScanItem* item : members) {
        if (item->core_id == core && device_of(*item) == device) {
            blocks.insert(item->block_id);
        }
    }
    if (blocks.size() != 1 || !*blocks.begin()) {
        return {};
    }
    return fmt::format(
        "; all of these are of block {} as well, so that block's part of the data may be the reason "
        "instead",
        **blocks.begin());
}

/// How the dumps of a group lie on cores and blocks.
struct Spread {
    std::map<std::pair<Place, std::uint64_t>, std::size_t> cores;  ///< a core belongs to a device
    std::map<std::uint64_t, std::size_t> core_ids, blocks;
    std::size_t with_core = 0, with_block = 0;
};

Spread spread_of(const ScanItems& members) {
    Spread spread;
    for (const ScanItem* item : members) {
        if (item->core_id) {
            ++spread.with_core;
            ++spread.cores[{device_of(*item), *item->core_id}];
            ++spread.core_ids[*item->core_id];
        }
        if (item->block_id) {
            ++spread.with_block;
            ++spread.blocks[*item->block_id];
        }
    }
    return spread;
}

void add_core(const ScanItems& members, const Spread& spread, std::vector<ScanRemark>& remarks) {
    const auto [core, on_core] = most_frequent(spread.cores);
    if (is_concentrated(on_core, spread.with_core)) {
        remarks.push_back({Severity::warning, "core_concentration",
                           fmt::format("{} of {} on core {}{}: one core in so many hints at the core itself rather "
                                       "than at the numbers; not proven{}",
                                       on_core, spread.with_core, core.second, show_device(core.first),
                                       common_block(members, core.first, core.second))});
        return;
    }
    const auto [id, on_id] = most_frequent(spread.core_ids);
    if (is_concentrated(on_id, spread.with_core)) {
        remarks.push_back({Severity::info, "core_concentration",
                           fmt::format("{} of {} on cores with the number {}, but of several devices: more likely the "
                                       "way the work is placed on cores than a faulty core; not proven",
                                       on_id, spread.with_core, id)});
    }
}

}  // namespace

std::vector<ScanRemark> concentrations_of(const ScanItems& members, const Population& population) {
    std::vector<ScanRemark> remarks;
    const Spread spread = spread_of(members);
    // With one core and one block only, nothing shows that the work ran anywhere else.
    if (population.cores.size() > 1 || spread.blocks.size() > 1) {
        add_core(members, spread, remarks);
    }
    const auto [block, on_block] = most_frequent(spread.blocks);
    if (population.blocks.size() > 1 && is_concentrated(on_block, spread.with_block)) {
        remarks.push_back({Severity::warning, "block_concentration",
                           fmt::format("{} of {} of block {}: one block in so many hints at one part of the data; not "
                                       "proven",
                                       on_block, spread.with_block, block)});
    }
    return remarks;
}

}  // namespace opdebug::scan_stage
