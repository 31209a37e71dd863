// Protobuf's wire format (protobuf's encoding specification) and the messages of DumpData.
#include <algorithm>

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

/// OpOutput or OpInput: data, size and address have other numbers. `v1`: the bytes are in the field "data".
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
        } else if (field.type == 0 && field.number == size) {
            tensor.declared = field.value;
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
    if (!has_data) {
        tensor.size = tensor.declared;
        tensor.offset = v1 ? bytes.size() : 0;  // of version 1 its bytes are nowhere
    }
    return true;
}

/// Sizes that are after the outputs: of buffers and of workspaces.
struct FurtherSizes {
    std::vector<std::uint64_t> buffers, spaces;
};

/// One field of DumpData; false when it is damaged inside.
bool read_top_field(const Buffer& bytes, const WireField& field, bool v1, ExpectedContainer& file,
                    FurtherSizes& further) {
    if (field.type == 0 && field.number == 2) {
        file.time = field.value;
    } else if (field.type == 2 && (field.number == 3 || field.number == 4)) {
        ExpectedTensor tensor;
        if (!read_tensor(bytes, field.content, field.number == 3, v1, tensor)) {
            return false;
        }
        (field.number == 3 ? file.outputs : file.inputs).push_back(tensor);
    } else if (field.type == 2 && (field.number == 5 || field.number == 8)) {
        const auto region = fields_of(bytes, field.content);
        if (!region) {
            return false;
        }
        std::uint64_t size = 0;
        for (const WireField& part : *region) {
            size = part.number == 3 && part.type == 0 ? part.value : size;
        }
        (field.number == 5 ? further.buffers : further.spaces).push_back(size);
    } else if (field.type == 2 && field.number == 6) {
        file.op_name = text_of(bytes, field.content);
    }
    return true;
}

/// Version 1: the bytes of an output are in what was read.
bool has_whole_output(const Buffer& bytes, const ExpectedContainer& file) {
    return std::any_of(file.outputs.begin(), file.outputs.end(),
                       [&](const ExpectedTensor& output) { return output.offset < bytes.size(); });
}

}  // namespace

bool is_message(const Buffer& bytes, Range range) {
    return fields_of(bytes, range).has_value();
}

std::optional<Range> early_field(const Buffer& bytes, Range message, std::uint64_t number) {
    for (unsigned i = 0; i < 8 && message.size() != 0; ++i) {
        const auto field = take_field(bytes, message);
        if (!field) {
            return std::nullopt;
        }
        if (field->number == number && field->type == 2) {
            return field->content;
        }
    }
    return std::nullopt;
}

std::string text_of(const Buffer& bytes, Range range) {
    return {bytes.begin() + static_cast<std::ptrdiff_t>(range.begin),
            bytes.begin() + static_cast<std::ptrdiff_t>(range.end)};
}

/// RFC 3629, "Syntax of UTF-8 Byte Sequences".
bool is_utf8(const std::string& text) {
    struct Sequence {
        unsigned first, first_end, second, second_end;
        std::size_t size;
    };
    constexpr Sequence sequences[] = {
        {0x00, 0x7F, 0, 0, 1},       {0xC2, 0xDF, 0x80, 0xBF, 2}, {0xE0, 0xE0, 0xA0, 0xBF, 3},
        {0xE1, 0xEC, 0x80, 0xBF, 3}, {0xED, 0xED, 0x80, 0x9F, 3}, {0xEE, 0xEF, 0x80, 0xBF, 3},
        {0xF0, 0xF0, 0x90, 0xBF, 4}, {0xF1, 0xF3, 0x80, 0xBF, 4}, {0xF4, 0xF4, 0x80, 0x8F, 4}};
    const auto byte = [&](std::size_t at) { return at < text.size() ? static_cast<unsigned char>(text[at]) : 0U; };
    const auto is_in = [](unsigned value, unsigned first, unsigned last) { return value >= first && value <= last; };
    for (std::size_t at = 0; at < text.size();) {
        std::size_t size = 0;
        for (const Sequence& item : sequences) {
            const bool fits = is_in(byte(at), item.first, item.first_end) &&
                              (item.size < 2 || is_in(byte(at + 1), item.second, item.second_end)) &&
                              (item.size < 3 || is_in(byte(at + 2), 0x80, 0xBF)) &&
                              (item.size < 4 || is_in(byte(at + 3), 0x80, 0xBF));
            size = fits ? item.size : size;
        }
        if (size == 0) {
            return false;
        }
        at += size;
    }
    return true;
}

bool read_message(const Buffer& bytes, Range message, bool v1, ExpectedContainer& file,
                  std::vector<std::uint64_t>& sizes) {
    FurtherSizes further;
    Range rest = message;
    while (rest.size() != 0) {
        file.end = rest.begin;
        const bool may_end = v1 && has_whole_output(bytes, file);
        const auto field = take_field(bytes, rest);
        if (may_end && field && field->number == 1) {
            return true;
        }
        if (!field || !read_top_field(bytes, *field, v1, file, further)) {
            file.ends_in_damage = may_end;
            return may_end;
        }
    }
    file.end = message.end;
    sizes = further.buffers;
    sizes.insert(sizes.end(), further.spaces.begin(), further.spaces.end());
    return true;
}

}  // namespace opdebug::damage
