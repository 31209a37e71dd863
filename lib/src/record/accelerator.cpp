#include "record/accelerator.hpp"

#include <fmt/format.h>

#include "bytes/counted.hpp"
#include "bytes/little_endian.hpp"
#include "bytes/nonzero.hpp"
#include "record/layout.hpp"

namespace opdebug::record {
namespace {

/// Reads the header of the entry at `offset`, or nothing when it is cut.
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

/// Reads the fields and status words at `data`; all of them are there.
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
    record.status = decode_status(catalogue, layout.unit, words).value();  // the layouts hold only valid word counts
    record.overflow = record.status.overflow && header.valid == 1;
    return record;
}

void remark_header(const AcceleratorHeader& header, const AcceleratorLayout& layout, const Record& record,
                   std::vector<Diagnostic>& diagnostics) {
    if (header.version > 1) {
        diagnostics.push_back(
            {Severity::warning, "version_unknown",
             fmt::format("record version {} is unknown (0 and 1 are known): the fields are read as those of version 0",
                         header.version)});
    }
    if (header.valid != 1) {
        diagnostics.push_back(
            {Severity::warning, "entry_not_valid",
             fmt::format("the {} entry is marked valid = {}, not 1: its status {} not counted as an overflow",
                         unit_name(layout.unit), header.valid, record.status.overflow ? "is set but" : "is")});
    }
    if (header.data_len != data_length(layout, header.version)) {
        diagnostics.push_back({Severity::warning, "data_len_mismatch",
                               fmt::format("the {} entry declares {} of data, its layout in version {} has {}",
                                           unit_name(layout.unit), bytes::counted(header.data_len, "byte"),
                                           header.version, data_length(layout, header.version))});
    }
    if (header.rsv != 0) {
        diagnostics.push_back({Severity::info, "reserved_not_zero",
                               fmt::format("the reserved word of the entry is {:#x}, not 0", header.rsv)});
    }
}

/// A further entry at `offset` when everything about it fits; its place is inferred, so nothing less is taken for one.
std::optional<Record> read_further_entry(Bytes payload, std::size_t offset, const StatusCatalogue& catalogue,
                                         std::size_t& end) {
    const auto header = read_header(payload, offset);
    if (!header || header->valid != 1) {
        return std::nullopt;
    }
    const AcceleratorLayout* layout = layout_of(header->acc_type);
    if (layout == nullptr || header->data_len != data_length(*layout, header->version)) {
        return std::nullopt;
    }
    const Bytes data = payload.slice(offset + kAcceleratorEntryHeader, header->data_len);
    if (data.size() < header->data_len) {
        return std::nullopt;
    }
    end = offset + kAcceleratorEntryHeader + header->data_len;
    Record record = read_record(data, *layout, *header, catalogue);
    record.inferred = true;
    return record;
}

/// Adds the entries that follow; where the last one ends.
std::size_t add_further_entries(Bytes payload, std::size_t position, const PayloadPlace& place,
                                const StatusCatalogue& catalogue, DecodedPayload& decoded,
                                std::vector<Diagnostic>& diagnostics) {
    std::size_t end = position;
    while (decoded.records.size() < place.most_records) {
        auto record = read_further_entry(payload, position, catalogue, end);
        if (!record) {
            break;
        }
        diagnostics.push_back(
            {Severity::warning, "inferred_entry",
             fmt::format("a further {} entry stands at byte {} of the file; that entries follow one another there is "
                         "inferred, no document says so, and the official converter shows the first only",
                         unit_name(record->unit), place.file_offset + position)});
        decoded.records.push_back(std::move(*record));
        position = end;
    }
    return position;
}

void remark_unused_bytes(Bytes payload, std::size_t position, const PayloadPlace& place,
                         std::vector<Diagnostic>& diagnostics) {
    const Bytes rest = payload.slice(position, payload.size());
    const std::uint8_t* const first = bytes::find_nonzero(rest);
    if (first != rest.end()) {
        diagnostics.push_back(
            {Severity::info, "unused_bytes",
             fmt::format(
                 "bytes behind the record are not zero (0x{:02x} at byte {} of the file); no document describes them",
                 *first, place.file_offset + position + static_cast<std::size_t>(first - rest.begin()))});
    }
}

}  // namespace

Result<DecodedPayload> decode_accelerator(Bytes payload, const PayloadPlace& place, const StatusCatalogue& catalogue,
                                          std::vector<Diagnostic>& diagnostics) {
    const auto header = read_header(payload, kAcceleratorFileHeader);
    const std::size_t data_offset = kAcceleratorFileHeader + kAcceleratorEntryHeader;
    if (!header) {
        return Error{ErrorCode::record_truncated,
                     fmt::format("the accelerator record is cut: its header has {} bytes, only {} {} there",
                                 data_offset, payload.size(), bytes::is_or_are(payload.size())),
                     {},
                     place.file_offset + payload.size()};
    }
    const AcceleratorLayout* layout = layout_of(header->acc_type);
    if (layout == nullptr) {
        return Error{
            ErrorCode::unit_unknown,
            fmt::format("acc_type {} is unknown (0 AIC, 1 AIV, 2 AICPU, 3 SDMA): the layout of its record is not known",
                        header->acc_type),
            {},
            place.file_offset + kAcceleratorFileHeader + 4};
    }
    const std::size_t length = data_length(*layout, header->version);
    const Bytes data = payload.slice(data_offset, length);
    if (data.size() < length) {
        return Error{
            ErrorCode::record_truncated,
            fmt::format("the {} record is cut: {} bytes of data were expected behind its header, only {} {} there",
                        unit_name(layout->unit), length, data.size(), bytes::is_or_are(data.size())),
            {},
            place.file_offset + payload.size()};
    }
    DecodedPayload decoded;
    decoded.kind = Payload::accelerator;
    decoded.header = header;
    decoded.records.push_back(read_record(data, *layout, *header, catalogue));
    remark_header(*header, *layout, decoded.records.front(), diagnostics);
    std::size_t end = data_offset + length;
    if (header->data_len == length) {  // else it is not known where a further entry would begin
        end = add_further_entries(payload, end, place, catalogue, decoded, diagnostics);
    }
    remark_unused_bytes(payload, end, place, diagnostics);
    if (payload.size() < place.declared_size) {
        diagnostics.push_back(
            {Severity::error, "payload_truncated",
             fmt::format(
                 "the payload is cut: the header declares {} bytes, {} are there; the {} record itself is whole",
                 place.declared_size, payload.size(), unit_name(layout->unit))});
    }
    return decoded;
}

}  // namespace opdebug::record
