#include "record/accelerator_entry.hpp"

#include "bytes/little_endian.hpp"

namespace opdebug::record {

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

}  // namespace opdebug::record
