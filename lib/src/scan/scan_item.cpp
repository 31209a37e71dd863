// What order and groups need of a dump, read from a scanned one, and the order itself: step, time, path, host.
#include <opdebug/scan.hpp>

#include <fnmatch.h>

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>
#include <tuple>

#include "bytes/unknown_last.hpp"
#include "tree/name.hpp"

namespace opdebug {
inline namespace v0 {
namespace {

/// "ai_core.undocumented": the unit's key spelled as in the ids of causes.
std::string undocumented_cause(Unit unit) {
    std::string id(unit_key(unit));
    std::replace(id.begin(), id.end(), '-', '_');
    return id + ".undocumented";
}

auto parts_of(const ScanCause& cause) {
    return std::tie(cause.id, cause.unit, cause.other_task, cause.other_model, cause.core_id, cause.block_id);
}

void add_record(const Record& record, const Record& located, ScanItem& item) {
    ScanCause cause;
    cause.unit = record.unit;
    cause.other_task = !same_task(record, located);
    cause.other_model = cause.other_task && record.field(Field::model_id) != located.field(Field::model_id);
    cause.core_id = record.field(Field::core_id);
    // Legacy records call the block block_idx, accelerator records block_id: both are the launch's logical block.
    const std::optional<std::uint64_t> block = record.field(Field::block_id);
    cause.block_id = block ? block : record.field(Field::block_idx);
    for (const Cause& named : record.status.causes) {
        cause.id = named.definition->id;
        item.causes.push_back(cause);
    }
    if (record.status.causes.empty()) {
        cause.id = undocumented_cause(record.unit);
        item.causes.push_back(cause);
    }
}

void add_records(const Dump& dump, ScanItem& item) {
    const Record* located = located_record(dump);
    if (located == nullptr) {
        return;
    }
    for (const DecodedPayload& payload : dump.payloads) {
        for (const Record& record : payload.records) {
            if (record.overflow) {
                add_record(record, *located, item);
            }
        }
    }
    const auto before = [](const ScanCause& a, const ScanCause& b) { return parts_of(a) < parts_of(b); };
    const auto same = [](const ScanCause& a, const ScanCause& b) { return parts_of(a) == parts_of(b); };
    std::sort(item.causes.begin(), item.causes.end(), before);
    item.causes.erase(std::unique(item.causes.begin(), item.causes.end(), same), item.causes.end());
    item.causes.shrink_to_fit();
}

/// The model's name; without one, GE's id, which still distinguishes the models of one process.
std::string model_of(const Location& location, const PathIds& ids) {
    if (location.model && location.model->name) {
        return model_in_groups(*location.model->name);
    }
    if (ids.model_name) {
        return model_in_groups(*ids.model_name);
    }
    const std::optional<std::uint64_t> ge_id = location.model ? location.model->ge_id : std::nullopt;
    return ge_id ? "ge_id " + std::to_string(*ge_id) : "";
}

}  // namespace

std::string_view to_string(DumpState state) noexcept {
    switch (state) {
        case DumpState::overflowed: return "overflowed";
        case DumpState::clean: return "clean";
        case DumpState::failed: return "failed";
    }
    return "unknown";
}

std::string_view to_string(OpDumpState state) noexcept {
    switch (state) {
        case OpDumpState::absent: return "absent";
        case OpDumpState::damaged: return "damaged";
        case OpDumpState::whole: return "whole";
    }
    return "unknown";
}

ScanItem scan_item_of(const ScannedDump& scanned) {
    ScanItem item;
    item.file = scanned.file;
    item.state = scanned.state;
    if (scanned.dump) {
        item.path_ids = scanned.dump->path_ids;
        item.timestamp_us = scanned.dump->timestamp_us;
        add_records(*scanned.dump, item);
    } else {
        item.path_ids = path_ids_of_file(scanned.file);
        const std::optional<DumpName> name = tree::parse_name_of_dump(file_name_of(scanned.file));
        item.timestamp_us = name ? name->timestamp_us : std::nullopt;
    }
    if (scanned.location.op) {
        const OperatorAnswer& answer = scanned.location.op->best;
        item.operator_type = answer.type.value_or("");
        // The kernel name replaces an unknown operator name.
        item.operator_name = answer.name ? *answer.name : answer.kernel.value_or("");
    }
    item.utc_offset_minutes = scanned.location.utc_offset_minutes;
    item.model = model_of(scanned.location, item.path_ids);
    item.origin = scanned.tensors.origin;
    if (scanned.location.op_dump) {
        item.op_dump = scanned.tensors.complete() ? OpDumpState::whole : OpDumpState::damaged;
    }
    return item;
}

std::vector<std::string> cause_ids(const ScanItem& item) {
    std::vector<std::string> ids;
    for (const ScanCause& cause : item.causes) {
        if (ids.empty() || ids.back() != cause.id) {
            ids.push_back(cause.id);
        }
    }
    return ids;
}

namespace {

bool fits(const std::vector<std::uint64_t>& wanted, const std::optional<std::uint64_t>& number) {
    return wanted.empty() || (number && std::find(wanted.begin(), wanted.end(), *number) != wanted.end());
}

bool fits(const std::string& pattern, const std::string& text, int flags = 0) {
    return pattern.empty() || ::fnmatch(pattern.c_str(), text.c_str(), flags) == 0;
}

bool is_between(const ScanFilter& filter, const std::optional<std::uint64_t>& time, const std::optional<int>& offset) {
    if (!filter.since_us && !filter.until_us) {
        return true;
    }
    // Of times that no clock shows the sum would not fit.
    const auto utc_us = static_cast<std::int64_t>(std::min<std::uint64_t>(time.value_or(0), INT64_MAX / 2));
    const std::int64_t shown_us = utc_us + std::int64_t{60'000'000} * offset.value_or(filter.utc_offset_minutes);
    const auto local_us = static_cast<std::uint64_t>(std::max<std::int64_t>(shown_us, 0));
    return time && local_us >= filter.since_us.value_or(0) && local_us <= filter.until_us.value_or(local_us);
}

}  // namespace

bool matches(const ScanFilter& filter, const ScanItem& item) {
    const PathIds& ids = item.path_ids;
    const bool has_cause =
        filter.cause.empty() || std::any_of(item.causes.begin(), item.causes.end(),
                                            [&filter](const ScanCause& cause) { return cause.id == filter.cause; });
    return has_cause && fits(filter.ranks, ids.rank) && fits(filter.steps, ids.data_index) &&
           fits(filter.devices, ids.device_id) && fits(filter.model, item.model) &&
           (fits(filter.op, item.operator_name, FNM_CASEFOLD) || fits(filter.op, item.operator_type, FNM_CASEFOLD)) &&
           is_between(filter, item.timestamp_us, item.utc_offset_minutes);
}

bool matches(const ScanFilter& filter, const ApiFinding& finding) {
    return fits(filter.ranks, finding.rank) && fits(filter.steps, finding.step) &&
           (fits(filter.op, finding.api, FNM_CASEFOLD) || fits(filter.op, finding.operator_type, FNM_CASEFOLD)) &&
           is_between(filter, finding.timestamp_us, std::nullopt);
}

std::string model_in_groups(std::string_view name) {
    // The form is inferred from folders of dumps: the 14 digits are those of the {time} folder above, local time.
    constexpr std::string_view kPrefix = "ge_default_";
    constexpr std::size_t kTimeDigits = 14;
    const std::size_t after_time = kPrefix.size() + kTimeDigits;
    const bool has_time = name.substr(0, kPrefix.size()) == kPrefix && name.size() > after_time + 1 &&
                          tree::is_decimal(name.substr(kPrefix.size(), kTimeDigits)) && name[after_time] == '_' &&
                          tree::is_decimal(name.substr(after_time + 1));
    return has_time ? std::string(kPrefix) + "*" + std::string(name.substr(after_time)) : std::string(name);
}

bool comes_before(const ScanItem& a, const ScanItem& b) {
    using bytes::unknown_last;
    const auto step_a = unknown_last(a.path_ids.data_index), step_b = unknown_last(b.path_ids.data_index);
    const auto time_a = unknown_last(a.timestamp_us), time_b = unknown_last(b.timestamp_us);
    return std::tie(step_a, time_a, a.file, a.host) < std::tie(step_b, time_b, b.file, b.host);
}

}  // namespace v0
}  // namespace opdebug
