// What the dumps of a tree show together: groups, and how certain the first overflow is.
#include <algorithm>
#include <map>
#include <string_view>
#include <tuple>

#include <opdebug/scan.hpp>

#include "scan/first_doubts.hpp"
#include "scan/patterns.hpp"

namespace opdebug {
inline namespace v0 {
namespace {

using scan_stage::GroupCauses;
using scan_stage::Population;
using scan_stage::ScanItems;

/// Cause, operator type, operator, model.
using GroupKey = std::tuple<std::string_view, std::string_view, std::string_view, std::string_view>;

/// What was located is of the records about that task only.
GroupKey key_of(const ScanItem& item, const ScanCause& cause) {
    const std::string_view unknown;
    return {cause.id, cause.other_task ? unknown : item.operator_type, cause.other_task ? unknown : item.operator_name,
            cause.other_model ? unknown : item.model};
}

/// The dumps of a group, each once, and the causes in them that are the group's.
struct Members {
    ScanItems dumps;
    GroupCauses causes;

    void add(const ScanItem& item, const ScanCause& cause) {
        if (dumps.empty() || dumps.back() != &item) {
            dumps.push_back(&item);
        }
        causes.emplace_back(&item, &cause);
    }
};

std::map<GroupKey, Members> members_by_group(const ScanItems& overflowed) {
    std::map<GroupKey, Members> groups;
    for (const ScanItem* item : overflowed) {
        for (const ScanCause& cause : item->causes) {
            groups[key_of(*item, cause)].add(*item, cause);
        }
    }
    return groups;
}

void take_ids(const ScanItem& item, ScanGroup& group) {
    const auto take = [](const std::optional<std::uint64_t>& id, std::vector<std::uint64_t>& ids) {
        if (id) {
            ids.push_back(*id);
        }
    };
    take(item.path_ids.rank, group.ranks);
    take(item.path_ids.device_id, group.devices);
    take(item.path_ids.data_index, group.steps);
    if (item.timestamp_us) {
        group.first_us = std::min(group.first_us.value_or(*item.timestamp_us), *item.timestamp_us);
        group.last_us = std::max(group.last_us.value_or(*item.timestamp_us), *item.timestamp_us);
    }
}

ScanGroup group_of(const GroupKey& key, const Members& members, const Population& population) {
    ScanGroup group;
    group.cause = std::get<0>(key);
    group.operator_type = std::get<1>(key);
    group.operator_name = std::get<2>(key);
    group.model = std::get<3>(key);
    group.count = members.dumps.size();
    group.first_file = members.dumps.front()->file;
    for (const ScanItem* item : members.dumps) {
        take_ids(*item, group);
    }
    for (auto* ids : {&group.ranks, &group.devices, &group.steps}) {
        *ids = scan_stage::sorted_once(std::move(*ids));
    }
    group.bursts = scan_stage::count_bursts(members.dumps);
    group.remarks = scan_stage::patterns_of(group, members.dumps, population);
    for (ScanRemark& suspicion : scan_stage::concentrations_of(members.dumps, members.causes, population)) {
        group.remarks.push_back(std::move(suspicion));
    }
    return group;
}

/// Most frequent first, then by first time (unknown behind), then by name.
bool leads(const ScanGroup& a, const ScanGroup& b) {
    const auto rank = [](const ScanGroup& group) {
        return std::make_tuple(!group.first_us, group.first_us.value_or(0), std::string_view(group.cause),
                               std::string_view(group.operator_type), std::string_view(group.operator_name),
                               std::string_view(group.model));
    };
    return a.count != b.count ? a.count > b.count : rank(a) < rank(b);
}

}  // namespace

ScanOverview overview_of(const std::vector<ScanItem>& items) {
    ScanItems overflowed;
    for (const ScanItem& item : items) {
        if (item.state == DumpState::overflowed) {
            overflowed.push_back(&item);
        }
    }
    ScanOverview overview;
    overview.diagnostics = scan_stage::doubts_about_first(overflowed);
    const Population population = scan_stage::population_of(items);
    for (const auto& [key, members] : members_by_group(overflowed)) {
        overview.groups.push_back(group_of(key, members, population));
    }
    std::sort(overview.groups.begin(), overview.groups.end(), leads);
    return overview;
}

}  // namespace v0
}  // namespace opdebug
