#include "record/legacy.hpp"

#include <limits>
#include <string>

#include <fmt/format.h>

#include "bytes/counted.hpp"
#include "bytes/little_endian.hpp"
#include "bytes/nonzero.hpp"
#include "record/layout.hpp"

namespace opdebug::record {
namespace {

/// The unit's record, or nothing when some of its bytes are missing.
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

/// Every number but the addresses is a 16- or 32-bit value in a 64-bit slot (docs/format.md): more says that the bytes
/// are something else.
void remark_implausible_ids(const Record& record, std::vector<Diagnostic>& diagnostics) {
    for (const FieldValue& item : record.fields) {
        if (!field_is_address(item.field) && item.value > std::numeric_limits<std::uint32_t>::max()) {
            diagnostics.push_back(
                {Severity::warning, "implausible_id",
                 fmt::format("{}: {} is {:#x}, but it holds a 16- or 32-bit number: the record may be damaged",
                             unit_name(record.unit), field_key(item.field), item.value)});
        }
    }
}

/// Kernels of this generation write all ones in place of the kernel's address (source: compiler-generated epilogue).
void remark_kernel_code(const Record& record, std::vector<Diagnostic>& diagnostics) {
    if (record.unit == Unit::ai_core && record.field(Field::kernel_code) == std::numeric_limits<std::uint64_t>::max()) {
        diagnostics.push_back(
            {Severity::info, "kernel_code_marker",
             "AI Core: kernel_code 0xffffffffffffffff is the mark that kernels set themselves, not an address"});
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
        diagnostics.push_back({Severity::info, "unused_bytes",
                               "bytes of the payload that no document describes are not zero: " + places +
                                   "; they change nothing in the result"});
    }
}

std::string show_cut(Bytes payload) {
    return fmt::format("the legacy payload is cut: {} of {} bytes {} there", payload.size(), kLegacySize,
                       bytes::is_or_are(payload.size()));
}

std::string join_names(const std::vector<Unit>& units) {
    std::string text;
    for (const Unit unit : units) {
        text += fmt::format("{}{}", text.empty() ? "" : ", ", unit_name(unit));
    }
    return text;
}

}  // namespace

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
                     show_cut(payload) + "; no unit is whole",
                     {},
                     place.file_offset + payload.size()};
    }
    decoded.complete = missing.empty();
    if (payload.size() < kLegacySize) {
        diagnostics.push_back(
            {Severity::error, "payload_truncated",
             fmt::format("{} (ends at byte {} of the file); {}", show_cut(payload), place.file_offset + payload.size(),
                         missing.empty() ? "the bytes of all three units are there"
                                         : "partial: nothing is known of " + join_names(missing))});
    }
    for (const Record& record : decoded.records) {
        remark_implausible_ids(record, diagnostics);
        remark_kernel_code(record, diagnostics);
    }
    remark_unused_bytes(payload, diagnostics);
    return decoded;
}

}  // namespace opdebug::record
