#include "scan/overview.hpp"

#include <algorithm>
#include <tuple>

#include "bytes/unknown_last.hpp"

namespace opdebug::scan_stage {

std::size_t OverviewBuilder::Hash::operator()(const GroupKey& key) const noexcept {
    constexpr std::size_t kMix = 31;  // so that the order of the names counts
    std::size_t hash = 0;
    for (const std::string* name : {&key.cause, &key.operator_type, &key.operator_name, &key.model}) {
        hash = hash * kMix + std::hash<std::string>()(*name);
    }
    return hash;
}

void OverviewBuilder::add(const ScanItem& item) {
    const SourceNumbers source = sources_.add(item);
    population_.add(item, source);
    if (item.state != DumpState::clean) {
        first_.add(item, source.source, sources_.at(source.source).host);
    }
    if (item.state != DumpState::overflowed) {
        return;
    }
    for (const ScanCause& cause : item.causes) {
        // Operator and model are those of the task that was located.
        Group& group = groups_[{cause.id, cause.other_task ? "" : item.operator_type,
                                cause.other_task ? "" : item.operator_name, cause.other_model ? "" : item.model}];
        if (group.members.count() == 0) {
            group.first_file = item.file;
        }
        group.members.add(member_of(item, cause, dumps_, source));
    }
    ++dumps_;
}

ScanGroup OverviewBuilder::finish_group(const GroupKey& key, Group& group) const {
    const GroupTally members = group.members.take_tally();
    ScanGroup finished;
    finished.cause = key.cause;
    finished.operator_type = key.operator_type;
    finished.operator_name = key.operator_name;
    finished.model = key.model;
    finished.count = members.count;
    finished.bursts = members.bursts();
    finished.ranks.assign(members.ranks.begin(), members.ranks.end());
    finished.devices.assign(members.devices.numbers().begin(), members.devices.numbers().end());
    finished.steps = members.steps;
    finished.first_us = members.first_us;
    finished.last_us = members.last_us;
    finished.first_file = std::move(group.first_file);
    finished.remarks = remarks_on_group(finished, members, sources_, population_);
    return finished;
}

/// Groups are sorted before they are finished, and their members are freed one by one: both together would take much
/// memory. Most frequent first, then by first time (unknown last), then by name.
std::vector<Diagnostic> OverviewBuilder::finish_each(const std::function<void(ScanGroup&)>& use) {
    std::vector<Groups::value_type*> order;
    order.reserve(groups_.size());
    for (Groups::value_type& group : groups_) {
        order.push_back(&group);
    }
    std::sort(order.begin(), order.end(), [](const Groups::value_type* a, const Groups::value_type* b) {
        const auto rank = [](const Groups::value_type& group) {
            const GroupMembers& members = group.second.members;
            return std::tuple_cat(std::make_tuple(~members.count()), bytes::unknown_last(members.first_us()),
                                  std::tie(group.first));
        };
        return rank(*a) < rank(*b);
    });
    for (Groups::value_type* group : order) {
        ScanGroup finished = finish_group(group->first, group->second);
        use(finished);
    }
    return first_.diagnostics();
}

ScanOverview OverviewBuilder::finish() {
    ScanOverview overview;
    overview.groups.reserve(groups_.size());
    overview.diagnostics = finish_each([&overview](ScanGroup& group) { overview.groups.push_back(std::move(group)); });
    overview.rivals = first_.rivals();
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
