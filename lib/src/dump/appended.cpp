#include "dump/appended.hpp"

#include <algorithm>
#include <limits>
#include <string_view>
#include <unordered_set>

#include <fmt/format.h>

#include "bytes/counted.hpp"
#include "bytes/little_endian.hpp"
#include "container/overflow_node.hpp"
#include "dump/dump_begins.hpp"

namespace opdebug::dump_stage {
namespace {

/// An error of what stands at `position`, as one of the file.
Error in_file(Error error, std::size_t position) {
    error.offset = bytes::checked_add(error.offset.value_or(0), position);
    return error;
}

/// What stands at `position`, with offsets that count from the begin of the file. It may reach beyond the bytes.
Result<container::Contents> read_at(Bytes bytes, std::size_t position, const Limits& limits) {
    const Bytes rest = bytes.slice(position, bytes.size());
    Result<container::Contents> contents = container::read_container(rest, rest.size(), limits);
    if (!contents || contents->size_overflow) {
        return in_file(contents ? *contents->size_overflow : contents.error(), position);
    }
    const auto from_file_begin = [position](std::uint64_t offset) {
        return bytes::checked_add(offset, position).value_or(std::numeric_limits<std::uint64_t>::max());
    };
    for (std::vector<container::Tensor>* tensors : {&contents->inputs, &contents->outputs}) {
        for (container::Tensor& tensor : *tensors) {
            tensor.offset = from_file_begin(tensor.offset);
        }
    }
    contents->data_begin = from_file_begin(contents->data_begin);
    contents->end = from_file_begin(contents->end);
    if (contents->rest_fault) {
        contents->rest_fault = in_file(*contents->rest_fault, position);
    }
    return contents;
}

/// The remark on a further dump, whose bytes end at `bytes_end`. It stands before every fault of that dump.
Diagnostic describe(const container::Contents& contents, std::size_t position, std::size_t bytes_end, bool decoded) {
    const std::string there =
        contents.end > bytes_end ? fmt::format(", of which {} are there,", bytes_end - position) : std::string();
    const std::string time =
        contents.dump_time_us ? fmt::format(" (its header's time: {} us)", *contents.dump_time_us) : std::string();
    return {Severity::warning, "appended_dump",
            fmt::format("a further dump of {} bytes{} stands at byte {}{}: two dumps were written into one file; {} "
                        "(the official converter shows the first dump only)",
                        contents.end - position, there, position, time,
                        decoded ? "its records are added" : "its records cannot be read")};
}

/// What is filled in for each further dump.
struct Appended {
    const StatusCatalogue& catalogue;
    RecordBudget& budget;
    Dump& dump;
    PartFaults faults;
};

/// What begins like a dump but has no header that can be read. False when it does not even begin so.
bool add_unreadable(Bytes bytes, const Error& error, std::size_t position, Appended& appended) {
    if (!begins_like_dump(bytes.slice(position, bytes.size()), appended.budget.limits)) {
        return false;
    }
    if (appended.faults.count < kListedFaults) {
        appended.dump.diagnostics.push_back(
            {Severity::warning, "appended_dump",
             fmt::format("a further dump begins at byte {}: two dumps were written into one file; its records cannot "
                         "be read, for its header is cut or damaged",
                         position)});
    }
    add_fault(appended.faults, error);
    return true;
}

/// Decodes the dump at `position` as far as its bytes are there. False when it is no overflow dump: one that is cut or
/// cannot be decoded must say in its header that it is one, else any bytes could be taken for it.
bool decode_further(Bytes bytes, const container::Contents& contents, std::size_t position, Appended& appended) {
    Dump& dump = appended.dump;
    const bool named = container::header_names_overflow_dump(contents);
    if (!named && contents.end > bytes.size()) {
        return false;
    }
    Dump further;
    further.name = dump.name;
    const std::optional<Error> error = decode_outputs(bytes, contents, appended.catalogue, appended.budget, further);
    if (error && !named) {
        return false;
    }
    if (error) {
        if (appended.faults.count < kListedFaults) {
            dump.diagnostics.push_back(describe(contents, position, bytes.size(), false));
        }
        add_fault(appended.faults, *error);
        return true;
    }
    dump.diagnostics.push_back(describe(contents, position, bytes.size(), true));
    for (DecodedPayload& payload : further.payloads) {
        payload.appended = true;
        payload.timestamp_us = contents.dump_time_us;
        dump.payloads.push_back(std::move(payload));
    }
    dump.container = dump.container ? dump.container : contents.form;
    dump.diagnostics.insert(dump.diagnostics.end(), further.diagnostics.begin(), further.diagnostics.end());
    dump.records_missing = dump.records_missing || further.records_missing;
    return true;
}

void remark_copies(std::size_t copies, Dump& dump) {
    if (copies != 0) {
        dump.diagnostics.push_back(
            {Severity::info, "appended_dump",
             fmt::format("{} of the dumps in this file {} of an earlier one, written again; copies are not counted",
                         copies, copies == 1 ? "is a copy" : "are copies")});
    }
}

/// Bytes that belong to no dump.
struct OtherBytes {
    std::size_t first = 0;  ///< where the first of them stands
    std::size_t count = 0;
    std::size_t places = 0;

    void add(std::size_t begin, std::size_t end) {
        first = places == 0 ? begin : first;
        count += end - begin;
        ++places;
    }
};

void remark_other_bytes(const OtherBytes& other, Dump& dump) {
    if (other.count == 0) {
        return;
    }
    const std::string where = other.places == 1
                                  ? fmt::format("follow{} at byte {}", other.count == 1 ? "s" : "", other.first)
                                  : fmt::format("stand at {} places, the first at byte {}", other.places, other.first);
    dump.diagnostics.push_back({Severity::warning, "trailing_bytes",
                                fmt::format("{} {}, behind where a header says that its dump ends; {} not begin "
                                            "like a dump and {} left out",
                                            bytes::counted(other.count, "byte"), where,
                                            other.count == 1 ? "it does" : "they do", bytes::is_or_are(other.count))});
}

}  // namespace

void decode_appended(Bytes bytes, std::size_t first_end, const std::vector<std::size_t>& begins,
                     const StatusCatalogue& catalogue, RecordBudget& budget, Dump& dump) {
    if (first_end >= bytes.size()) {
        return;  // nearly every file: to remember the first dump for a comparison took a fortieth of a scan
    }
    Appended appended{catalogue, budget, dump, {}};
    std::unordered_set<std::string_view> seen{bytes.slice(0, first_end).text()};
    std::size_t copies = 0, position = first_end;
    OtherBytes other;
    while (position < bytes.size()) {
        const auto next = std::upper_bound(begins.begin(), begins.end(), position);
        const Bytes here = bytes.slice(0, next == begins.end() ? bytes.size() : *next);
        const Result<container::Contents> contents = read_at(here, position, budget.limits);
        std::size_t end = contents ? end_of(*contents, here) : here.size();
        if (contents && !seen.insert(here.slice(position, end - position).text()).second) {
            ++copies;
        } else if (contents && budget.left == 0) {
            budget.passed = true;
            break;
        } else if (!(contents ? decode_further(here, *contents, position, appended)
                              : add_unreadable(here, contents.error(), position, appended))) {
            end = here.size();
            other.add(position, end);
        }
        position = end;
    }
    report_faults(appended.faults, "dumps", dump);
    remark_copies(copies, dump);
    remark_other_bytes(other, dump);
}

}  // namespace opdebug::dump_stage
