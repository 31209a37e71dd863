#include "scan/group_tally.hpp"

#include <algorithm>

#include "bytes/hash_factors.hpp"

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

}  // namespace opdebug::scan_stage
