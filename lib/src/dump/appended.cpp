// Dumps after the first one in a file. The host writes dumps with O_APPEND, so two dumps with one name share a file. If
// a full disk truncated a dump, the next one begins inside its declared bytes.
#include "dump/outputs.hpp"

#include <algorithm>
#include <limits>
#include <optional>
#include <string_view>
#include <unordered_set>

#include "bytes/little_endian.hpp"
#include "container/container.hpp"
#include "container/message.hpp"
#include "remarks/diagnose.hpp"

namespace opdebug::dump_stage {
namespace {

using container::MessageField;
using container::MessageReader;

constexpr std::size_t kLengthBytes = 8;  // size of the length before the header
constexpr std::size_t kMostHeader = 256;
constexpr std::size_t kLookedAtFields = 8;  // writers sort fields by number

// Field numbers of DumpData, OpOutput and OriginalOp (docs/internals/formats.md, "Messages").
constexpr std::uint32_t kOutput = 3;
constexpr std::uint32_t kOriginalOp = 4, kData = 5;
constexpr std::uint32_t kName = 1;

// Marks of a header. Messages begin with field 1, the version, which has three characters in all known writers.
constexpr std::string_view kVersionField("\x0A\x03");
constexpr std::string_view kNanoMagic("\x5A\x5A\x5A\x5A");

bool is_version_field(Bytes bytes) {
    return bytes.size() >= 4 && bytes.text().substr(0, 2) == kVersionField && (bytes[2] == '1' || bytes[2] == '2') &&
           bytes[3] == '.';
}

/// Whether an overflow dump with a header length begins at `begin`.
bool begins_with_length(Bytes bytes, std::size_t begin, const Limits& limits) {
    const auto length = bytes::read_u64(bytes, begin);
    if (!length || *length > kMostHeader || *length > bytes.size() - begin - kLengthBytes) {
        return false;
    }
    const Bytes header = bytes.slice(begin, kLengthBytes + static_cast<std::size_t>(*length));
    const Result<container::Contents> contents = container::read_container(header, header.size(), limits);
    return contents && !contents->size_overflow && container::header_names_overflow_dump(*contents) &&
           std::any_of(contents->outputs.begin(), contents->outputs.end(),
                       [](const container::Tensor& output) { return output.size != 0; });
}

/// The field with that number among the first fields. Malicious bytes may contain endless fields.
std::optional<MessageField> field_of(Bytes message, std::uint32_t number) {
    MessageReader reader(message, 0);
    for (std::size_t i = 0; i < kLookedAtFields; ++i) {
        const auto field = reader.next();
        if (!field || (field->number == number && field->kind == MessageField::Kind::length_delimited)) {
            return field;
        }
    }
    return std::nullopt;
}

/// Whether the bytes begin with a version-1 message that contains an overflow dump's output with its bytes.
bool begins_with_whole_output(Bytes bytes) {
    const auto output = field_of(bytes, kOutput);
    const auto original_op = output ? field_of(output->content, kOriginalOp) : std::nullopt;
    const auto name = original_op ? field_of(original_op->content, kName) : std::nullopt;
    const auto data = output ? field_of(output->content, kData) : std::nullopt;
    return name && container::is_overflow_node(name->content.text()) && data && !data->content.empty();
}

/// Whether the length at `begin` fits the message after it.
bool is_length_of_message(Bytes bytes, std::size_t begin) {
    const auto length = bytes::read_u64(bytes, begin);
    if (!length || *length > bytes.size() - begin - kLengthBytes) {
        return false;
    }
    MessageReader fields(bytes.slice(begin + kLengthBytes, static_cast<std::size_t>(*length)), 0);
    while (fields.next()) {
    }
    return !fields.error();
}

/// Location of the dump whose version is at `mark`. `last`: location of the dump before it.
std::optional<std::size_t> begin_of_message(Bytes bytes, std::size_t mark, std::size_t last, const Limits& limits) {
    if (!is_version_field(bytes.slice(mark, 4))) {
        return std::nullopt;
    }
    if (mark == last + kLengthBytes && is_length_of_message(bytes, last)) {
        return std::nullopt;  // the header of the last dump
    }
    if (mark > last + kLengthBytes && begins_with_length(bytes, mark - kLengthBytes, limits)) {
        return mark - kLengthBytes;
    }
    return begins_with_whole_output(bytes.slice(mark, bytes.size())) ? std::optional<std::size_t>(mark) : std::nullopt;
}

std::optional<std::size_t> begin_of_nano(Bytes bytes, std::size_t mark, std::size_t last, const Limits& limits) {
    return mark > last + kLengthBytes && begins_with_length(bytes, mark - kLengthBytes, limits)
               ? std::optional<std::size_t>(mark - kLengthBytes)
               : std::nullopt;
}

/// Whether the bytes (more than a length) begin like a dump. The header may be truncated or damaged.
bool begins_like_dump(Bytes bytes, const Limits& limits) {
    const auto length = bytes::read_u64(bytes, 0);
    if (!length || bytes.size() == kLengthBytes) {
        return false;
    }
    const std::string_view header = bytes.text().substr(kLengthBytes, 4);
    const bool has_version = kVersionField.substr(0, header.size()) == header.substr(0, kVersionField.size());
    const bool has_length = *length != 0 && *length <= limits.header_bytes;
    return is_version_field(bytes) || (has_length && (has_version || header == kNanoMagic));
}

/// Converts an error at `position` to an error of the file.
Error in_file(Error error, std::size_t position) {
    error.offset = bytes::checked_add(error.offset.value_or(0), position);
    return error;
}

/// The container at `position`, with offsets from the start of the file. It may exceed the bytes.
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

/// The remark on an appended dump, whose bytes end at `bytes_end`. It precedes every fault of that dump.
Diagnostic describe(const container::Contents& contents, std::size_t position, std::size_t bytes_end, bool decoded) {
    const LocalizedText there = contents.end > bytes_end
                                    ? remarks::phrase("of_which_there", {{"count", bytes_end - position}})
                                    : LocalizedText();
    const LocalizedText time =
        contents.dump_time_us ? remarks::phrase("header_time", {{"time", *contents.dump_time_us}}) : LocalizedText();
    return remarks::diagnose("appended_dump",
                             {{"size", contents.end - position},
                              {"there", there},
                              {"place", position},
                              {"time", time},
                              {"records", remarks::phrase(decoded ? "records_added" : "records_unread")}});
}

/// Results for each appended dump.
struct Appended {
    const StatusCatalogue& catalogue;
    RecordBudget& budget;
    Dump& dump;
    PartFaults faults;
};

/// Reports bytes that begin like a dump but have no readable header. Returns false if they do not begin like a dump.
bool add_unreadable(Bytes bytes, const Error& error, std::size_t position, Appended& appended) {
    if (!begins_like_dump(bytes.slice(position, bytes.size()), appended.budget.limits)) {
        return false;
    }
    if (appended.faults.count < kListedFaults) {
        appended.dump.diagnostics.push_back(remarks::diagnose("appended_dump.damaged", {{"place", position}}));
    }
    add_fault(appended.faults, error);
    return true;
}

/// Decodes the available bytes of the dump at `position`. Returns false if it is no overflow dump. A dump that is
/// truncated or cannot be decoded counts only if its header names an overflow dump; otherwise any bytes could count.
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
        dump.diagnostics.push_back(remarks::diagnose("appended_dump.copies", {{"count", copies}}));
    }
}

