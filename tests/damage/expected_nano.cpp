#include "expected_header.hpp"

namespace opdebug::damage {
namespace {

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
        tensor.declared = tensor.size;
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

}  // namespace

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

}  // namespace opdebug::damage
