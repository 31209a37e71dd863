#include "expected_container.hpp"

#include <algorithm>
#include <limits>

namespace opdebug::damage {
namespace {

/// Part of the bytes: where it begins, and the first byte behind it.
struct Range {
    std::size_t begin;
    std::size_t end;
    std::size_t size() const { return end - begin; }
};

// ---- protobuf wire format (protobuf's encoding specification) -------------------------------------------------------

struct WireField {
    std::uint64_t number;
    std::uint64_t type;
    std::uint64_t value;  ///< of a varint
    Range content;        ///< of a length-delimited field
};

std::optional<std::uint64_t> take_varint(const Buffer& bytes, Range& rest) {
    std::uint64_t value = 0;
    for (unsigned i = 0; i < 10; ++i) {
        if (rest.begin == rest.end) {
            return std::nullopt;
        }
        const std::uint64_t byte = bytes[rest.begin++];
        value |= (byte & 0x7FU) << (7 * i);
        if (byte < 0x80) {
            return value;
        }
    }
    return std::nullopt;
}

std::optional<WireField> take_field(const Buffer& bytes, Range& rest) {
    const auto tag = take_varint(bytes, rest);
    if (!tag || *tag >> 3U == 0 || *tag >> 3U > 0x1FFFFFFF) {
        return std::nullopt;
    }
    WireField field{*tag >> 3U, *tag & 7U, 0, {0, 0}};
    std::size_t skipped = 0;
    if (field.type == 0 || field.type == 2) {
        const auto number = take_varint(bytes, rest);
        if (!number) {
            return std::nullopt;
        }
        field.value = *number;
        if (field.type == 2) {
            if (*number > rest.size()) {
                return std::nullopt;
            }
            skipped = static_cast<std::size_t>(*number);
            field.content = {rest.begin, rest.begin + skipped};
        }
    } else if (field.type == 1 || field.type == 5) {
        skipped = field.type == 1 ? 8 : 4;
    } else {
        return std::nullopt;
    }
    if (skipped > rest.size()) {
        return std::nullopt;
    }
    rest.begin += skipped;
    return field;
}

std::optional<std::vector<WireField>> fields_of(const Buffer& bytes, Range message) {
    std::vector<WireField> fields;
    while (message.size() != 0) {
        const auto field = take_field(bytes, message);
        if (!field) {
            return std::nullopt;
        }
        fields.push_back(*field);
    }
    return fields;
}

std::string text_of(const Buffer& bytes, Range range) {
    return {bytes.begin() + static_cast<std::ptrdiff_t>(range.begin),
            bytes.begin() + static_cast<std::ptrdiff_t>(range.end)};
}

// ---- the messages of DumpData ---------------------------------------------------------------------------------------

bool read_shape(const Buffer& bytes, Range message, std::vector<std::uint64_t>& dims) {
    const auto fields = fields_of(bytes, message);
    if (!fields) {
        return false;
    }
    for (const WireField& field : *fields) {
        if (field.number == 1 && field.type == 0) {
            dims.push_back(field.value);
        } else if (field.number == 1 && field.type == 2) {
            Range rest = field.content;
            while (rest.size() != 0) {
                const auto dim = take_varint(bytes, rest);
                if (!dim) {
                    return false;
                }
                dims.push_back(*dim);
            }
        }
    }
    return true;
}

/// OpOutput or OpInput: data, size and address have other numbers. `v1`: the bytes stand in the field "data".
bool read_tensor(const Buffer& bytes, Range message, bool is_output, bool v1, ExpectedTensor& tensor) {
    const std::uint64_t data = is_output ? 5 : 4, size = is_output ? 6 : 5, address = is_output ? 9 : 8;
    const auto fields = fields_of(bytes, message);
    if (!fields) {
        return false;
    }
    bool has_data = false;
    for (const WireField& field : *fields) {
        if (field.type == 0 && field.number == 1) {
            tensor.data_type = field.value;
        } else if (field.type == 0 && field.number == size && !has_data) {
            tensor.size = field.value;
        } else if (field.type == 0 && field.number == address) {
            tensor.has_address = field.value != 0;
        } else if (field.type == 2 && field.number == 3) {
            if (!read_shape(bytes, field.content, tensor.dims)) {
                return false;
            }
        } else if (field.type == 2 && field.number == 4 && is_output) {
            const auto op = fields_of(bytes, field.content);
            if (!op) {
                return false;
            }
            for (const WireField& part : *op) {
                if (part.number == 1 && part.type == 2) {
                    tensor.original_op = text_of(bytes, part.content);
                }
            }
        } else if (field.type == 2 && field.number == data && v1) {
            has_data = true;
            tensor.offset = field.content.begin;
            tensor.size = field.content.size();
        }
    }
    if (v1 && !has_data) {
        tensor.offset = bytes.size();  // its bytes are nowhere
    }
    return true;
}

/// Reads the message; false when it is none. Sizes of buffers and workspaces go to `further`.
bool read_message(const Buffer& bytes, Range message, bool v1, ExpectedContainer& file,
                  std::vector<std::uint64_t>& further) {
    const auto fields = fields_of(bytes, message);
    if (!fields) {
        return false;
    }
    std::vector<std::uint64_t> spaces;
    for (const WireField& field : *fields) {
        if (field.type == 0 && field.number == 2) {
            file.time = field.value;
        } else if (field.type == 2 && (field.number == 3 || field.number == 4)) {
            auto& tensors = field.number == 3 ? file.outputs : file.inputs;
            tensors.emplace_back();
            if (!read_tensor(bytes, field.content, field.number == 3, v1, tensors.back())) {
                return false;
            }
        } else if (field.type == 2 && (field.number == 5 || field.number == 8)) {
            const auto region = fields_of(bytes, field.content);
            if (!region) {
                return false;
            }
            std::uint64_t size = 0;
            for (const WireField& part : *region) {
                size = part.number == 3 && part.type == 0 ? part.value : size;
            }
            (field.number == 5 ? further : spaces).push_back(size);
        } else if (field.type == 2 && field.number == 6) {
            file.op_name = text_of(bytes, field.content);
        }
    }
    further.insert(further.end(), spaces.begin(), spaces.end());
    return true;
}

// ---- nano -----------------------------------------------------------------------------------------------------------

/// The nested TLVs of one tensor: 0 shape, 2 name of the original operator.
bool read_nested(const Buffer& bytes, Range list, ExpectedTensor& tensor) {
    while (list.size() != 0) {
        if (list.size() < 8) {
            return false;
        }
        const std::uint64_t tag = *number_at(bytes, list.begin, 4);
        const std::uint64_t length = *number_at(bytes, list.begin + 4, 4);
        list.begin += 8;
        if (length > list.size()) {
            return false;
        }
        const Range value{list.begin, list.begin + static_cast<std::size_t>(length)};
        for (std::size_t at = value.begin; tag == 0 && at + 8 <= value.end; at += 8) {
            tensor.dims.push_back(*number_at(bytes, at, 8));
        }
        if (tag == 2) {
            tensor.original_op = text_of(bytes, value);
        }
        list.begin = value.end;
    }
    return true;
}

bool read_nano_tensors(const Buffer& bytes, Range value, bool is_output, std::vector<ExpectedTensor>& tensors) {
    const std::size_t address = is_output ? 24 : 12, size = is_output ? 40 : 28, length = is_output ? 48 : 36;
    if (value.size() < 4) {
        return false;
    }
    const std::uint64_t count = *number_at(bytes, value.begin, 4);
    value.begin += 4;
    for (std::uint64_t i = 0; i < count; ++i) {
        if (value.size() < length + 4) {
            return false;
        }
        ExpectedTensor tensor;
        tensor.data_type = *number_at(bytes, value.begin, 4);
        tensor.has_address = *number_at(bytes, value.begin + address, 8) != 0;
        tensor.size = *number_at(bytes, value.begin + size, 8);
        const std::uint64_t nested = *number_at(bytes, value.begin + length, 4);
        value.begin += length + 4;
        if (nested > value.size()) {
            return false;
        }
        if (!read_nested(bytes, {value.begin, value.begin + static_cast<std::size_t>(nested)}, tensor)) {
            return false;
        }
        value.begin += static_cast<std::size_t>(nested);
        tensors.push_back(tensor);
    }
    return true;
}

bool read_nano(const Buffer& bytes, Range head, ExpectedContainer& file) {
    if (head.size() < 8) {
        return false;
    }
    head.begin += 8;  // magic and version
    while (head.size() != 0) {
        if (head.size() < 8) {
            return false;
        }
        const std::uint64_t tag = *number_at(bytes, head.begin, 4);
        const std::uint64_t length = *number_at(bytes, head.begin + 4, 4);
        head.begin += 8;
        if (length > head.size()) {
            return false;
        }
        const Range value{head.begin, head.begin + static_cast<std::size_t>(length)};
        if ((tag == 4 && !read_nano_tensors(bytes, value, false, file.inputs)) ||
            (tag == 5 && !read_nano_tensors(bytes, value, true, file.outputs))) {
            return false;
        }
        head.begin = value.end;
    }
    return true;
}

// ---- the container ----------------------------------------------------------------------------------------------

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
    return std::all_of(bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(std::min<std::size_t>(bytes.size(), 64)),
                       [](std::uint8_t byte) {
                           return (byte >= 0x20 && byte != 0x7F) || byte == '\t' || byte == '\n' || byte == '\r';
                       });
}

/// Inputs, outputs, buffers, workspaces stand one behind the other.
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
    file.end = bytes.size();
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
