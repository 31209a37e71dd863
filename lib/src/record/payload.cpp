// Payload bytes → records: detects the kind of payload, and decodes the legacy one. It has 2048 bytes with the records
// of DHA Atomic Add, L2 Atomic Add and AI Core.
#include "record/payload.hpp"

#include <limits>
#include <string>

#include <fmt/format.h>

#include <opdebug/dump.hpp>

#include "bytes/counted.hpp"
#include "bytes/little_endian.hpp"
#include "bytes/nonzero.hpp"
#include "record/accelerator.hpp"
#include "record/layout.hpp"
#include "remarks/diagnose.hpp"

namespace opdebug {
inline namespace v0 {

std::string_view field_key(Field field) noexcept {
    switch (field) {
        case Field::model_id: return "model_id";
        case Field::stream_id: return "stream_id";
        case Field::task_id: return "task_id";
        case Field::task_type: return "task_type";
        case Field::context_id: return "context_id";
        case Field::thread_id: return "thread_id";
        case Field::cpu_id: return "cpu_id";
        case Field::pc_start: return "pc_start";
        case Field::para_base: return "para_base";
        case Field::kernel_code: return "kernel_code";
        case Field::block_idx: return "block_idx";
        case Field::core_id: return "core_id";
        case Field::block_id: return "block_id";
        case Field::src_addr: return "src_addr";
        case Field::dst_addr: return "dst_addr";
        case Field::channel_id: return "channel_id";
    }
    return "unknown";
}

bool field_is_address(Field field) noexcept {
    switch (field) {
        case Field::pc_start:
        case Field::para_base:
        case Field::kernel_code:
        case Field::src_addr:
        case Field::dst_addr: return true;
        default: return false;
    }
}

std::string_view to_string(Payload payload) noexcept {
    return payload == Payload::legacy ? "legacy" : "accelerator";
}

}  // namespace v0
}  // namespace opdebug

