// Protobuf's wire format (protobuf's encoding specification) and the messages of DumpData.
#include "expected_header.hpp"

namespace opdebug::damage {
namespace {

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

}  // namespace

std::string text_of(const Buffer& bytes, Range range) {
    return {bytes.begin() + static_cast<std::ptrdiff_t>(range.begin),
            bytes.begin() + static_cast<std::ptrdiff_t>(range.end)};
}

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

}  // namespace opdebug::damage
