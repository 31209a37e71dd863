#include "locate/overflowed.hpp"

#include <algorithm>
#include <array>

#include <opdebug/locate.hpp>

#include "locate/query.hpp"

namespace opdebug::locate_stage {

std::vector<OverflowedRecord> overflowed_records(const Dump& dump) {
    std::vector<OverflowedRecord> records;
    for (const DecodedPayload& payload : dump.payloads) {
        std::vector<OverflowedRecord> of_payload;
        of_payload.reserve(payload.records.size());
        for (const Record& record : payload.records) {
            if (record.overflow) {
                of_payload.push_back({&record, payload.appended ? payload.timestamp_us : dump.timestamp_us});
            }
        }
        if (payload.kind == Payload::legacy) {
            std::reverse(of_payload.begin(), of_payload.end());
        }
        records.insert(records.end(), of_payload.begin(), of_payload.end());
    }
    return records;
}

}  // namespace opdebug::locate_stage

namespace opdebug {
inline namespace v0 {

const Record* located_record(const Dump& dump) {
    const std::vector<locate_stage::OverflowedRecord> records = locate_stage::overflowed_records(dump);
    return records.empty() ? nullptr : records.front().record;
}

bool same_task(const Record& a, const Record& b) {
    constexpr std::array kTaskIds{Field::stream_id, Field::task_id, Field::context_id, Field::thread_id};
    return std::all_of(kTaskIds.begin(), kTaskIds.end(), [&](Field field) { return a.field(field) == b.field(field); });
}

void add_wanted(const Dump& dump, WantedTasks& wanted) {
    for (const locate_stage::OverflowedRecord& overflowed : locate_stage::overflowed_records(dump)) {
        const locate_stage::TaskQuery query = locate_stage::query_of(*overflowed.record, overflowed.timestamp_us);
        if (query.stream_id && query.task_id) {
            wanted.tasks.emplace_back(*query.stream_id, *query.task_id);
        }
        wanted.addresses.insert(wanted.addresses.end(), query.addresses.begin(), query.addresses.end());
    }
}

}  // namespace v0
}  // namespace opdebug
