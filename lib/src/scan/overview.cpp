// What the dumps of a tree show together: groups, and how certain the first overflow is.
#include <algorithm>
#include <optional>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include <opdebug/scan_overview.hpp>

#include "bytes/unknown_last.hpp"
#include "scan/overview_builder.hpp"

namespace opdebug::scan_stage {
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
