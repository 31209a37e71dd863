#include "scan/group_tally.hpp"

#include <algorithm>

namespace opdebug::scan_stage {

void append_once(std::uint64_t value, std::vector<std::uint64_t>& ascending) {
    if (ascending.empty() || ascending.back() != value) {
        ascending.push_back(value);
    }
}

void StepsOfRuns::add(std::uint64_t step, std::uint32_t run_number) {
    append_once(step, steps_);
    in_long_run_.resize(steps_.size());
    const std::size_t place = steps_.size() - 1;
    Run& run = runs_[run_number];
    if (run.count != 0 && run.places[std::min(run.count, kLong) - 1] == place) {
        return;
    }
    run.places[std::min(run.count, kLong - 1)] = place;
    ++run.count;
    if (run.count == kLong) {
        std::for_each(std::begin(run.places), std::end(run.places),
                      [this](std::size_t at) { in_long_run_[at] = true; });
    } else if (run.count > kLong) {
        in_long_run_[place] = true;
    }
}

bool StepsOfRuns::all_in_long_runs() const {
    return std::all_of(in_long_run_.begin(), in_long_run_.end(), [](bool in_long_run) { return in_long_run; });
}

std::size_t CoreSpread::Hash::operator()(const DeviceCore& key) const noexcept {
    constexpr std::uint64_t kMix = 0x9e3779b97f4a7c15;  // 2^64 divided by the golden ratio
    const std::uint64_t unit = static_cast<std::uint64_t>(key.core.first);
    return static_cast<std::size_t>(((key.core.second * kMix) ^ (key.device * 8ULL + unit)) * kMix);
}

void CoreSpread::add(const ScanCause& cause, std::uint32_t device) {
    if (cause.core_id) {
        const UnitCore core{cause.unit, *cause.core_id};
        ++with_core;
        ++core_ids[core];
        OnCore& here = cores[{device, core}];
        here.several_blocks = here.count != 0 && (here.several_blocks || here.block != cause.block_id);
        here.block = cause.block_id;
        ++here.count;
    }
    if (cause.block_id) {
        ++with_block;
        ++blocks[*cause.block_id];
    }
}

void GroupTally::add(const ScanItem& item, const ScanCause& cause, std::uint64_t dump, const PlaceNumbers& place) {
    spread.add(cause, place.device);
    if (last_dump_ == dump) {
        return;  // a record of this dump is counted already
    }
    last_dump_ = dump;
    if (count++ == 0) {
        first_file = item.file;
    }
    const PathIds& ids = item.path_ids;
    all_ranked = all_ranked && ids.rank;
    all_on_devices = all_on_devices && ids.device_id;
    if (ids.rank) {
        ranks.insert(*ids.rank);
    }
    if (ids.device_id) {
        devices.insert(*ids.device_id);
    }
    if (ids.data_index) {
        steps.add(*ids.data_index, place.run);
    }
    if (item.timestamp_us) {
        first_us = std::min(first_us.value_or(*item.timestamp_us), *item.timestamp_us);
        last_us = std::max(last_us.value_or(*item.timestamp_us), *item.timestamp_us);
        bursts_of[place.place].add(*item.timestamp_us);
    } else {
        ++untimed;
    }
}

std::uint64_t GroupTally::bursts() const {
    std::uint64_t bursts = untimed;
    for (const auto& [place, of_place] : bursts_of) {
        bursts += of_place.count();
    }
    return bursts;
}

}  // namespace opdebug::scan_stage
