#include "expected_begins.hpp"

#include <algorithm>
#include <cctype>

#include "expected_header.hpp"

namespace opdebug::damage {
namespace {

bool is_node(const std::string& name) {
    std::string lower = name;
    std::transform(lower.begin(), lower.end(), lower.begin(), [](unsigned char c) { return std::tolower(c); });
    return lower == "node_opdebug";
}

Buffer part(const Buffer& bytes, std::size_t at, std::uint64_t size) {
    const auto first = bytes.begin() + static_cast<std::ptrdiff_t>(at);
    return Buffer(first, first + static_cast<std::ptrdiff_t>(std::min<std::uint64_t>(size, bytes.size() - at)));
}

/// A tag and a length, then the text "1.?" or "2.?".
bool has_version(const Buffer& bytes, std::size_t at) {
    return at + 4 <= bytes.size() && bytes[at] == 0x0A && bytes[at + 1] == 3 &&
           (bytes[at + 2] == '1' || bytes[at + 2] == '2') && bytes[at + 3] == '.';
}

bool has_magic(const Buffer& bytes, std::size_t at) {
    return number_at(bytes, at, 4) == std::uint64_t{0x5A5A5A5A};
}

/// A length of at most 256 and as many bytes, which are the header of an overflow dump with bytes for an output.
bool is_dump_behind_length(const Buffer& bytes, std::size_t at) {
    const auto length = number_at(bytes, at, 8);
    if (!length || *length > 256 || *length > bytes.size() - at - 8) {
        return false;
    }
    const ExpectedContainer file = expected_container(part(bytes, at, 8 + *length));
    return file.fault.empty() && names_overflow_dump(file) &&
           std::any_of(file.outputs.begin(), file.outputs.end(),
                       [](const ExpectedTensor& output) { return output.size != 0; });
}

/// DumpData.output.original_op.name and DumpData.output.data.
bool is_v1_dump(const Buffer& bytes, std::size_t at) {
    const auto output = early_field(bytes, {at, bytes.size()}, 3);
    const auto op = output ? early_field(bytes, *output, 4) : std::nullopt;
    const auto name = op ? early_field(bytes, *op, 1) : std::nullopt;
    const auto data = output ? early_field(bytes, *output, 5) : std::nullopt;
    return name && is_node(text_of(bytes, *name)) && data && data->size() != 0;
}

/// Whether the message at `at` is the header whose length is at `last`.
bool is_header(const Buffer& bytes, std::size_t last, std::size_t at) {
    const auto length = number_at(bytes, last, 8);
    return at == last + 8 && length && *length <= bytes.size() - at &&
           is_message(bytes, {at, at + static_cast<std::size_t>(*length)});
}

}  // namespace

std::vector<std::size_t> expected_begins(const Buffer& bytes) {
    std::vector<std::size_t> begins;
    std::size_t last = 0;
    for (std::size_t at = 1; at < bytes.size(); ++at) {
        const bool behind_length =
            (has_version(bytes, at + 8) || has_magic(bytes, at + 8)) && is_dump_behind_length(bytes, at);
        if (behind_length || (has_version(bytes, at) && !is_header(bytes, last, at) && is_v1_dump(bytes, at))) {
            begins.push_back(at);
            last = at;
        }
    }
    begins.push_back(bytes.size());
    return begins;
}

bool begins_like_dump(const Buffer& bytes) {
    if (bytes.size() <= 8) {
        return false;
    }
    const std::uint64_t length = *number_at(bytes, 0, 8);
    const bool has_length = length != 0 && length <= 16U << 20U;
    const bool version_begins = bytes[8] == 0x0A && (bytes.size() == 9 || bytes[9] == 3);
    return has_version(bytes, 0) || (has_length && (version_begins || has_magic(bytes, 8)));
}

bool names_overflow_dump(const ExpectedContainer& file) {
    return is_node(file.op_name) ||
           std::any_of(file.outputs.begin(), file.outputs.end(),
                       [](const ExpectedTensor& output) { return is_node(output.original_op); });
}

}  // namespace opdebug::damage