/// Bytes that belong to no dump.
struct OtherBytes {
    std::size_t first = 0;  ///< location of the first byte
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
    const LocalizedText where =
        other.places == 1 ? remarks::phrase("bytes_follow", {{"count", other.count}, {"place", other.first}})
                          : remarks::phrase("bytes_stand", {{"places", other.places}, {"place", other.first}});
    dump.diagnostics.push_back(remarks::diagnose("trailing_bytes", {{"count", other.count}, {"where", where}}));
}

}  // namespace

std::vector<std::size_t> further_dump_begins(Bytes bytes, const Limits& limits) {
    std::vector<std::size_t> begins;
    const std::string_view text = bytes.text();
    std::size_t last = 0, version = text.find(kVersionField, 1), magic = text.find(kNanoMagic, 1);
    while (version != std::string_view::npos || magic != std::string_view::npos) {
        const bool is_nano = magic < version;
        const std::size_t mark = std::min(version, magic);
        const auto begin =
            is_nano ? begin_of_nano(bytes, mark, last, limits) : begin_of_message(bytes, mark, last, limits);
        if (begin) {
            last = *begin;
            begins.push_back(last);
        }
        (is_nano ? magic : version) = text.find(is_nano ? kNanoMagic : kVersionField, mark + 1);
    }
    return begins;
}

void decode_appended(Bytes bytes, std::size_t first_end, const std::vector<std::size_t>& begins,
                     const StatusCatalogue& catalogue, RecordBudget& budget, Dump& dump) {
    if (first_end >= bytes.size()) {
        return;  // nearly every file: avoids a copy of the first dump
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
