#include "locate/query.hpp"

#include <algorithm>
#include <array>
#include <cstddef>

#include <fmt/format.h>

namespace opdebug::locate_stage {

std::vector<OverflowedRecord> overflowed_records(const Dump& dump) {
    std::vector<OverflowedRecord> records;
    for (const DecodedPayload& payload : dump.payloads) {
        const auto before = static_cast<std::ptrdiff_t>(records.size());
        if (records.empty()) {  // of many payloads few have several records
            records.reserve(payload.records.size());
        }
        for (const Record& record : payload.records) {
            if (record.overflow) {
                records.push_back({&record, payload.appended ? payload.timestamp_us : dump.timestamp_us});
            }
        }
        if (payload.kind == Payload::legacy) {
            std::reverse(records.begin() + before, records.end());
        }
    }
    return records;
}

void Lookup::remark(Diagnostics& diagnostics, std::string_view id, std::vector<remarks::Field> fields) const {
    fields.emplace_back("stream", query.stream_id.value_or(0));
    fields.emplace_back("task", query.task_id.value_or(0));
    diagnostics.push_back(remarks::diagnose(id, fields));
}

std::string Lookup::at(const logs::LogPlace& place) const {
    return fmt::format("{}:{}", map.files[place.file], place.line);
}

Evidence Lookup::evidence(const logs::StoredFact& fact, const logs::LogPlace& place) const {
    EvidenceKind kind = EvidenceKind::ge_log;
    switch (place.log.value_or(fact.fact.log)) {
        case logs::LogKind::ge_log: kind = EvidenceKind::ge_log; break;
        case logs::LogKind::runtime_log: kind = EvidenceKind::runtime_log; break;
        case logs::LogKind::device_log: kind = EvidenceKind::device_log; break;
    }
    kind = fact.from_saved_map ? EvidenceKind::task_map : kind;
    // Lines are counted from 1; a saved map of another origin may contain 0.
    const std::optional<std::uint64_t> line = place.line != 0 ? std::optional(place.line) : std::nullopt;
    return {kind, map.files[place.file], line, place.text};
}

void Lookup::prove(const logs::StoredFact& fact, std::vector<Evidence>& lines) const {
    const auto add = [&](const logs::LogPlace& place) {
        const auto is_same = [&](const Evidence& known) {
            return known.line.value_or(0) == place.line && known.file == map.files[place.file];
        };
        if (std::none_of(lines.begin(), lines.end(), is_same)) {
            lines.push_back(evidence(fact, place));
        }
    };
    std::for_each(fact.completed_by.begin(), fact.completed_by.end(), add);
    add(fact.place);
}

}  // namespace opdebug::locate_stage

namespace opdebug {
inline namespace v0 {

const Record* located_record(const Dump& dump) {
    const auto overflowed = [](const Record& record) { return record.overflow; };
    for (const DecodedPayload& payload : dump.payloads) {
        const std::vector<Record>& records = payload.records;
        if (payload.kind == Payload::legacy) {
            if (const auto last = std::find_if(records.rbegin(), records.rend(), overflowed); last != records.rend()) {
                return &*last;
            }
        } else if (const auto first = std::find_if(records.begin(), records.end(), overflowed);
                   first != records.end()) {
            return &*first;
        }
    }
    return nullptr;
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
        wanted.dumps.push_back({query.stream_id, query.task_id, query.model_id, query.is_without_model,
                                query.timestamp_us, dump.file, dump.path_ids});
        wanted.addresses.insert(wanted.addresses.end(), query.addresses.begin(), query.addresses.end());
    }
}

}  // namespace v0
}  // namespace opdebug
