#include "scan/groups.hpp"

#include <algorithm>
#include <iterator>

#include "scan/times.hpp"

namespace opdebug::scan_stage {
namespace {

void append_once(std::uint64_t value, std::vector<std::uint64_t>& ascending) {
    if (ascending.empty() || ascending.back() != value) {
        ascending.push_back(value);
    }
}

}  // namespace

void Bursts::add_run(std::uint64_t first, std::uint64_t last) {
    auto run = runs_.upper_bound(first);
    if (run != runs_.begin() && time_difference(first, std::prev(run)->second) < kOneSecond) {
        --run;
    } else {
        run = runs_.emplace_hint(run, first, last);
    }
    run->second = std::max(run->second, last);
    for (auto next = std::next(run); next != runs_.end() && time_difference(next->first, run->second) < kOneSecond;) {
        run->second = std::max(run->second, next->second);
        next = runs_.erase(next);
    }
}

void Bursts::add(const Bursts& other) {
    for (const auto& [first, last] : other.runs_) {
        add_run(first, last);
    }
}

void Devices::add(std::optional<std::uint64_t> device_id, const SourceNumbers& source) {
    if (!device_id || !by_root_.insert(source.device).second) {
        return;
    }
    numbers_.insert(*device_id);
    if (source.device_of_host) {
        by_host_.insert(*source.device_of_host);
        of_known_hosts_.insert(*device_id);
    }
}

/// An unknown host may be any of the known ones.
std::optional<std::size_t> Devices::count() const {
    const std::size_t fewest = by_host_.size() + numbers_.size() - of_known_hosts_.size();
    return fewest == by_root_.size() ? std::optional(fewest) : std::nullopt;
}

void CoreSpread::add(const ScanCause& cause, std::uint32_t device) {
    if (cause.core_id) {
        const UnitCore core{cause.unit, *cause.core_id};
        ++with_core;
        ++core_ids[core];
        CoreRecords& records = cores[{device, core}];
        records.several_blocks = records.count != 0 && (records.several_blocks || records.block != cause.block_id);
        records.block = cause.block_id;
        ++records.count;
    }
    if (cause.block_id) {
        ++with_block;
        ++blocks[*cause.block_id];
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
        append_once(*ids.data_index, steps_by_run[source.run]);
    }
    if (const std::optional<std::uint64_t>& time = item.timestamp_us) {
        first_us = std::min(first_us.value_or(*time), *time);
        last_us = std::max(last_us.value_or(*time), *time);
        bursts_by_device[source.device][source.source].add(*time);
    } else {
        ++untimed;
    }
}

std::uint64_t GroupTally::bursts() const {
    std::uint64_t bursts = untimed;
    for (const auto& [device, by_source] : bursts_by_device) {
        for (const auto& [source, of_source] : by_source) {
            bursts += of_source.count();
        }
    }
    return bursts;
}

std::uint64_t GroupTally::most_bursts_of_one_device() const {
    std::uint64_t most = 0;
    for (const auto& [device, by_source] : bursts_by_device) {
        Bursts of_device;
        for (const auto& [source, of_source] : by_source) {
            of_device.add(of_source);
        }
        most = std::max(most, of_device.count());
    }
    return most;
}

bool GroupTally::all_steps_in_long_runs() const {
    std::set<std::uint64_t> in_long_runs;
    for (const auto& [run, of_run] : steps_by_run) {
        if (of_run.size() >= kLongRun) {
            in_long_runs.insert(of_run.begin(), of_run.end());
        }
    }
    return in_long_runs.size() == steps.size();
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
        if (cause.block_id) {
            blocks.insert(*cause.block_id);
        }
    }
}

}  // namespace opdebug::scan_stage
