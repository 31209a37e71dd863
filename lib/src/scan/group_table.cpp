#include "scan/group_table.hpp"

#include <functional>
#include <tuple>

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

}  // namespace opdebug::scan_stage
