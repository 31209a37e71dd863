#include "expected_record.hpp"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace opdebug::damage {
namespace {

struct Place {
    const char* field;
    std::size_t offset;
};

struct LegacyUnit {
    const char* unit;
    std::vector<Place> fields;
    std::size_t status;
};

// Table "Legacy payload" of docs/internals/formats.md.
const std::vector<LegacyUnit> legacy_units = {
    {"DHA Atomic Add",
     {{"model_id", 0}, {"stream_id", 8}, {"task_id", 16}, {"task_type", 24}, {"pc_start", 32}, {"para_base", 40}},
     512},
    {"L2 Atomic Add",
     {{"model_id", 128},
      {"stream_id", 136},
      {"task_id", 144},
      {"task_type", 152},
      {"pc_start", 160},
      {"para_base", 168}},
     768},
    {"AI Core",
     {{"model_id", 256},
      {"stream_id", 264},
      {"task_id", 272},
      {"task_type", 280},
      {"pc_start", 288},
      {"para_base", 296},
      {"kernel_code", 1024},
      {"block_idx", 1032}},
     1040}};

// "Unused" below it.
constexpr std::size_t unused[][2] = {{48, 128}, {176, 256}, {304, 512}, {520, 768}, {776, 1024}, {1048, 2048}};

struct EntryLayout {
    const char* unit;
    std::vector<const char*> fields;
    std::size_t words_in_version_1;
};

// Tables "Accelerator payload"; the status follows the fields.
const std::vector<EntryLayout> entry_layouts = {
    {"AIC",
     {"model_id", "stream_id", "task_id", "task_type", "context_id", "thread_id", "pc_start", "para_base", "core_id",
      "block_id"},
     4},
    {"AIV",
     {"model_id", "stream_id", "task_id", "task_type", "context_id", "thread_id", "pc_start", "para_base", "core_id",
      "block_id"},
     4},
    {"AICPU", {"model_id", "stream_id", "task_id", "task_type", "context_id", "cpu_id", "thread_id"}, 1},
    {"SDMA",
     {"model_id", "stream_id", "task_id", "task_type", "context_id", "thread_id", "src_addr", "dst_addr", "channel_id"},
     1}};

/// data_len of the table: 88, 88, 64, 80; in version 1 112, 112, 64, 80.
std::size_t data_length(const EntryLayout& layout, std::uint64_t version) {
    return 8 * (layout.fields.size() + (version == 1 ? layout.words_in_version_1 : 1));
}

std::string line(const char* unit, bool overflow, bool inferred, const std::string& fields,
                 const std::vector<std::uint64_t>& words) {
    return fmt::format("{} overflow={} inferred={}{} status={}", unit, overflow, inferred, fields,
                       fmt::join(words, ","));
}

bool any_not_zero(const Buffer& bytes, std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < std::min(end, bytes.size()); ++i) {
        if (bytes[i] != 0) {
            return true;
        }
    }
    return false;
}

void add_legacy_unit(const Buffer& payload, const LegacyUnit& unit, ExpectedPayload& expected) {
    const auto status = number_at(payload, unit.status, 8);
    if (!status) {
        expected.missing = true;  // the status is after all fields of its unit
        return;
    }
    std::string fields;
    for (const Place& place : unit.fields) {
        const std::uint64_t value = *number_at(payload, place.offset, 8);
        const std::string field = place.field;
        fields += fmt::format(" {}={}", field, value);
        // Ids have 16 or 32 bits; addresses may have all.
        const bool is_address = field == "pc_start" || field == "para_base" || field == "kernel_code";
        if (!is_address && value > 0xFFFFFFFF) {
            expected.remarks.insert("implausible_id");
        }
        if (field == "kernel_code" && value == ~std::uint64_t{0}) {
            expected.remarks.insert("kernel_code_marker");
        }
    }
    expected.overflow = expected.overflow || *status != 0;
    expected.records.push_back(line(unit.unit, *status != 0, false, fields, {*status}));
}

ExpectedPayload expected_legacy(const Buffer& payload) {
    ExpectedPayload expected;
    for (const LegacyUnit& unit : legacy_units) {
        add_legacy_unit(payload, unit, expected);
    }
    if (expected.records.empty()) {
        expected.fault = "payload_truncated";
        return expected;
    }
    if (payload.size() < 2048) {
        expected.remarks.insert("payload_truncated");
    }
    if (std::any_of(std::begin(unused), std::end(unused),
                    [&](const auto& range) { return any_not_zero(payload, range[0], range[1]); })) {
        expected.remarks.insert("unused_bytes");
    }
    return expected;
}

void add_entry(const Buffer& payload, std::size_t at, bool inferred, ExpectedPayload& expected) {
    const std::uint64_t version = *number_at(payload, 4, 4);
    const EntryLayout& layout = entry_layouts[static_cast<std::size_t>(*number_at(payload, at + 4, 4))];
    std::string fields;
    std::size_t place = at + 16;
    for (const char* field : layout.fields) {
        fields += fmt::format(" {}={}", field, *number_at(payload, place, 8));
        place += 8;
    }
    std::vector<std::uint64_t> words;
    bool not_zero = false;
    for (; place < at + 16 + data_length(layout, version); place += 8) {
        words.push_back(*number_at(payload, place, 8));
        not_zero = not_zero || words.back() != 0;
    }
    const bool overflow = not_zero && *number_at(payload, at, 4) == 1;
    expected.overflow = expected.overflow || overflow;
    expected.records.push_back(line(layout.unit, overflow, inferred, fields, words));
}

