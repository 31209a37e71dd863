#include "dump/dump_begins.hpp"

#include <algorithm>
#include <optional>
#include <string_view>

#include "bytes/little_endian.hpp"
#include "container/container.hpp"
#include "container/message.hpp"
#include "container/overflow_node.hpp"

namespace opdebug::dump_stage {
namespace {

using container::MessageField;
using container::MessageReader;

constexpr std::size_t kLengthBytes = 8;  // of the header's length, in front of it
constexpr std::size_t kMostHeader = 256;
constexpr std::size_t kLookedAtFields = 8;  // writers put them in the order of their numbers

// Field numbers of DumpData, OpOutput and OriginalOp (docs/format.md, "Messages").
constexpr std::uint32_t kOutput = 3;
constexpr std::uint32_t kOriginalOp = 4, kData = 5;
constexpr std::uint32_t kName = 1;

// By these a header is found. Messages begin with field 1, the version, which has three characters in all known
// writers.
constexpr std::string_view kVersionField("\x0A\x03");
constexpr std::string_view kNanoMagic("\x5A\x5A\x5A\x5A");

bool is_version_field(Bytes bytes) {
    return bytes.size() >= 4 && bytes.text().substr(0, 2) == kVersionField && (bytes[2] == '1' || bytes[2] == '2') &&
           bytes[3] == '.';
}

/// Whether an overflow dump with a length in front of its header begins at `begin`.
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

/// The first field of that number among the first few. Hostile bytes may go on with fields for ever.
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

/// Whether these bytes begin with a version-1 message that has an output of an overflow dump with its bytes.
bool begins_with_whole_output(Bytes bytes) {
    const auto output = field_of(bytes, kOutput);
    const auto original_op = output ? field_of(output->content, kOriginalOp) : std::nullopt;
    const auto name = original_op ? field_of(original_op->content, kName) : std::nullopt;
    const auto data = output ? field_of(output->content, kData) : std::nullopt;
    return name && container::is_overflow_node(name->content.text()) && data && !data->content.empty();
}

/// Whether the length at `begin` is that of the message behind it.
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

/// Where the dump begins whose version stands at `mark`; `last`: where the one before it begins.
std::optional<std::size_t> begin_of_message(Bytes bytes, std::size_t mark, std::size_t last, const Limits& limits) {
    if (!is_version_field(bytes.slice(mark, 4))) {
        return std::nullopt;
    }
    if (mark == last + kLengthBytes && is_length_of_message(bytes, last)) {
        return std::nullopt;  // the header of the last one itself
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

}  // namespace opdebug::dump_stage
