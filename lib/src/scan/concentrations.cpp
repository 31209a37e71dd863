// Suspicions: far more overflows on one core, or of one block, than chance would put there.
#include <map>
#include <set>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "scan/patterns.hpp"
#include "scan/place.hpp"

namespace opdebug::scan_stage {
namespace {

constexpr std::size_t kLeast = 8;  ///< of dumps, and of records that tell a core or block

/// How many records, and which share of them, must lie on one core or block. If two cores shared the work evenly, at
/// most 1 group in 46 of so many dumps would be that uneven (9 or more of 10); the 8 cores and more of a chip make it
/// less than one in a million.
bool is_concentrated(std::size_t on_one, std::size_t of_all) {
    return of_all >= kLeast && on_one * 10 >= of_all * 9;
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

/// A record of the group, with the device that it is of.
struct PlacedRecord {
    Place device;
    const ScanCause* cause;

    UnitCore core() const { return {cause->unit, *cause->core_id}; }
};

std::vector<PlacedRecord> records_of(const GroupCauses& causes) {
    std::vector<PlacedRecord> records;
    records.reserve(causes.size());
    for (const auto& [item, cause] : causes) {
        records.push_back({device_of(*item), cause});
    }
    return records;
}

/// " and of block 3": the block that all these records have in common.
std::string common_block(const std::vector<PlacedRecord>& records, const Place& device, const UnitCore& core) {
    std::set<std::optional<std::uint64_t>> blocks;
    for (const PlacedRecord& record : records) {
        if (record.cause->core_id && record.core() == core && record.device == device) {
            blocks.insert(record.cause->block_id);
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

/// How the records of a group lie on cores and blocks.
struct Spread {
    std::map<std::pair<Place, UnitCore>, std::size_t> cores;  ///< a core belongs to a device
    std::map<UnitCore, std::size_t> core_ids;
    std::map<std::uint64_t, std::size_t> blocks;
    std::size_t with_core = 0, with_block = 0;
};

Spread spread_of(const std::vector<PlacedRecord>& records) {
    Spread spread;
    for (const PlacedRecord& record : records) {
        if (record.cause->core_id) {
            ++spread.with_core;
            ++spread.cores[{record.device, record.core()}];
            ++spread.core_ids[record.core()];
        }
        if (record.cause->block_id) {
            ++spread.with_block;
            ++spread.blocks[*record.cause->block_id];
        }
    }
    return spread;
}

void add_core(const std::vector<PlacedRecord>& records, const Spread& spread, std::vector<ScanRemark>& remarks) {
    const auto [core, on_core] = most_frequent(spread.cores);
    if (is_concentrated(on_core, spread.with_core)) {
        const auto& [unit, number] = core.second;
        remarks.push_back({Severity::warning, "core_concentration",
                           fmt::format("{} of {} records on {} core {}{}: one core in so many hints at the core itself "
                                       "rather than at the numbers; not proven{}",
                                       on_core, spread.with_core, unit_name(unit), number, show_device(core.first),
                                       common_block(records, core.first, core.second))});
        return;
    }
    const auto [id, on_id] = most_frequent(spread.core_ids);
    if (is_concentrated(on_id, spread.with_core)) {
        remarks.push_back({Severity::info, "core_concentration",
                           fmt::format("{} of {} records on {} cores with the number {}, but of several devices: more "
                                       "likely the way the work is placed on cores than a faulty core; not proven",
                                       on_id, spread.with_core, unit_name(id.first), id.second)});
    }
}

}  // namespace

std::vector<ScanRemark> concentrations_of(const ScanItems& members, const GroupCauses& causes,
                                          const Population& population) {
    std::vector<ScanRemark> remarks;
    if (members.size() < kLeast) {
        return remarks;  // the records of a few dumps are few events, however many they are
    }
    const std::vector<PlacedRecord> records = records_of(causes);
    const Spread spread = spread_of(records);
    // With one core and one block only, nothing shows that the work ran anywhere else.
    if (population.cores.size() > 1 || spread.blocks.size() > 1) {
        add_core(records, spread, remarks);
    }
    const auto [block, on_block] = most_frequent(spread.blocks);
    if (population.blocks.size() > 1 && is_concentrated(on_block, spread.with_block)) {
        remarks.push_back({Severity::warning, "block_concentration",
                           fmt::format("{} of {} records of block {}: one block in so many hints at one part of the "
                                       "data; not proven",
                                       on_block, spread.with_block, block)});
    }
    return remarks;
}

}  // namespace opdebug::scan_stage
