// Patterns and suspicions in the dumps of a group, each with the numbers behind it.
#include "scan/groups.hpp"

#include <algorithm>
#include <cstdint>
#include <set>
#include <string>

#include <fmt/format.h>

#include "scan/times.hpp"
#include "tree/name.hpp"

namespace opdebug::scan_stage {
namespace {

ScanRemark fact(const char* code, std::string message) {
    return {Severity::info, code, std::move(message)};
}

ScanRemark suspicion(const char* code, std::string message) {
    return {Severity::warning, code, std::move(message)};
}

/// Whether all dumps are of one step at most, and less than a second apart.
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
    return steps.size() >= kLongRun && steps.size() == population.steps.size() &&
           steps.back() - steps.front() == steps.size() - 1 && members.all_steps_in_long_runs();
}

std::optional<ScanRemark> recurrence(const ScanGroup& group, const GroupTally& members, const Population& population) {
    if (is_one_event(group, members)) {
        return fact("one_off", group.count == 1
                                   ? "one dump only"
                                   : fmt::format("{} dumps {}, and no others", group.count, show_burst(group)));
    }
    if (is_in_every_step(group, members, population)) {
        return fact("every_step",
                    fmt::format("in all {} steps that have dumps, from step {} to step {} (steps without dumps leave "
                                "no folder)",
                                group.steps.size(), group.steps.front(), group.steps.back()));
    }
    if (group.steps.size() > 1) {
        return fact("recurring",
                    fmt::format("in {} of {} steps that have dumps, from step {} to step {}", group.steps.size(),
                                population.steps.size(), group.steps.front(), group.steps.back()));
    }
    const std::uint64_t bursts = group.steps.empty() ? members.most_bursts_of_one_device() : 0;
    if (bursts <= 1) {
        return std::nullopt;
    }
    const std::string of_one = bursts == group.bursts ? "" : fmt::format(" (up to {} of one rank and device)", bursts);
    return fact("recurring", fmt::format("{} dumps in {} bursts{} over {}", group.count, group.bursts, of_one,
                                         show_duration(time_difference(*group.last_us, *group.first_us))));
}

/// A single dump is on one rank by nature.
std::optional<ScanRemark> spread_on_ranks(const ScanGroup& group, const std::set<std::uint64_t>& everywhere) {
    if (everywhere.size() < 2 || group.count < 2) {
        return std::nullopt;
    }
    if (group.ranks.size() == 1) {
        return fact("single_rank", fmt::format("all {} dumps are of rank {}, out of {} ranks that have dumps",
                                               group.count, group.ranks.front(), everywhere.size()));
    }
    if (group.ranks.size() == everywhere.size()) {
        return fact("all_ranks",
                    fmt::format("on all {} ranks that have dumps, which speaks against a fault of one device",
                                everywhere.size()));
    }
    return std::nullopt;
}

/// "4", or "4 to 12"
std::string show_count(const Devices& devices) {
    return devices.are_certain() ? std::to_string(devices.most())
                                 : fmt::format("{} to {}", devices.fewest(), devices.most());
}

/// Why the number of devices is not known.
std::string doubt_on(const Devices& devices) {
    return devices.are_certain()
               ? ""
               : "; equal device numbers of different folders or of unnamed hosts may be one device or several";
}

/// "device 3 of host node-7"
std::string show_device(const DumpSource& device) {
    return fmt::format("device {}{}", *device.device_id, device.host.empty() ? "" : " of host " + device.host);
}

/// The device numbers are one or all, but which devices these are is not certain.
std::optional<ScanRemark> on_numbers(std::uint64_t count, const Devices& here, const Devices& everywhere) {
    if (everywhere.numbers().size() < 2) {
        return std::nullopt;
    }
    const std::string share = fmt::format("{} of the {} devices that have dumps{}", show_count(here),
                                          show_count(everywhere), doubt_on(everywhere));
    if (here.numbers().size() == 1) {
        return fact("device_numbers", fmt::format("all {} dumps are of devices with the number {}, {}", count,
                                                  *here.numbers().begin(), share));
    }
    if (here.fewest() == everywhere.fewest()) {
        return fact("device_numbers",
                    fmt::format("on devices of all {} numbers, {}", everywhere.numbers().size(), share));
    }
    return std::nullopt;
}

/// single_device or all_devices where that is certain; device_numbers where numbers look so. `here`: of `count` dumps
/// of a group, each with a device id; `everywhere`: of all dumps.
std::optional<ScanRemark> spread_on_devices(std::uint64_t count, const Devices& here, const Devices& everywhere,
                                            const SourceTable& sources) {
    if (everywhere.most() < 2) {
        return std::nullopt;
    }
    const bool are_several = everywhere.fewest() >= 2;
    if (here.most() == 1 && are_several) {
        return fact("single_device",
                    fmt::format("all {} dumps are of {}, out of {} devices that have dumps{}", count,
                                show_device(sources.at(here.any())), show_count(everywhere), doubt_on(everywhere)));
    }
    if (here.most() == everywhere.most() && are_several) {
        return fact("all_devices",
                    fmt::format("on all {} devices that have dumps, which speaks against a fault of one device{}",
                                show_count(everywhere), doubt_on(everywhere)));
    }
    return on_numbers(count, here, everywhere);
}

constexpr std::size_t kLeast = 8;  ///< of dumps, and of records with a core or block

/// How many records, and which share of them, must lie on one core or block. If two cores shared the work evenly, at
/// most 1 group in 46 of so many dumps would be that uneven (9 or more of 10); the 8 cores and more of a chip make it
/// less than one in a million.
bool is_concentrated(std::size_t on_one, std::size_t of_all) {
    return of_all >= kLeast && on_one * 10 >= of_all * 9;
}

/// The key with the highest count. With several of them, none has nine tenths.
template <class Counts, class CountOf>
auto most_frequent(const Counts& counts, CountOf count_of) {
    return std::max_element(counts.begin(), counts.end(), [&count_of](const auto& a, const auto& b) {
        return count_of(a.second) < count_of(b.second);
    });
}

/// " of rank 3, device 1"
std::string show_core_device(const DumpSource& device) {
    const std::string rank = device.rank ? fmt::format("rank {}", *device.rank) : "";
    const std::string id = device.device_id ? fmt::format("device {}", *device.device_id) : "";
    return rank.empty() && id.empty() ? ""
                                      : fmt::format(" of {}{}{}", rank, rank.empty() || id.empty() ? "" : ", ", id);
}

/// " and of block 3": the block that all these records have in common.
std::string common_block(const CoreSpread::CoreRecords& records) {
    if (records.several_blocks || !records.block) {
        return {};
    }
    return fmt::format(
        "; all of these are of block {} as well, so that block's part of the data may be the reason "
        "instead",
        *records.block);
}

std::optional<ScanRemark> concentration_on_core(const CoreSpread& spread, const SourceTable& sources) {
    if (spread.cores.empty()) {
        return std::nullopt;
    }
    const auto core = most_frequent(spread.cores, [](const CoreSpread::CoreRecords& records) { return records.count; });
    if (is_concentrated(core->second.count, spread.with_core)) {
        const auto& [device, unit_core] = core->first;
        return suspicion("core_concentration",
                         fmt::format("{} of {} records on {} core {}{}: one core in so many hints at the core itself "
                                     "rather than at the numbers; not proven{}",
                                     core->second.count, spread.with_core, unit_name(unit_core.first), unit_core.second,
                                     show_core_device(sources.at(device)), common_block(core->second)));
    }
    const auto id = most_frequent(spread.core_ids, [](std::size_t count) { return count; });
    if (is_concentrated(id->second, spread.with_core)) {
        return fact("core_concentration",
                    fmt::format("{} of {} records on {} cores with the number {}, but of several devices: more likely "
                                "the way the work is placed on cores than a faulty core; not proven",
                                id->second, spread.with_core, unit_name(id->first.first), id->first.second));
    }
    return std::nullopt;
}

/// Blocks of a launch are numbered from 0, so one of a higher number was not alone. Block 0 may be all there is, on
/// whichever core the launches ran.
bool ran_other_blocks(const CoreSpread& spread, const Population& population) {
    const std::uint64_t block = spread.blocks.begin()->first;
    return population.blocks.size() > 1 || (population.cores.size() > 1 && block > 0 && !tree::is_no_id(block));
}

std::optional<ScanRemark> concentration_on_block(const CoreSpread& spread, const Population& population) {
    if (spread.blocks.empty() || !ran_other_blocks(spread, population)) {
        return std::nullopt;
    }
    const auto block = most_frequent(spread.blocks, [](std::size_t count) { return count; });
    if (!is_concentrated(block->second, spread.with_block)) {
        return std::nullopt;
    }
    return suspicion("block_concentration",
                     fmt::format("{} of {} records of block {}: one block in so many hints at one part of the data; "
                                 "not proven",
                                 block->second, spread.with_block, block->first));
}

}  // namespace

std::vector<ScanRemark> remarks_on_group(const ScanGroup& group, const GroupTally& members, const SourceTable& sources,
                                         const Population& population) {
    std::vector<ScanRemark> remarks;
    const auto add = [&remarks](std::optional<ScanRemark> remark) {
        if (remark) {
            remarks.push_back(*std::move(remark));
        }
    };
    add(recurrence(group, members, population));
    // A rank is a device of a host: where ranks are known, device ids add nothing.
    if (members.all_ranked) {
        add(spread_on_ranks(group, population.ranks));
    } else if (members.all_on_devices && group.count > 1) {
        add(spread_on_devices(group.count, members.devices, population.devices, sources));
    }
    if (members.count < kLeast) {
        return remarks;  // the records of a few dumps are few events, however many they are
    }
    // With one core and one block only, nothing shows that the work ran anywhere else.
    if (population.cores.size() > 1 || members.spread.blocks.size() > 1) {
        add(concentration_on_core(members.spread, sources));
    }
    add(concentration_on_block(members.spread, population));
    return remarks;
}

}  // namespace opdebug::scan_stage
