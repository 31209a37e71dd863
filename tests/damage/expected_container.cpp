#include "expected_container.hpp"

#include <algorithm>
#include <limits>

#include "expected_header.hpp"

namespace opdebug::damage {
namespace {

/// The fault of a header length that reaches beyond the bytes; empty when it does not.
std::string fault_of_length(const Buffer& bytes, std::uint64_t length) {
    const std::uint64_t rest = bytes.size() - 8;
    if (length <= rest) {
        return "";
    }
    std::uint64_t big_endian = 0;
    for (std::size_t i = 0; i < 8; ++i) {
        big_endian = big_endian << 8U | bytes[i];
    }
    return big_endian > rest && length <= 16U << 20U ? "header_truncated" : "header_length_invalid";
}

bool is_text(const Buffer& bytes) {
    return std::all_of(bytes.begin(),
                       bytes.begin() + static_cast<std::ptrdiff_t>(std::min<std::size_t>(bytes.size(), 64)),
                       [](std::uint8_t byte) {
                           const bool is_character = byte >= 0x20 && byte != 0x7F && byte != 0xFF;
                           return is_character || byte == '\t' || byte == '\n' || byte == '\r';
                       });
}

/// Inputs, outputs, buffers, workspaces are one after the other.
void place(ExpectedContainer& file, const std::vector<std::uint64_t>& further) {
    std::uint64_t position = file.data_begin;
    const auto advance = [&](std::uint64_t size) {
        if (size > std::numeric_limits<std::uint64_t>::max() - position) {
            file.fault = "size_overflow";
            position = std::numeric_limits<std::uint64_t>::max();  // in no file
            return;
        }
        position += size;
    };
    for (auto* tensors : {&file.inputs, &file.outputs}) {
        for (ExpectedTensor& tensor : *tensors) {
            tensor.offset = position;
            advance(tensor.size);
        }
    }
    for (const std::uint64_t size : further) {
        advance(size);
    }
    file.end = position;
}

ExpectedContainer behind_length(const Buffer& bytes, bool nano) {
    ExpectedContainer file;
    file.form = nano ? "nano" : "dump_data_v2";
    const std::uint64_t length = *number_at(bytes, 0, 8);
    file.fault = fault_of_length(bytes, length);
    if (!file.fault.empty()) {
        file.fault = file.fault == "header_length_invalid" && !nano && is_text(bytes) ? "not_a_dump" : file.fault;
        return file;
    }
    const Range header{8, 8 + static_cast<std::size_t>(length)};
    file.data_begin = header.end;
    std::vector<std::uint64_t> further;
    if (nano) {
        file.fault = read_nano(bytes, header, file) ? "" : "nano_malformed";
    } else if (length == 0) {
        file.fault = "header_empty";
    } else {
        file.fault = read_message(bytes, header, false, file, further) ? "" : "header_malformed";
    }
    if (file.fault.empty()) {
        place(file, further);
    }
    return file;
}

ExpectedContainer one_message(const Buffer& bytes) {
    ExpectedContainer file;
    file.form = "dump_data_v1";
    std::vector<std::uint64_t> unused;
    file.fault = read_message(bytes, {0, bytes.size()}, true, file, unused) ? "" : "header_malformed";
    return file;
}

}  // namespace

std::optional<std::uint64_t> number_at(const Buffer& bytes, std::size_t at, std::size_t width) {
    if (at > bytes.size() || bytes.size() - at < width) {
        return std::nullopt;
    }
    std::uint64_t value = 0;
    for (std::size_t i = width; i-- > 0;) {
        value = value << 8U | bytes[at + i];
    }
    return value;
}

ExpectedContainer expected_container(const Buffer& bytes) {
    ExpectedContainer file;
    if (bytes.size() <= 8) {
        file.fault = bytes.empty() ? "empty_file" : "file_too_short";
        return file;
    }
    if (bytes.size() > 12 && *number_at(bytes, 8, 4) == 0x5A5A5A5A) {
        return behind_length(bytes, true);
    }
    const bool v1 = bytes[0] == 0x0A && bytes[1] < 0x20 && (bytes[2] == '1' || bytes[2] == '2') && bytes[3] == '.';
    return v1 ? one_message(bytes) : behind_length(bytes, false);
}

}  // namespace opdebug::damage
