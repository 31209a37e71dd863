#include "dump/appended.hpp"

#include <fmt/format.h>

#include "dump/outputs.hpp"

namespace opdebug::dump_stage {
namespace {

/// Decodes the dump at the begin of `rest`; its size, or 0 when there is none.
std::size_t decode_next(Bytes rest, std::uint64_t offset, const StatusCatalogue& catalogue, Dump& dump) {
    const Result<container::Contents> contents = container::read_container(rest, rest.size());
    if (!contents || contents->end > rest.size() || contents->end == 0) {
        return 0;
    }
    Dump further;
    further.name = dump.name;
    if (decode_outputs(rest, *contents, catalogue, further)) {
        return 0;
    }
    dump.diagnostics.push_back({Severity::warning, "appended_dump",
                                fmt::format("a further dump of {} bytes stands at byte {}: two dumps were written into "
                                            "one file; its records are added "
                                            "(the official converter shows the first dump only)",
                                            contents->end, offset)});
    for (DecodedPayload& payload : further.payloads) {
        payload.appended = true;
        dump.payloads.push_back(std::move(payload));
    }
    dump.diagnostics.insert(dump.diagnostics.end(), further.diagnostics.begin(), further.diagnostics.end());
    dump.records_missing = dump.records_missing || further.records_missing;
    return static_cast<std::size_t>(contents->end);
}

}  // namespace

void decode_appended(Bytes bytes, const container::Contents& first, const StatusCatalogue& catalogue, Dump& dump) {
    if (first.end >= bytes.size()) {
        return;  // nothing follows, or the file is cut
    }
    const auto first_size = static_cast<std::size_t>(first.end);
    const std::string_view first_text = bytes.slice(0, first_size).text();
    std::size_t position = first_size;
    std::size_t copies = 0;
    while (position < bytes.size()) {
        const Bytes rest = bytes.slice(position, bytes.size());
        if (rest.slice(0, first_size).text() == first_text) {
            ++copies;
            position += first_size;
            continue;
        }
        const std::size_t size = decode_next(rest, position, catalogue, dump);
        if (size == 0) {
            break;
        }
        position += size;
    }
    if (copies != 0) {
        dump.diagnostics.push_back(
            {Severity::info, "appended_dump",
             fmt::format("the same dump was written into this file {} times; it is counted once", copies + 1)});
    }
    if (position < bytes.size()) {
        dump.diagnostics.push_back({Severity::warning, "trailing_bytes",
                                    fmt::format("{} bytes follow behind byte {}, where the header says that the dump "
                                                "ends; they are not a dump and are "
                                                "left out",
                                                bytes.size() - position, position)});
    }
}

}  // namespace opdebug::dump_stage
