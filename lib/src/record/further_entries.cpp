#include "record/further_entries.hpp"

#include <fmt/format.h>

#include "bytes/counted.hpp"
#include "bytes/little_endian.hpp"
#include "record/accelerator_entry.hpp"

namespace opdebug::record {
namespace {

enum class Further {
    none,     ///< zeros, or something else
    unknown,  ///< too few bytes to tell, or none
    cut,      ///< valid and acc_type fit, data_len as far as it is there; its bytes are not all there
    whole
};

/// What stands where a further entry may begin. The place is inferred, so nothing that does not fit is taken for one.
struct FurtherEntry {
    Further state = Further::none;
    const AcceleratorLayout* layout = nullptr;  ///< of what is cut or whole
    std::size_t size = 0;                       ///< with its header and all of its data
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

/// Adds the entries that are whole. Where the last one ends.
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
        diagnostics.push_back(
            {Severity::warning, "inferred_entry",
             fmt::format("a further {} entry stands at byte {} of the file; that entries follow one another there is "
                         "inferred, no document says so, and the official converter shows the first only",
                         unit_name(record.unit), place.file_offset + position)});
        decoded.records.push_back(std::move(record));
        position += entry.size;
    }
    return position;
}

/// Whether an entry may be missing at `position`, where the last whole one ends. One that is there in part is told.
bool misses_entry(Bytes payload, std::size_t position, const PayloadPlace& place,
                  std::vector<Diagnostic>& diagnostics) {
    const FurtherEntry entry = find_further_entry(payload, position);
    if (entry.state != Further::cut) {
        return entry.state == Further::unknown && payload.size() < place.declared_size;  // which is told by the caller
    }
    const std::size_t there = payload.size() - position;
    diagnostics.push_back(
        {Severity::error, std::string(kEntryCut),
         fmt::format("a further {} entry is cut: it has {} from byte {} of the file on, only {} {} there; whether it "
                     "reports an overflow is not known",
                     unit_name(entry.layout->unit), bytes::counted(entry.size, "byte"), place.file_offset + position,
                     there, bytes::is_or_are(there))});
    return true;
}

/// Behind an entry whose data_len is wrong it is not known where a further one would begin: whether one seems to stand
/// where the layout ends or where the data_len does, which is told.
bool leaves_entry_out(Bytes payload, std::size_t position, const PayloadPlace& place, const AcceleratorHeader& header,
                      std::vector<Diagnostic>& diagnostics) {
    const std::uint64_t by_data_len = kAcceleratorFileHeader + kAcceleratorEntryHeader + std::uint64_t{header.data_len};
    for (const std::uint64_t begin : {std::uint64_t{position}, by_data_len}) {
        if (begin < position || begin > payload.size()) {
            continue;
        }
        const FurtherEntry entry = find_further_entry(payload, static_cast<std::size_t>(begin));
        if (entry.layout != nullptr) {
            diagnostics.push_back(
                {Severity::error, std::string(kEntryLeftOut),
                 fmt::format("what looks like a further {} entry stands at byte {} of the file, behind an entry whose "
                             "data_len is wrong: whether it is one is not known, it is left out",
                             unit_name(entry.layout->unit), place.file_offset + begin)});
            return true;
        }
    }
    return false;
}

}  // namespace

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

}  // namespace opdebug::record
