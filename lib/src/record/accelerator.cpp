// Entries of an accelerator payload. The location of later entries is inferred.
#include "record/accelerator.hpp"

#include <cstddef>
#include <optional>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include <opdebug/dump.hpp>
#include <opdebug/result.hpp>

#include "bytes/counted.hpp"
#include "bytes/little_endian.hpp"
#include "bytes/nonzero.hpp"
#include "record/layout.hpp"
#include "record/payload.hpp"
#include "remarks/diagnose.hpp"

namespace opdebug::record {
namespace {

/// Reads the header of the entry at `offset`. Empty if it is truncated.
std::optional<AcceleratorHeader> read_header(Bytes payload, std::size_t offset) {
    const auto data_len = bytes::read_u32(payload, offset + 12);
    if (!data_len) {
        return std::nullopt;
    }
    AcceleratorHeader header;
    header.magic = *bytes::read_u32(payload, 0);
    header.version = *bytes::read_u32(payload, 4);
    header.valid = *bytes::read_u32(payload, offset);
    header.acc_type = *bytes::read_u32(payload, offset + 4);
    header.rsv = *bytes::read_u32(payload, offset + 8);
    header.data_len = *data_len;
    return header;
}
/// Reads the fields and status words at `data`, which must be complete.

Record read_record(Bytes data, const AcceleratorLayout& layout, const AcceleratorHeader& header,
                   const StatusCatalogue& catalogue) {
    Record record;
    record.unit = layout.unit;
    record.fields.reserve(layout.field_count);
    for (std::size_t i = 0; i < layout.field_count; ++i) {
        record.fields.push_back({layout.fields[i], *bytes::read_u64(data, 8 * i)});
    }
    std::vector<std::uint64_t> words;
    for (std::size_t i = 0; i < status_words(layout, header.version); ++i) {
        words.push_back(*bytes::read_u64(data, 8 * (layout.field_count + i)));
    }
    record.status = decode_status(catalogue, layout.unit, words).value();  // the layouts contain only valid word counts
    record.overflow = record.status.overflow && header.valid == 1;
    return record;
}

enum class Further {
    none,     ///< zeros, or something else
    unknown,  ///< too few bytes, or none
    cut,      ///< valid, acc_type and the present part of data_len fit, but the entry is incomplete
    whole
};

/// The bytes where a later entry may begin. The location is inferred, so all fields must fit.
struct FurtherEntry {
    Further state = Further::none;
    const AcceleratorLayout* layout = nullptr;  ///< of a truncated or complete entry
    std::size_t size = 0;                       ///< header and data
};

FurtherEntry find_further_entry(Bytes payload, std::size_t position) {
    const Bytes rest = payload.slice(position, payload.size());
    const auto valid = bytes::read_u32(rest, 0);
    if (valid && *valid != 1) {
        return {};
    }
    const auto acc_type = bytes::read_u32(rest, 4);
    if (!acc_type) {
        return {Further::unknown};
    }
    const AcceleratorLayout* const layout = layout_of(*acc_type);
    if (layout == nullptr) {
        return {};
    }
    const std::size_t length = data_length(*layout, *bytes::read_u32(payload, 4));
    const auto data_len = bytes::read_u32(rest, 12);
    if (data_len && *data_len != length) {
        return {};
    }
    const std::size_t size = kAcceleratorEntryHeader + length;
    return {rest.size() < size ? Further::cut : Further::whole, layout, size};
}

/// Adds the complete entries. Returns the end of the last one.
std::size_t add_whole_entries(Bytes payload, std::size_t position, const PayloadPlace& place,
                              const StatusCatalogue& catalogue, DecodedPayload& decoded,
                              std::vector<Diagnostic>& diagnostics) {
    while (decoded.records.size() < place.most_records) {
        const FurtherEntry entry = find_further_entry(payload, position);
        if (entry.state != Further::whole) {
            break;
        }
        const Bytes data = payload.slice(position + kAcceleratorEntryHeader, entry.size - kAcceleratorEntryHeader);
        Record record = read_record(data, *entry.layout, *read_header(payload, position), catalogue);
        record.inferred = true;
        diagnostics.push_back(remarks::diagnose(
            "inferred_entry", {{"unit", unit_name(record.unit)}, {"place", place.file_offset + position}}));
        decoded.records.push_back(std::move(record));
        position += entry.size;
    }
    return position;
}

/// Whether an entry may be missing at `position`, the end of the last complete one. Reports a truncated entry.
bool misses_entry(Bytes payload, std::size_t position, const PayloadPlace& place,
                  std::vector<Diagnostic>& diagnostics) {
    const FurtherEntry entry = find_further_entry(payload, position);
    if (entry.state != Further::cut) {
        return entry.state == Further::unknown && payload.size() < place.declared_size;  // the caller reports it
    }
    const std::size_t there = payload.size() - position;
    diagnostics.push_back(remarks::diagnose("entry_cut", {{"unit", unit_name(entry.layout->unit)},
                                                          {"size", entry.size},
                                                          {"place", place.file_offset + position},
                                                          {"there", there}}));
    return true;
}

/// After an entry with a wrong data_len, the location of the next entry is unknown. Reports and returns whether one
/// seems to begin at the end of the layout or of data_len.
bool leaves_entry_out(Bytes payload, std::size_t position, const PayloadPlace& place, const AcceleratorHeader& header,
                      std::vector<Diagnostic>& diagnostics) {
    const std::uint64_t by_data_len = kAcceleratorFileHeader + kAcceleratorEntryHeader + std::uint64_t{header.data_len};
    for (const std::uint64_t begin : {std::uint64_t{position}, by_data_len}) {
        if (begin < position || begin > payload.size()) {
            continue;
        }
        const FurtherEntry entry = find_further_entry(payload, static_cast<std::size_t>(begin));
        if (entry.layout != nullptr) {
            diagnostics.push_back(remarks::diagnose(
                "entry_left_out", {{"unit", unit_name(entry.layout->unit)}, {"place", place.file_offset + begin}}));
            return true;
        }
    }
    return false;
}

/// Adds the entries from `position` on, the end of the first one, to `decoded`. `decoded` becomes incomplete if an
/// entry is truncated or may be missing. Returns the end of the last entry.
std::size_t read_further_entries(Bytes payload, std::size_t position, const PayloadPlace& place,
                                 const StatusCatalogue& catalogue, DecodedPayload& decoded,
                                 std::vector<Diagnostic>& diagnostics) {
    const AcceleratorHeader& header = *decoded.header;
    const bool length_fits = header.data_len == data_length(*layout_of(header.acc_type), header.version);
    if (!length_fits && leaves_entry_out(payload, position, place, header, diagnostics)) {
        decoded.complete = false;
        return position;
    }
    const std::size_t end =
        length_fits ? add_whole_entries(payload, position, place, catalogue, decoded, diagnostics) : position;
    decoded.complete = !misses_entry(payload, end, place, diagnostics);
    return end;
}

void remark_header(const AcceleratorHeader& header, const AcceleratorLayout& layout, const Record& record,
                   std::vector<Diagnostic>& diagnostics) {
    if (header.version > 1) {
        diagnostics.push_back(remarks::diagnose("version_unknown", {{"version", header.version}}));
    }
    if (header.valid != 1) {
        diagnostics.push_back(
            remarks::diagnose("entry_not_valid",
                              {{"unit", unit_name(layout.unit)},
                               {"valid", header.valid},
                               {"status", remarks::phrase(record.status.overflow ? "status_set" : "status_not_set")}}));
    }
    if (header.data_len != data_length(layout, header.version)) {
        diagnostics.push_back(
            remarks::diagnose("data_len_mismatch", {{"unit", unit_name(layout.unit)},
                                                    {"size", header.data_len},
                                                    {"version", header.version},
                                                    {"expected", data_length(layout, header.version)}}));
    }
    if (header.rsv != 0) {
        diagnostics.push_back(remarks::diagnose("reserved_not_zero", {{"word", fmt::format("{:#x}", header.rsv)}}));
    }
}

void remark_unused_bytes(Bytes payload, std::size_t position, const PayloadPlace& place,
                         std::vector<Diagnostic>& diagnostics) {
    const Bytes rest = payload.slice(position, payload.size());
    const std::uint8_t* const first = bytes::find_nonzero(rest);
    if (first != rest.end()) {
        diagnostics.push_back(remarks::diagnose(
            "unused_bytes.after_record",
            {{"byte", fmt::format("0x{:02x}", *first)},
             {"place", place.file_offset + position + static_cast<std::size_t>(first - rest.begin())}}));
    }
}

}  // namespace

Result<DecodedPayload> decode_accelerator(Bytes payload, const PayloadPlace& place, const StatusCatalogue& catalogue,
                                          std::vector<Diagnostic>& diagnostics) {
    const auto header = read_header(payload, kAcceleratorFileHeader);
    const std::size_t data_offset = kAcceleratorFileHeader + kAcceleratorEntryHeader;
    if (!header) {
        return Error{ErrorCode::record_truncated,
                     fmt::format("the accelerator record is truncated: its header has {} bytes, but only {} {} left",
                                 data_offset, payload.size(), bytes::is_or_are(payload.size())),
                     {},
                     place.file_offset + payload.size()};
    }
    const AcceleratorLayout* layout = layout_of(header->acc_type);
    if (layout == nullptr) {
        return Error{
            ErrorCode::unit_unknown,
            fmt::format("unknown acc_type {} (known: 0 AIC, 1 AIV, 2 AICPU, 3 SDMA): the record layout is unknown",
                        header->acc_type),
            {},
            place.file_offset + kAcceleratorFileHeader + 4};
    }
    const std::size_t length = data_length(*layout, header->version);
    const Bytes data = payload.slice(data_offset, length);
    if (data.size() < length) {
        return Error{
            ErrorCode::record_truncated,
            fmt::format("the {} record is truncated: {} bytes of data must follow its header, but only {} {} left",
                        unit_name(layout->unit), length, data.size(), bytes::is_or_are(data.size())),
            {},
            place.file_offset + payload.size()};
    }
    DecodedPayload decoded;
    decoded.kind = Payload::accelerator;
    decoded.header = header;
    decoded.records.push_back(read_record(data, *layout, *header, catalogue));
    remark_header(*header, *layout, decoded.records.front(), diagnostics);
    const std::size_t end = read_further_entries(payload, data_offset + length, place, catalogue, decoded, diagnostics);
    remark_unused_bytes(payload, end, place, diagnostics);
    if (payload.size() < place.declared_size) {
        diagnostics.push_back(remarks::diagnose(
            "payload_truncated.accelerator",
            {{"declared", place.declared_size}, {"there", payload.size()}, {"unit", unit_name(layout->unit)}}));
    }
    return decoded;
}

}  // namespace opdebug::record
