// Patterns and suspicions in the dumps of a group, each with its numbers.
#include "scan/groups.hpp"

#include <algorithm>
#include <cstdint>
#include <set>
#include <string>
#include <vector>

#include "remarks/diagnose.hpp"
#include "remarks/durations.hpp"
#include "scan/times.hpp"
#include "tree/name.hpp"

namespace opdebug::scan_stage {
namespace {

/// Whether all dumps are of one step at most, and less than a second apart.
bool is_one_event(const ScanGroup& group, const GroupTally& members) {
    if (group.count == 1) {
        return true;
    }
    return members.untimed == 0 && group.steps.size() <= 1 &&
           time_difference(*group.last_us, *group.first_us) < kOneSecond;
}

/// The duration of a group of dumps with times: "within 10 us".
LocalizedText show_burst(const ScanGroup& group) {
    const std::int64_t duration = time_difference(*group.last_us, *group.first_us);
    return duration == 0 ? remarks::phrase("at_the_same_time")
                         : remarks::phrase("within_duration", {{"duration", remarks::show_duration(duration)}});
}

/// Whether the group is in all steps with dumps, and this is more than chance: the steps are consecutive, and in runs
/// of three steps or more. Dumps of steps 10, 20, 30 show nothing about the steps between, and runs of one step nothing
/// about the next one.
bool is_in_every_step(const ScanGroup& group, const GroupTally& members, const Population& population) {
    const std::vector<std::uint64_t>& steps = group.steps;
    return steps.size() >= kLongRun && steps.size() == population.steps.size() &&
           steps.back() - steps.front() == steps.size() - 1 && members.all_steps_in_long_runs();
}

std::optional<ScanRemark> recurrence(const ScanGroup& group, const GroupTally& members, const Population& population) {
    if (is_one_event(group, members)) {
        return group.count == 1 ? remarks::diagnose("one_off.single")
                                : remarks::diagnose("one_off", {{"count", group.count}, {"burst", show_burst(group)}});
    }
    if (is_in_every_step(group, members, population)) {
        return remarks::diagnose(
            "every_step",
            {{"count", group.steps.size()}, {"first", group.steps.front()}, {"last", group.steps.back()}});
    }
    if (group.steps.size() > 1) {
        return remarks::diagnose("recurring", {{"count", group.steps.size()},
                                               {"all", population.steps.size()},
                                               {"first", group.steps.front()},
                                               {"last", group.steps.back()}});
    }
    const std::uint64_t bursts = group.steps.empty() ? members.most_bursts_of_one_device() : 0;
    if (bursts <= 1) {
        return std::nullopt;
    }
    const LocalizedText of_one =
        bursts == group.bursts ? LocalizedText() : remarks::phrase("up_to_of_one", {{"count", bursts}});
    return remarks::diagnose("recurring.bursts",
                             {{"count", group.count},
                              {"bursts", group.bursts},
                              {"of_one", of_one},
                              {"duration", remarks::show_duration(time_difference(*group.last_us, *group.first_us))}});
}

/// A single dump is always on one rank.
std::optional<ScanRemark> spread_on_ranks(const ScanGroup& group, const std::set<std::uint64_t>& everywhere) {
    if (everywhere.size() < 2 || group.count < 2) {
        return std::nullopt;
    }
    if (group.ranks.size() == 1) {
        return remarks::diagnose("single_rank",
                                 {{"count", group.count}, {"rank", group.ranks.front()}, {"ranks", everywhere.size()}});
    }
    if (group.ranks.size() == everywhere.size()) {
        return remarks::diagnose("all_ranks", {{"count", everywhere.size()}});
    }
    return std::nullopt;
}

/// "device 3 of host node-7"
LocalizedText show_device(const DumpSource& device) {
    return device.host.empty()
               ? remarks::phrase("device", {{"device", *device.device_id}})
               : remarks::phrase("device_of_host", {{"device", *device.device_id}, {"host", device.host}});
}

/// single_device or all_devices, if the numbers of devices are certain. `here`: of `count` dumps of a group, each with
/// a device id; `everywhere`: of all dumps.
std::optional<ScanRemark> spread_on_devices(std::uint64_t count, const Devices& here, const Devices& everywhere,
                                            const SourceTable& sources) {
    const std::optional<std::size_t> all = everywhere.count(), of_group = here.count();
    if (!all || *all < 2 || !of_group) {
        return std::nullopt;
    }
    if (*of_group == 1) {
        return remarks::diagnose(
            "single_device", {{"count", count}, {"device", show_device(sources.at(here.any()))}, {"devices", *all}});
    }
    return *of_group == *all ? std::optional(remarks::diagnose("all_devices", {{"devices", *all}})) : std::nullopt;
}

constexpr std::size_t kLeast = 8;  ///< of dumps, and of records with a core or block

/// Minimum number of records, and the minimum share of them on one core or block. With two cores that share the work
/// evenly, at most 1 group in 46 of this size is that uneven (9 or more of 10). With 8 cores or more it is less than
/// one in a million.
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
LocalizedText show_core_device(const DumpSource& device) {
    std::vector<LocalizedText> parts;
    if (device.rank) {
        parts.push_back(remarks::phrase("rank", {{"rank", *device.rank}}));
    }
    if (device.device_id) {
        parts.push_back(remarks::phrase("device", {{"device", *device.device_id}}));
    }
    return parts.empty() ? LocalizedText()
                         : remarks::phrase("of_place", {{"place", remarks::joined(parts, {", ", "，"})}});
}

/// The block that all these records have in common.
LocalizedText common_block(const CoreSpread::CoreRecords& records) {
    return records.several_blocks || !records.block ? LocalizedText()
                                                    : remarks::phrase("all_of_block", {{"block", *records.block}});
}

std::optional<ScanRemark> concentration_on_core(const CoreSpread& spread, const SourceTable& sources) {
    if (spread.cores.empty()) {
        return std::nullopt;
    }
    const auto core = most_frequent(spread.cores, [](const CoreSpread::CoreRecords& records) { return records.count; });
    if (is_concentrated(core->second.count, spread.with_core)) {
        const auto& [device, unit_core] = core->first;
        return remarks::diagnose("core_concentration", {{"count", core->second.count},
                                                        {"all", spread.with_core},
                                                        {"unit", unit_name(unit_core.first)},
                                                        {"core", unit_core.second},
                                                        {"device", show_core_device(sources.at(device))},
                                                        {"block", common_block(core->second)}});
    }
    const auto id = most_frequent(spread.core_ids, [](std::size_t count) { return count; });
    if (is_concentrated(id->second, spread.with_core)) {
        return remarks::diagnose("core_concentration.number", {{"count", id->second},
                                                               {"all", spread.with_core},
                                                               {"unit", unit_name(id->first.first)},
                                                               {"core", id->first.second}});
    }
    return std::nullopt;
}

/// Blocks of a launch are numbered from 0, so a higher number means other blocks. Block 0 may be the only one, on any
/// core.
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
    return remarks::diagnose("block_concentration",
                             {{"count", block->second}, {"all", spread.with_block}, {"block", block->first}});
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
    // A rank is a device of a host: if ranks are known, device ids are redundant.
    if (members.all_ranked) {
        add(spread_on_ranks(group, population.ranks));
    } else if (members.all_on_devices && group.count > 1) {
        add(spread_on_devices(group.count, members.devices, population.devices, sources));
    }
    if (members.count < kLeast) {
        return remarks;  // the records of a few dumps are few events, however many they are
    }
    // With only one core and one block, it is unknown if work ran elsewhere.
    if (population.cores.size() > 1 || members.spread.blocks.size() > 1) {
        add(concentration_on_core(members.spread, sources));
    }
    add(concentration_on_block(members.spread, population));
    return remarks;
}

}  // namespace opdebug::scan_stage
