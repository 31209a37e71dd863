#include "scan/groups.hpp"

#include <algorithm>

#include "bytes/hash_factors.hpp"
#include "scan/clock.hpp"

namespace opdebug::scan_stage {

void Bursts::add(std::uint64_t time) {
    if (runs_.empty() || (time > runs_.back().last && time_difference(time, runs_.back().last) >= kOneSecond)) {
        runs_.push_back({time, time});
    } else if (time >= runs_.back().first) {
        runs_.back().last = std::max(runs_.back().last, time);
    } else {
        late_.push_back({time, time});
        constexpr std::size_t kFew = 64;
        if (late_.size() > runs_.size() / 2 + kFew) {
            fold();
        }
    }
}

void Bursts::add(const Bursts& other) {
    late_.insert(late_.end(), other.runs_.begin(), other.runs_.end());
    late_.insert(late_.end(), other.late_.begin(), other.late_.end());
    fold();
}

std::uint64_t Bursts::count() const {
    if (late_.empty()) {
        return runs_.size();
    }
    Bursts folded = *this;
    folded.fold();
    return folded.runs_.size();
}

/// Puts the late ones among the runs; runs less than a second apart become one.
void Bursts::fold() {
    runs_.insert(runs_.end(), late_.begin(), late_.end());
    late_.clear();
    std::sort(runs_.begin(), runs_.end(), [](const Run& a, const Run& b) { return a.first < b.first; });
    std::size_t kept = 0;
    for (std::size_t i = 1; i < runs_.size(); ++i) {
        if (time_difference(runs_[i].first, runs_[kept].last) < kOneSecond) {
            runs_[kept].last = std::max(runs_[kept].last, runs_[i].last);
        } else {
            runs_[++kept] = runs_[i];
        }
    }
    runs_.resize(std::min(runs_.size(), kept + 1));
}

void Devices::add(std::optional<std::uint64_t> device_id, const PlaceNumbers& place) {
    if (!device_id || !by_root_.insert(place.device).second) {
        return;
    }
    numbers_.insert(*device_id);
    if (place.device_of_host) {
        by_host_.insert(*place.device_of_host);
        of_known_hosts_.insert(*device_id);
    }
}

std::size_t Devices::fewest() const {
    return by_host_.size() + numbers_.size() - of_known_hosts_.size();
}

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
    const std::uint64_t unit = static_cast<std::uint64_t>(key.core.first);
    return static_cast<std::size_t>(((key.core.second * bytes::kHashFactor) ^ (key.device * 8ULL + unit)) *
                                    bytes::kHashFactor);
}

void CoreSpread::add(const GroupMember& member) {
    if (member.core_id) {
        const UnitCore core{member.unit, *member.core_id};
        ++with_core;
        ++core_ids[core];
        OnCore& here = cores[{member.place.device, core}];
        here.several_blocks = here.count != 0 && (here.several_blocks || here.block != member.block_id);
        here.block = member.block_id;
        ++here.count;
    }
    if (member.block_id) {
        ++with_block;
        ++blocks[*member.block_id];
    }
}

GroupMember member_of(const ScanItem& item, const ScanCause& cause, std::uint64_t dump, const PlaceNumbers& place) {
    const PathIds& ids = item.path_ids;
    return {dump,       place,         ids.rank,      ids.device_id, ids.data_index, item.timestamp_us,
            cause.unit, cause.core_id, cause.block_id};
}

void GroupTally::add(const GroupMember& member) {
    spread.add(member);
    if (last_dump_ == member.dump) {
        return;  // a record of this dump is counted already
    }
    last_dump_ = member.dump;
    ++count;
    all_ranked = all_ranked && member.rank;
    all_on_devices = all_on_devices && member.device_id;
    if (member.rank) {
        ranks.insert(*member.rank);
    }
    devices.add(member.device_id, member.place);
    if (member.step) {
        steps.add(*member.step, member.place.run);
    }
    if (member.timestamp_us) {
        first_us = std::min(first_us.value_or(*member.timestamp_us), *member.timestamp_us);
        last_us = std::max(last_us.value_or(*member.timestamp_us), *member.timestamp_us);
        bursts_of[member.place.place].add(*member.timestamp_us);
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

void GroupMembers::add(const GroupMember& member) {
    if (!first_) {
        first_ = member;
        return;
    }
    if (!tally_) {
        tally_ = std::make_unique<GroupTally>();
        tally_->add(*first_);
    }
    tally_->add(member);
}

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

}  // namespace opdebug::scan_stage
