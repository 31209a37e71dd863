#include "scan/groups.hpp"

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <set>
#include <vector>

#include "remarks/diagnose.hpp"
#include "remarks/durations.hpp"
#include "scan/times.hpp"

namespace opdebug::scan_stage {
namespace {

void append_once(std::uint64_t value, std::vector<std::uint64_t>& ascending) {
    if (ascending.empty() || ascending.back() != value) {
        ascending.push_back(value);
    }
}

}  // namespace

void Bursts::add(std::uint64_t time) {
    auto run = runs_.upper_bound(time);
    if (run != runs_.begin() && time_difference(time, std::prev(run)->second) < kOneSecond) {
        --run;
    } else {
        run = runs_.emplace_hint(run, time, time);
    }
    run->second = std::max(run->second, time);
    const auto next = std::next(run);
    if (next != runs_.end() && time_difference(next->first, run->second) < kOneSecond) {
        run->second = next->second;
        runs_.erase(next);
    }
}

void Devices::add(std::optional<std::uint64_t> device_id, const SourceNumbers& source) {
    if (device_id && by_root_.insert(source.device).second) {
        numbers_.insert(*device_id);
    }
}

std::optional<std::size_t> Devices::count() const {
    return numbers_.size() == by_root_.size() ? std::optional(numbers_.size()) : std::nullopt;
}

void CoreSpread::add(const ScanCause& cause, std::uint32_t device) {
    if (cause.core_id) {
        ++with_core;
        ++cores[{device, {cause.unit, *cause.core_id}}];
    }
    if (cause.block_id) {
        blocks.insert(*cause.block_id);
    }
}

void GroupTally::add(const ScanItem& item, const ScanCause& cause, std::uint64_t dump, const SourceNumbers& source) {
    spread.add(cause, source.device);
    if (last_dump_ == dump) {
        return;  // another record of this dump was counted
    }
    last_dump_ = dump;
    ++count;
    const PathIds& ids = item.path_ids;
    all_ranked = all_ranked && ids.rank;
    all_on_devices = all_on_devices && ids.device_id;
    if (ids.rank) {
        ranks.insert(*ids.rank);
    }
    devices.add(ids.device_id, source);
    if (ids.data_index) {
        append_once(*ids.data_index, steps);
    }
    if (const std::optional<std::uint64_t>& time = item.timestamp_us) {
        first_us = std::min(first_us.value_or(*time), *time);
        last_us = std::max(last_us.value_or(*time), *time);
        bursts_by_device[source.device].add(*time);
    } else {
        ++untimed;
    }
}

std::uint64_t GroupTally::bursts() const {
    std::uint64_t bursts = untimed;
    for (const auto& [device, of_device] : bursts_by_device) {
        bursts += of_device.count();
    }
    return bursts;
}

std::uint64_t GroupTally::most_bursts_of_one_device() const {
    std::uint64_t most = 0;
    for (const auto& [device, of_device] : bursts_by_device) {
        most = std::max(most, of_device.count());
    }
    return most;
}

void Population::add(const ScanItem& item, const SourceNumbers& source) {
    if (item.path_ids.rank) {
        ranks.insert(*item.path_ids.rank);
    }
    devices.add(item.path_ids.device_id, source);
    if (item.path_ids.data_index) {
        append_once(*item.path_ids.data_index, steps);
    }
    if (item.state != DumpState::overflowed) {
        return;
    }
    for (const ScanCause& cause : item.causes) {
        if (cause.core_id) {
            cores.emplace(cause.unit, *cause.core_id);
        }
    }
}

// Patterns and suspicions in the dumps of a group, each with its numbers.
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

/// Whether the group is in all steps with dumps, and these are consecutive, three at least. Dumps of steps 10, 20, 30
/// show nothing about the steps between.
bool is_in_every_step(const ScanGroup& group, const Population& population) {
    constexpr std::size_t kLongRun = 3;
    const std::vector<std::uint64_t>& steps = group.steps;
    return steps.size() >= kLongRun && steps.size() == population.steps.size() &&
           steps.back() - steps.front() == steps.size() - 1;
}

std::optional<ScanRemark> recurrence(const ScanGroup& group, const GroupTally& members, const Population& population) {
    if (is_one_event(group, members)) {
        return group.count == 1 ? remarks::diagnose("one_off.single")
                                : remarks::diagnose("one_off", {{"count", group.count}, {"burst", show_burst(group)}});
    }
    if (is_in_every_step(group, population)) {
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
            "single_device", {{"count", count},
                              {"device", remarks::phrase("device", {{"device", *sources.at(here.any()).device_id}})},
                              {"devices", *all}});
    }
    return *of_group == *all ? std::optional(remarks::diagnose("all_devices", {{"devices", *all}})) : std::nullopt;
}

constexpr std::size_t kLeast = 8;  ///< of dumps, and of records with a core

/// Minimum number of records, and the minimum share of them on one core. With two cores that share the work
/// evenly, at most 1 group in 46 of this size is that uneven (9 or more of 10). With 8 cores or more it is less than
/// one in a million.
bool is_concentrated(std::size_t on_one, std::size_t of_all) {
    return of_all >= kLeast && on_one * 10 >= of_all * 9;
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

std::optional<ScanRemark> concentration_on_core(const CoreSpread& spread, const SourceTable& sources) {
    const auto core = std::max_element(spread.cores.begin(), spread.cores.end(),
                                       [](const auto& a, const auto& b) { return a.second < b.second; });
    if (core == spread.cores.end() || !is_concentrated(core->second, spread.with_core)) {
        return std::nullopt;
    }
    const auto& [device, unit_core] = core->first;
    return remarks::diagnose("core_concentration", {{"count", core->second},
                                                    {"all", spread.with_core},
                                                    {"unit", unit_name(unit_core.first)},
                                                    {"core", unit_core.second},
                                                    {"device", show_core_device(sources.at(device))}});
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
    // With only one core, it is unknown if work ran elsewhere. The data of one block may be the reason instead of the
    // core.
    if (members.spread.blocks.size() > 1 || (members.spread.blocks.empty() && population.cores.size() > 1)) {
        add(concentration_on_core(members.spread, sources));
    }
    return remarks;
}

}  // namespace opdebug::scan_stage