namespace opdebug::record {
namespace {

/// The record of the unit. Empty if some of its bytes are missing.
std::optional<Record> read_unit(Bytes payload, const LegacyUnit& unit, const StatusCatalogue& catalogue) {
    Record record;
    record.unit = unit.unit;
    record.fields.reserve(kMostLegacyFields);
    for (const LegacyRow& row : kLegacyRows) {
        if (row.unit != unit.unit) {
            continue;
        }
        const auto value = bytes::read_u64(payload, row.offset);
        if (!value) {
            return std::nullopt;
        }
        record.fields.push_back({row.field, *value});
    }
    const auto status = bytes::read_u64(payload, unit.status_offset);
    if (!status) {
        return std::nullopt;
    }
    record.status = decode_status(catalogue, unit.unit, {*status}).value();  // one word is valid for every unit
    record.overflow = record.status.overflow;
    return record;
}

/// Every number except addresses is a 16- or 32-bit value in a 64-bit slot (docs/internals/formats.md). Larger numbers
/// mean that the bytes are no record.
void remark_implausible_ids(const Record& record, std::vector<Diagnostic>& diagnostics) {
    for (const FieldValue& item : record.fields) {
        if (!field_is_address(item.field) && item.value > std::numeric_limits<std::uint32_t>::max()) {
            diagnostics.push_back(remarks::diagnose("implausible_id", {{"unit", unit_name(record.unit)},
                                                                       {"field", field_key(item.field)},
                                                                       {"value", fmt::format("{:#x}", item.value)}}));
        }
    }
}

/// Kernels of this generation write all ones instead of the kernel's address (source: compiler-generated epilogue).
void remark_kernel_code(const Record& record, std::vector<Diagnostic>& diagnostics) {
    if (record.unit == Unit::ai_core && record.field(Field::kernel_code) == std::numeric_limits<std::uint64_t>::max()) {
        diagnostics.push_back(remarks::diagnose("kernel_code_marker"));
    }
}

void remark_unused_bytes(Bytes payload, std::vector<Diagnostic>& diagnostics) {
    std::string places;
    for (const ByteRange& range : kLegacyUnused) {
        const Bytes part = payload.slice(range.begin, static_cast<std::size_t>(range.end - range.begin));
        const std::uint8_t* const first = bytes::find_nonzero(part);
        if (first != part.end()) {
            places += fmt::format("{}{}..{} (0x{:02x} at {})", places.empty() ? "" : ", ", range.begin, range.end - 1,
                                  *first, range.begin + (first - part.begin()));
        }
    }
    if (!places.empty()) {
        diagnostics.push_back(remarks::diagnose("unused_bytes", {{"places", places}}));
    }
}

std::string show_cut(Bytes payload) {
    return fmt::format("the legacy payload is truncated: only {} of {} bytes {} present", payload.size(), kLegacySize,
                       bytes::is_or_are(payload.size()));
}

std::string join_names(const std::vector<Unit>& units) {
    std::string text;
    for (const Unit unit : units) {
        text += fmt::format("{}{}", text.empty() ? "" : ", ", unit_name(unit));
    }
    return text;
}

/// Decodes the units that are complete in `payload` (at most 2048 bytes). Error: payload_truncated if none is complete.
Result<DecodedPayload> decode_legacy(Bytes payload, const PayloadPlace& place, const StatusCatalogue& catalogue,
                                     std::vector<Diagnostic>& diagnostics) {
    DecodedPayload decoded;
    decoded.kind = Payload::legacy;
    decoded.records.reserve(kLegacyUnits.size());
    std::vector<Unit> missing;
    for (const LegacyUnit& unit : kLegacyUnits) {
        if (std::optional<Record> record = read_unit(payload, unit, catalogue)) {
            decoded.records.push_back(std::move(*record));
        } else {
            missing.push_back(unit.unit);
        }
    }
    if (decoded.records.empty()) {
        return Error{ErrorCode::payload_truncated,
                     show_cut(payload) + "; no unit is complete",
                     {},
                     place.file_offset + payload.size()};
    }
    decoded.complete = missing.empty();
    if (payload.size() < kLegacySize) {
        diagnostics.push_back(remarks::diagnose(
            "payload_truncated",
            {{"there", payload.size()},
             {"size", kLegacySize},
             {"end", place.file_offset + payload.size()},
             {"units", missing.empty() ? remarks::phrase("all_units_there")
                                       : remarks::phrase("units_missing", {{"units", join_names(missing)}})}}));
    }
    for (const Record& record : decoded.records) {
        remark_implausible_ids(record, diagnostics);
        remark_kernel_code(record, diagnostics);
    }
    remark_unused_bytes(payload, diagnostics);
    return decoded;
}

/// Whether a payload without the magic has the other numbers of an accelerator header. In a legacy record, data_len is
/// the upper half of the DHA task id, which is 0 for 16-bit ids.
bool is_shaped_like_accelerator(Bytes payload) noexcept {
    const auto valid = bytes::read_u32(payload, 8);
    const auto acc_type = bytes::read_u32(payload, 12);
    const auto data_len = bytes::read_u32(payload, 20);
    if (!data_len || *valid > 1) {
        return false;
    }
    const AcceleratorLayout* layout = layout_of(*acc_type);
    return layout != nullptr && (*data_len == data_length(*layout, 0) || *data_len == data_length(*layout, 1));
}

}  // namespace

Result<DecodedPayload> decode_payload(Bytes payload, const PayloadPlace& place, const StatusCatalogue& catalogue,
                                      std::vector<Diagnostic>& diagnostics) {
    if (bytes::read_u32(payload, 0) == kAcceleratorMagic) {
        return decode_accelerator(payload, place, catalogue, diagnostics);
    }
    if (is_shaped_like_accelerator(payload)) {
        return Error{ErrorCode::magic_damaged,
                     fmt::format("the payload looks like an accelerator record with a damaged magic ({:#010x} instead "
                                 "of {:#010x}); it is not read as a legacy record",
                                 *bytes::read_u32(payload, 0), kAcceleratorMagic),
                     {},
                     place.file_offset};
    }
    if (place.declared_size > kLegacySize) {
        return Error{
            ErrorCode::payload_size,
            fmt::format("the payload has {} bytes and no accelerator magic: expected a legacy record of {} bytes",
                        place.declared_size, kLegacySize),
            {},
            place.file_offset};
    }
    return decode_legacy(payload, place, catalogue, diagnostics);
}

}  // namespace opdebug::record
