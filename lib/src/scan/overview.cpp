#include "scan/overview.hpp"

#include <algorithm>
#include <functional>
#include <optional>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include <opdebug/scan_overview.hpp>

#include "bytes/unknown_last.hpp"

namespace opdebug::scan_stage {
namespace {

constexpr std::size_t kFirstSlots = 64;

auto parts_of(const GroupNames& names) {
    return std::tie(names.cause, names.operator_type, names.operator_name, names.model);
}

}  // namespace

bool operator==(const GroupNames& a, const GroupNames& b) {
    return parts_of(a) == parts_of(b);
}

bool operator<(const GroupNames& a, const GroupNames& b) {
    return parts_of(a) < parts_of(b);
}

std::uint32_t hash_of(const GroupNames& names) {
    constexpr std::size_t kMix = 31;  // so that the order of the names counts
    std::size_t hash = 0;
    for (const std::string_view name : {names.cause, names.operator_type, names.operator_name, names.model}) {
        hash = hash * kMix + std::hash<std::string_view>()(name);
    }
    return static_cast<std::uint32_t>(hash ^ hash >> 32U);
}

Group& GroupTable::group_of(const GroupNames& names) {
    if (slots_.size() < 2 * (size_ + 1)) {
        grow();
    }
    const std::uint32_t hash = hash_of(names);
    for (std::size_t i = 0; i < kLongestSearch; ++i) {
        Slot& slot = slots_[(hash + i) % slots_.size()];
        if (slot.number == 0) {
            Group& group = add(names);
            slot = {hash, static_cast<std::uint32_t>(size_)};
            return group;
        }
        if (slot.hash == hash && at(slot.number - 1).names() == names) {
            return at(slot.number - 1);
        }
    }
    if (const auto known = crowded_.find(names); known != crowded_.end()) {
        return at(known->second - 1);
    }
    Group& group = add(names);
    crowded_.emplace(group.names(), static_cast<std::uint32_t>(size_));
    return group;
}

Group& GroupTable::add(const GroupNames& names) {
    if (size_ % kBlock == 0) {
        blocks_.emplace_back().reserve(kBlock);
    }
    Group& group = blocks_.back().emplace_back();
    group.cause = names.cause;
    group.operator_type = names.operator_type;
    group.operator_name = names.operator_name;
    group.model = names.model;
    ++size_;
    return group;
}

void GroupTable::put(Slot slot) {
    for (std::size_t i = 0; i < kLongestSearch; ++i) {
        Slot& place = slots_[(slot.hash + i) % slots_.size()];
        if (place.number == 0) {
            place = slot;
            return;
        }
    }
    crowded_.emplace(at(slot.number - 1).names(), slot.number);
}

/// Those that were crowded get their slots, too: a search ends at a slot that is free.
void GroupTable::grow() {
    std::vector<Slot> old(slots_.empty() ? kFirstSlots : 2 * slots_.size());
    old.swap(slots_);
    std::map<GroupNames, std::uint32_t> crowded;
    crowded.swap(crowded_);
    for (const Slot& slot : old) {
        if (slot.number != 0) {
            put(slot);
        }
    }
    for (const auto& [names, number] : crowded) {
        put({hash_of(names), number});
    }
}

namespace {

void count_one(const GroupMember& only, ScanGroup& group) {
    const auto set_if_known = [](const std::optional<std::uint64_t>& number, std::vector<std::uint64_t>& numbers) {
        if (number) {
            numbers.push_back(*number);
        }
    };
    group.count = 1;
    group.bursts = 1;
    group.ranks.clear();
    group.devices.clear();
    group.steps.clear();
    set_if_known(only.rank, group.ranks);
    set_if_known(only.device_id, group.devices);
    set_if_known(only.step, group.steps);
    group.first_us = only.timestamp_us;
    group.last_us = only.timestamp_us;
}

void count_several(const GroupTally& members, ScanGroup& group) {
    group.count = members.count;
    group.bursts = members.bursts();
    group.ranks.assign(members.ranks.begin(), members.ranks.end());
    group.devices.assign(members.devices.numbers().begin(), members.devices.numbers().end());
    group.steps = members.steps.steps();
    group.first_us = members.first_us;
    group.last_us = members.last_us;
}

}  // namespace

/// What was located is of the records about that task only.
Group& OverviewBuilder::group_of(const ScanItem& item, const ScanCause& cause) {
    const std::string_view unknown;
    Group& group = groups_.group_of({cause.id, cause.other_task ? unknown : std::string_view(item.operator_type),
                                     cause.other_task ? unknown : std::string_view(item.operator_name),
                                     cause.other_model ? unknown : std::string_view(item.model)});
    if (group.members.empty()) {
        group.first_file = item.file;
    }
    return group;
}

void OverviewBuilder::add(const ScanItem& item) {
    const PlaceNumbers place = places_.numbers_of(item);
    population_.add(item, place);
    if (item.state != DumpState::clean) {
        first_.add(item, place, places_);
    }
    if (item.state != DumpState::overflowed) {
        return;
    }
    for (const ScanCause& cause : item.causes) {
        group_of(item, cause).members.add(member_of(item, cause, dumps_, place));
    }
    ++dumps_;
}

/// Takes what the group has: there may be as many groups as dumps, each with texts of its own. What `group` held of
/// another one goes.
void OverviewBuilder::make_group(Group& from, ScanGroup& group) const {
    group.cause = std::move(from.cause);
    group.operator_type = std::move(from.operator_type);
    group.operator_name = std::move(from.operator_name);
    group.model = std::move(from.model);
    group.first_file = std::move(from.first_file);
    if (const GroupMember* only = from.members.only()) {
        count_one(*only, group);
        group.remarks = patterns_of(group, GroupTally(), places_, population_);
        return;
    }
    const GroupTally& members = from.members.tally();
    count_several(members, group);
    group.remarks = patterns_of(group, members, places_, population_);
    for (ScanRemark& suspicion : concentrations_of(members, places_, population_)) {
        group.remarks.push_back(std::move(suspicion));
    }
}

/// Most frequent first, then by first time (unknown behind), then by name.
bool OverviewBuilder::leads(const Ranked& a, const Ranked& b) {
    const auto rank = [](const Ranked& ranked) {
        const Group& group = *ranked.group;
        return std::tuple_cat(bytes::unknown_last(ranked.first_us),
                              std::tie(group.cause, group.operator_type, group.operator_name, group.model));
    };
    return a.count != b.count ? a.count > b.count : rank(a) < rank(b);
}

/// Groups are large: they are put in order before they are made. What was counted of a group goes as groups come, for
/// both together would take much memory.
std::vector<Diagnostic> OverviewBuilder::finish_each(const std::function<void(ScanGroup&)>& use) {
    std::vector<Diagnostic> doubts = first_.doubts();
    std::vector<Ranked> order;
    order.reserve(groups_.size());
    for (std::size_t i = 0; i < groups_.size(); ++i) {
        Group& group = groups_.at(i);
        const GroupMember* only = group.members.only();
        order.push_back(only != nullptr ? Ranked{1, only->timestamp_us, &group}
                                        : Ranked{group.members.tally().count, group.members.tally().first_us, &group});
    }
    std::sort(order.begin(), order.end(), leads);
    ScanGroup group;
    for (const Ranked& ranked : order) {
        make_group(*ranked.group, group);
        ranked.group->members = GroupMembers();
        use(group);
    }
    return doubts;
}

ScanOverview OverviewBuilder::finish() {
    ScanOverview overview;
    overview.groups.reserve(groups_.size());
    overview.diagnostics = finish_each([&overview](ScanGroup& group) { overview.groups.push_back(std::move(group)); });
    return overview;
}

}  // namespace opdebug::scan_stage

namespace opdebug {
inline namespace v0 {

ScanOverview overview_of(const std::vector<ScanItem>& items) {
    scan_stage::OverviewBuilder builder;
    for (const ScanItem& item : items) {
        builder.add(item);
    }
    return builder.finish();
}

}  // namespace v0
}  // namespace opdebug
