#include "record/accelerator.hpp"

#include <fmt/format.h>

#include "bytes/counted.hpp"
#include "bytes/nonzero.hpp"
#include "record/accelerator_entry.hpp"
#include "record/further_entries.hpp"
#include "record/layout.hpp"

namespace opdebug::record {
namespace {

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
    const std::size_t end = read_further_entries(payload, data_offset + length, place, catalogue, decoded, diagnostics);
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
