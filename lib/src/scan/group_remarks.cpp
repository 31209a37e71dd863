// Patterns and suspicions in the dumps of a group, each with the numbers behind it.
#include "scan/groups.hpp"

#include <algorithm>
#include <cstdint>
#include <set>
#include <string>
#include <unordered_map>

#include <fmt/format.h>

#include "scan/clock.hpp"
#include "tree/no_id.hpp"

namespace opdebug::scan_stage {
namespace {

void add(std::vector<ScanRemark>& remarks, const char* code, std::string message) {
    remarks.push_back({Severity::info, code, std::move(message)});
}

/// Whether all lie in no more than one step and less than a second apart.
bool is_one_event(const ScanGroup& group, const GroupTally& members) {
    if (group.count == 1) {
        return true;
    }
    return members.untimed == 0 && group.steps.size() <= 1 &&
           time_difference(*group.last_us, *group.first_us) < kOneSecond;
}

/// How long a group of dumps with times lasts: "within 10 us".
std::string show_burst(const ScanGroup& group) {
    const std::int64_t duration = time_difference(*group.last_us, *group.first_us);
    return duration == 0 ? "at the same time" : fmt::format("within {}", show_duration(duration));
}

/// Whether the group is in all steps that have dumps, and these are such that "every step" is more than chance: one
/// after the other, and all seen in runs with three of them or more. Dumps of steps 10, 20, 30 say nothing of those
/// between, and runs with a step each nothing of the next one.
bool is_in_every_step(const ScanGroup& group, const GroupTally& members, const Population& population) {
    const std::vector<std::uint64_t>& steps = group.steps;
    return steps.size() >= StepsOfRuns::kLong && steps.size() == population.steps.size() &&
           steps.back() - steps.front() == steps.size() - 1 && members.steps.all_in_long_runs();
}

/// The bursts of that rank and device, over restarts, that has most; dumps without a time show none.
std::uint64_t most_bursts_of_one_device(const GroupTally& members, const KnownPlaces& places) {
    std::unordered_map<std::uint32_t, Bursts> bursts_of;
    for (const auto& [place, bursts] : members.bursts_of) {
        bursts_of[places.device_of(place)].add(bursts);
    }
    std::uint64_t most = 0;
    for (const auto& [device, bursts] : bursts_of) {
        most = std::max(most, bursts.count());
    }
    return most;
}

void add_recurrence(const ScanGroup& group, const GroupTally& members, const KnownPlaces& places,
                    const Population& population, std::vector<ScanRemark>& remarks) {
    if (is_one_event(group, members)) {
        add(remarks, "one_off",
            group.count == 1 ? "one dump only"
                             : fmt::format("{} dumps {}, and no others", group.count, show_burst(group)));
    } else if (is_in_every_step(group, members, population)) {
        add(remarks, "every_step",
            fmt::format("in all {} steps that have dumps, from step {} to step {} (steps without dumps leave no "
                        "folder)",
                        group.steps.size(), group.steps.front(), group.steps.back()));
    } else if (group.steps.size() > 1) {
        add(remarks, "recurring",
            fmt::format("in {} of {} steps that have dumps, from step {} to step {}", group.steps.size(),
                        population.steps.size(), group.steps.front(), group.steps.back()));
    } else if (const std::uint64_t bursts = group.steps.empty() ? most_bursts_of_one_device(members, places) : 0;
               bursts > 1) {
        const std::string of_one =
            bursts == group.bursts ? "" : fmt::format(" (up to {} of one rank and device)", bursts);
        add(remarks, "recurring",
            fmt::format("{} dumps in {} bursts{} over {}", group.count, group.bursts, of_one,
                        show_duration(time_difference(*group.last_us, *group.first_us))));
    }
}

/// A single dump is on one rank by nature.
void add_spread_on_ranks(const ScanGroup& group, const std::set<std::uint64_t>& everywhere,
                         std::vector<ScanRemark>& remarks) {
    if (everywhere.size() < 2 || group.count < 2) {
        return;
    }
    if (group.ranks.size() == 1) {
        add(remarks, "single_rank",
            fmt::format("all {} dumps are of rank {}, out of {} ranks that have dumps", group.count,
                        group.ranks.front(), everywhere.size()));
    } else if (group.ranks.size() == everywhere.size()) {
        add(remarks, "all_ranks",
            fmt::format("on all {} ranks that have dumps, which speaks against a fault of one device",
                        everywhere.size()));
    }
}

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

/// single_device or all_devices where that is certain; device_numbers where numbers look so. `here`: of `count` dumps
/// of a group, each with a device id; `everywhere`: of all dumps.
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

std::vector<ScanRemark> patterns_of(const ScanGroup& group, const GroupTally& members, const KnownPlaces& places,
                                    const Population& population) {
    std::vector<ScanRemark> remarks;
    add_recurrence(group, members, places, population, remarks);
    // A rank is a device of a host: where ranks are known, device ids say nothing more.
    if (members.all_ranked) {
        add_spread_on_ranks(group, population.ranks, remarks);
    } else if (members.all_on_devices && group.count > 1) {
        if (auto spread = spread_on_devices(group.count, members.devices, population.devices, places)) {
            remarks.push_back(*std::move(spread));
        }
    }
    return remarks;
}

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
