#include "watch/news.hpp"

#include <utility>

namespace opdebug::watch {
namespace {

/// The rank; where none is known, the device.
scan_stage::Place rank_of(const ScanItem& item) {
    scan_stage::Place place = scan_stage::device_of(item);
    if (place.rank) {
        place.device_id.reset();
    }
    return place;
}

/// The group of a cause, by the same members as overview_of() groups them.
ScanGroup group_of(const ScanItem& item, const ScanCause& cause) {
    ScanGroup group;
    group.cause = cause.id;
    group.operator_type = cause.other_task ? "" : item.operator_type;
    group.operator_name = cause.other_task ? "" : item.operator_name;
    group.model = cause.other_model ? "" : item.model;
    group.count = 1;
    group.first_file = item.file;
    group.first_us = group.last_us = item.timestamp_us;
    return group;
}

}  // namespace

void News::judge(WatchedDump& dump) {
    if (dump.scanned.state != DumpState::overflowed) {
        return;
    }
    dump.first_of_rank = places_.insert(rank_of(dump.item)).second;
    for (const ScanCause& cause : dump.item.causes) {
        ScanGroup group = group_of(dump.item, cause);
        if (groups_.emplace(group.cause, group.operator_type, group.operator_name, group.model).second) {
            dump.new_groups.push_back(std::move(group));
        }
    }
}

}  // namespace opdebug::watch
