#include "scan/patterns.hpp"

#include <algorithm>
#include <set>
#include <string>
#include <unordered_map>

#include <fmt/format.h>

#include "scan/time_difference.hpp"

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

}  // namespace

void Population::add(const ScanItem& item, const PlaceNumbers& place) {
    if (item.path_ids.rank) {
        ranks.insert(*item.path_ids.rank);
    }
    devices.add(item.path_ids.device_id, place);
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
        if (cause.block_id) {
            blocks.insert(*cause.block_id);
        }
    }
}

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

}  // namespace opdebug::scan_stage
