#include "scan/patterns.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <string>

#include <fmt/format.h>

#include "scan/place.hpp"
#include "scan/time_difference.hpp"

namespace opdebug::scan_stage {
namespace {

void add(std::vector<ScanRemark>& remarks, const char* code, std::string message) {
    remarks.push_back({Severity::info, code, std::move(message)});
}

/// Whether all lie in no more than one step and less than a second apart.
bool is_one_event(const ScanGroup& group, const ScanItems& members) {
    if (group.count == 1) {
        return true;
    }
    const bool timed =
        std::all_of(members.begin(), members.end(), [](const ScanItem* item) { return item->timestamp_us; });
    return timed && group.steps.size() <= 1 && time_difference(*group.last_us, *group.first_us) < kOneSecond;
}

/// How long a group of dumps with times lasts: "within 10 us".
std::string show_burst(const ScanGroup& group) {
    const std::int64_t duration = time_difference(*group.last_us, *group.first_us);
    return duration == 0 ? "at the same time" : fmt::format("within {}", show_duration(duration));
}

/// A job's run: restarts are other runs, ranks and devices are not. Their folders of the time may differ.
Place run_of(const ScanItem& item) {
    Place run = place_of(item);
    run.rank.reset();
    run.device_id.reset();
    return run;
}

/// Whether the group is in all steps that have dumps, and these are such that "every step" is more than chance: one
/// after the other, and all seen in runs with three of them or more. Dumps of steps 10, 20, 30 say nothing of those
/// between, and runs with a step each nothing of the next one.
bool is_in_every_step(const ScanGroup& group, const ScanItems& members, const Population& population) {
    constexpr std::size_t kLeastSteps = 3;
    const std::vector<std::uint64_t>& steps = group.steps;
    if (steps.size() < kLeastSteps || steps.size() != population.steps.size() ||
        steps.back() - steps.front() != steps.size() - 1) {
        return false;
    }
    std::map<Place, std::set<std::uint64_t>> steps_of;
    for (const ScanItem* item : members) {
        if (item->path_ids.data_index) {
            steps_of[run_of(*item)].insert(*item->path_ids.data_index);
        }
    }
    std::set<std::uint64_t> in_long_runs;
    for (const auto& [run, of_run] : steps_of) {
        if (of_run.size() >= kLeastSteps) {
            in_long_runs.insert(of_run.begin(), of_run.end());
        }
    }
    return in_long_runs.size() == steps.size();
}

/// The bursts of that rank and device, over restarts, that has most; dumps without a time show none.
std::uint64_t most_bursts_of_one_device(const ScanItems& members) {
    std::map<Place, ScanItems> timed_of;
    for (const ScanItem* item : members) {
        if (item->timestamp_us) {
            timed_of[device_of(*item)].push_back(item);
        }
    }
    std::uint64_t most = 0;
    for (const auto& [device, timed] : timed_of) {
        most = std::max(most, count_bursts(timed));
    }
    return most;
}

void add_recurrence(const ScanGroup& group, const ScanItems& members, const Population& population,
                    std::vector<ScanRemark>& remarks) {
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
    } else if (const std::uint64_t bursts = most_bursts_of_one_device(members); group.steps.empty() && bursts > 1) {
        const std::string of_one =
            bursts == group.bursts ? "" : fmt::format(" (up to {} of one rank and device)", bursts);
        add(remarks, "recurring",
            fmt::format("{} dumps in {} bursts{} over {}", group.count, group.bursts, of_one,
                        show_duration(time_difference(*group.last_us, *group.first_us))));
    }
}

/// "single_rank" or "all_ranks", and the same of devices. A single dump is on one rank by nature.
void add_spread(const ScanGroup& group, const std::string& what, const std::vector<std::uint64_t>& here,
                const std::vector<std::uint64_t>& everywhere, std::vector<ScanRemark>& remarks) {
    if (everywhere.size() < 2 || group.count < 2) {
        return;
    }
    if (here.size() == 1) {
        remarks.push_back({Severity::info, "single_" + what,
                           fmt::format("all {} dumps are of {} {}, out of {} {}s that have dumps", group.count, what,
                                       here.front(), everywhere.size(), what)});
    } else if (here.size() == everywhere.size()) {
        remarks.push_back({Severity::info, "all_" + what + "s",
                           fmt::format("on all {} {}s that have dumps, which speaks against a fault of one device",
                                       everywhere.size(), what)});
    }
}

void add_cores_and_blocks(const ScanItem& item, Population& all) {
    for (const ScanCause& cause : item.causes) {
        if (cause.core_id) {
            all.cores.emplace_back(cause.unit, *cause.core_id);
        }
        if (cause.block_id) {
            all.blocks.push_back(*cause.block_id);
        }
    }
}

}  // namespace

std::vector<std::uint64_t> sorted_once(std::vector<std::uint64_t> values) {
    std::sort(values.begin(), values.end());
    values.erase(std::unique(values.begin(), values.end()), values.end());
    return values;
}

Population population_of(const std::vector<ScanItem>& items) {
    Population all;
    const auto take = [](const std::optional<std::uint64_t>& value, std::vector<std::uint64_t>& values) {
        if (value) {
            values.push_back(*value);
        }
    };
    for (const ScanItem& item : items) {
        take(item.path_ids.rank, all.ranks);
        take(item.path_ids.device_id, all.devices);
        take(item.path_ids.data_index, all.steps);
        if (item.state == DumpState::overflowed) {
            add_cores_and_blocks(item, all);
        }
    }
    for (auto* values : {&all.ranks, &all.devices, &all.steps, &all.blocks}) {
        *values = sorted_once(std::move(*values));
    }
    std::sort(all.cores.begin(), all.cores.end());
    all.cores.erase(std::unique(all.cores.begin(), all.cores.end()), all.cores.end());
    return all;
}

std::uint64_t count_bursts(const ScanItems& members) {
    std::uint64_t bursts = 0;
    std::map<Place, std::vector<std::uint64_t>> times_of;
    for (const ScanItem* item : members) {
        if (item->timestamp_us) {
            times_of[place_of(*item)].push_back(*item->timestamp_us);
        } else {
            ++bursts;
        }
    }
    for (auto& [place, times] : times_of) {
        std::sort(times.begin(), times.end());
        for (std::size_t i = 0; i < times.size(); ++i) {
            if (i == 0 || time_difference(times[i], times[i - 1]) >= kOneSecond) {
                ++bursts;
            }
        }
    }
    return bursts;
}

std::vector<ScanRemark> patterns_of(const ScanGroup& group, const ScanItems& members, const Population& population) {
    std::vector<ScanRemark> remarks;
    add_recurrence(group, members, population, remarks);
    // A rank is a device of a host: where ranks are known, device ids say nothing more.
    const auto ranked = [](const ScanItem* item) { return item->path_ids.rank.has_value(); };
    const auto placed = [](const ScanItem* item) { return item->path_ids.device_id.has_value(); };
    if (std::all_of(members.begin(), members.end(), ranked)) {
        add_spread(group, "rank", group.ranks, population.ranks, remarks);
    } else if (std::all_of(members.begin(), members.end(), placed)) {
        add_spread(group, "device", group.devices, population.devices, remarks);
    }
    return remarks;
}

}  // namespace opdebug::scan_stage
