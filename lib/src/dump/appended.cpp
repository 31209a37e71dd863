#include "dump/appended.hpp"

#include <algorithm>
#include <limits>
#include <string_view>
#include <unordered_set>

#include <fmt/format.h>

#include "bytes/little_endian.hpp"
#include "dump/outputs.hpp"

namespace opdebug::dump_stage {
namespace {

/// What stands at `position`, with offsets that count from the begin of the file. It may reach beyond the file's end.
std::optional<container::Contents> read_at(Bytes bytes, std::size_t position, const Limits& limits) {
    const Bytes rest = bytes.slice(position, bytes.size());
    Result<container::Contents> contents = container::read_container(rest, rest.size(), limits);
    if (!contents || contents->size_overflow) {
        return std::nullopt;
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
    return std::move(contents).value();
}

/// The remark on a further dump. It stands before every fault of that dump.
Diagnostic describe(const container::Contents& contents, std::size_t position, std::size_t file_size, bool decoded) {
    const std::string there =
        contents.end > file_size ? fmt::format(", of which {} are there,", file_size - position) : std::string();
    const std::string time =
        contents.dump_time_us ? fmt::format(" (its header's time: {} us)", *contents.dump_time_us) : std::string();
    return {Severity::warning, "appended_dump",
            fmt::format("a further dump of {} bytes{} stands at byte {}{}: two dumps were written into one file; {} "
                        "(the official converter shows the first dump only)",
                        contents.end - position, there, position, time,
                        decoded ? "its records are added" : "its records cannot be read")};
}

/// Decodes the dump at `position` as far as its bytes are there. False when it is no overflow dump: one that is cut or
/// cannot be decoded must say in its header that it is one, else any bytes could be taken for it.
bool decode_further(Bytes bytes, const container::Contents& contents, std::size_t position,
                    const StatusCatalogue& catalogue, RecordBudget& budget, Dump& dump, PartFaults& faults) {
    const bool named = header_names_overflow_dump(contents);
    if (!named && contents.end > bytes.size()) {
        return false;
    }
    Dump further;
    further.name = dump.name;
    const std::optional<Error> error = decode_outputs(bytes, contents, catalogue, budget, further);
    if (error && !named) {
        return false;
    }
    if (error) {
        if (faults.count < kListedFaults) {
            dump.diagnostics.push_back(describe(contents, position, bytes.size(), false));
        }
        add_fault(faults, *error);
        return true;
    }
    dump.diagnostics.push_back(describe(contents, position, bytes.size(), true));
    for (DecodedPayload& payload : further.payloads) {
        payload.appended = true;
        payload.timestamp_us = contents.dump_time_us;
        dump.payloads.push_back(std::move(payload));
    }
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

void remark_trailing_bytes(std::size_t position, std::size_t file_size, Dump& dump) {
    if (position < file_size) {
        dump.diagnostics.push_back({Severity::warning, "trailing_bytes",
                                    fmt::format("{} bytes follow behind byte {}, where the header says that the dump "
                                                "ends; they are not a dump and are left out",
                                                file_size - position, position)});
    }
}

}  // namespace

void decode_appended(Bytes bytes, const container::Contents& first, const StatusCatalogue& catalogue,
                     RecordBudget& budget, Dump& dump) {
    if (first.end >= bytes.size()) {
        return;  // nothing follows, or the file is cut
    }
    auto position = static_cast<std::size_t>(first.end);
    std::unordered_set<std::string_view> seen{bytes.slice(0, position).text()};
    std::size_t copies = 0;
    PartFaults faults;
    while (position < bytes.size()) {
        const std::optional<container::Contents> contents = read_at(bytes, position, budget.limits);
        if (!contents) {
            break;
        }
        const auto end = static_cast<std::size_t>(std::min<std::uint64_t>(contents->end, bytes.size()));
        const bool is_copy =
            contents->end <= bytes.size() && !seen.insert(bytes.slice(position, end - position).text()).second;
        if (is_copy) {
            ++copies;
        } else if (budget.left == 0) {
            budget.passed = true;
            position = bytes.size();
            break;
        } else if (!decode_further(bytes, *contents, position, catalogue, budget, dump, faults)) {
            break;
        }
        position = end;
    }
    report_faults(faults, "dumps", dump);
    remark_copies(copies, dump);
    remark_trailing_bytes(position, bytes.size(), dump);
}

}  // namespace opdebug::dump_stage
