#include "dump/appended.hpp"

#include <fmt/format.h>

#include "dump/outputs.hpp"

namespace opdebug::dump_stage {
namespace {

/// What stands at `position`, with offsets that count from the begin of the file.
std::optional<container::Contents> read_at(Bytes bytes, std::size_t position) {
    const Bytes rest = bytes.slice(position, bytes.size());
    Result<container::Contents> contents = container::read_container(rest, rest.size());
    if (!contents || contents->end > rest.size()) {
        return std::nullopt;
    }
    for (std::vector<container::Tensor>* tensors : {&contents->inputs, &contents->outputs}) {
        for (container::Tensor& tensor : *tensors) {
            tensor.offset += position;
        }
    }
    contents->data_begin += position;
    contents->end += position;
    return std::move(contents).value();
}

/// Decodes the dump at `position`; where it ends, or nothing when there is none.
std::optional<std::size_t> decode_next(Bytes bytes, std::size_t position, const StatusCatalogue& catalogue,
                                       Dump& dump) {
    const std::optional<container::Contents> contents = read_at(bytes, position);
    Dump further;
    further.name = dump.name;
    if (!contents || decode_outputs(bytes, *contents, catalogue, further)) {
        return std::nullopt;
    }
    dump.diagnostics.push_back(
        {Severity::warning, "appended_dump",
         fmt::format("a further dump of {} bytes stands at byte {}: two dumps were written into one file; its records "
                     "are added (the official converter shows the first dump only)",
                     contents->end - position, position)});
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
        if (bytes.slice(position, first_size).text() == first_text) {
            ++copies;
            position += first_size;
            continue;
        }
        const std::optional<std::size_t> end = decode_next(bytes, position, catalogue, dump);
        if (!end) {
            break;
        }
        position = *end;
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