/// Valid is 1, the type is known, data_len is exact and the data is there; where the entry ends.
std::optional<std::size_t> end_of_further_entry(const Buffer& payload, std::size_t at) {
    const auto data_len = number_at(payload, at + 12, 4);
    if (!data_len || *number_at(payload, at, 4) != 1 || *number_at(payload, at + 4, 4) > 3) {
        return std::nullopt;
    }
    const EntryLayout& layout = entry_layouts[static_cast<std::size_t>(*number_at(payload, at + 4, 4))];
    const std::size_t length = data_length(layout, *number_at(payload, 4, 4));
    return *data_len == length && payload.size() - at - 16 >= length ? std::optional(at + 16 + length) : std::nullopt;
}

/// Valid is 1, the type is known, and data_len, as far as it is there, is exact.
bool begins_like_entry(const Buffer& payload, std::size_t at) {
    const auto acc_type = number_at(payload, at + 4, 4), data_len = number_at(payload, at + 12, 4);
    if (!acc_type || *number_at(payload, at, 4) != 1 || *acc_type > 3) {
        return false;
    }
    const EntryLayout& layout = entry_layouts[static_cast<std::size_t>(*acc_type)];
    return !data_len || *data_len == data_length(layout, *number_at(payload, 4, 4));
}

/// What is missing after the entries that are whole (table "Damage" of docs/internals/formats.md).
void expect_missing_entry(const Buffer& payload, std::size_t end, std::uint64_t declared, ExpectedPayload& expected) {
    const std::uint64_t data_len = *number_at(payload, 20, 4);
    const bool length_fits = expected.remarks.count("data_len_mismatch") == 0;
    if (begins_like_entry(payload, end) ||
        (!length_fits && 24 + data_len >= end && begins_like_entry(payload, 24 + data_len))) {
        expected.missing = true;
        expected.remarks.insert(length_fits ? "entry_cut" : "entry_left_out");
        return;
    }
    // The file ends before there is enough to see what would have followed.
    const bool may_begin = payload.size() < end + 8 && number_at(payload, end, 4).value_or(1) == 1;
    expected.missing = may_begin && payload.size() < declared;
}

ExpectedPayload expected_accelerator(const Buffer& payload, std::uint64_t declared) {
    ExpectedPayload expected;
    if (payload.size() < 24) {
        expected.fault = "record_truncated";
        return expected;
    }
    const std::uint64_t version = *number_at(payload, 4, 4), valid = *number_at(payload, 8, 4);
    const std::uint64_t acc_type = *number_at(payload, 12, 4), data_len = *number_at(payload, 20, 4);
    if (acc_type > 3) {
        expected.fault = "unit_unknown";
        return expected;
    }
    const std::size_t length = data_length(entry_layouts[static_cast<std::size_t>(acc_type)], version);
    if (payload.size() < 24 + length) {
        expected.fault = "record_truncated";
        return expected;
    }
    add_entry(payload, 8, false, expected);
    std::size_t end = 24 + length;
    if (data_len == length) {  // else it is not known where another one would begin
        while (const auto next = end_of_further_entry(payload, end)) {
            add_entry(payload, end, true, expected);
            expected.remarks.insert("inferred_entry");
            end = *next;
        }
    }
    const auto remark = [&](bool applies, const char* code) {
        if (applies) {
            expected.remarks.insert(code);
        }
    };
    remark(version > 1, "version_unknown");
    remark(valid != 1, "entry_not_valid");
    remark(data_len != length, "data_len_mismatch");
    remark(*number_at(payload, 16, 4) != 0, "reserved_not_zero");
    remark(any_not_zero(payload, end, payload.size()), "unused_bytes");
    remark(payload.size() < declared, "payload_truncated");
    expect_missing_entry(payload, end, declared, expected);
    return expected;
}

/// No magic, but valid, acc_type and data_len of an accelerator entry.
bool has_damaged_magic(const Buffer& payload) {
    if (payload.size() < 24 || *number_at(payload, 8, 4) > 1 || *number_at(payload, 12, 4) > 3) {
        return false;
    }
    const EntryLayout& layout = entry_layouts[static_cast<std::size_t>(*number_at(payload, 12, 4))];
    const std::uint64_t data_len = *number_at(payload, 20, 4);
    return data_len == data_length(layout, 0) || data_len == data_length(layout, 1);
}

}  // namespace

ExpectedPayload expected_payload(const Buffer& payload, std::uint64_t declared) {
    if (number_at(payload, 0, 4) == 0x5A5A5A5A) {
        return expected_accelerator(payload, declared);
    }
    if (has_damaged_magic(payload) || declared > 2048) {
        ExpectedPayload refused;
        refused.fault = has_damaged_magic(payload) ? "magic_damaged" : "payload_size";
        return refused;
    }
    return expected_legacy(payload);
}

std::string record_line(const Record& record) {
    std::string fields;
    for (const FieldValue& item : record.fields) {
        fields += fmt::format(" {}={}", field_key(item.field), item.value);
    }
    return line(std::string(unit_name(record.unit)).c_str(), record.overflow, record.inferred, fields,
                record.status.words);
}

}  // namespace opdebug::damage
