#include "container/forms.hpp"

#include <algorithm>
#include <utility>

#include "container/message.hpp"

namespace opdebug::container {
namespace {

using Kind = MessageField::Kind;

/// Field numbers of OpInput and OpOutput for the same members.
struct TensorFieldNumbers {
    std::uint32_t original_op;  ///< 0: no such field
    std::uint32_t data;
    std::uint32_t size;
    std::uint32_t address;
};
constexpr TensorFieldNumbers kInputNumbers{0, 4, 5, 8};
constexpr TensorFieldNumbers kOutputNumbers{4, 5, 6, 9};
constexpr std::uint32_t kDataType = 1, kFormat = 2, kShape = 3;
constexpr std::uint32_t kVersion = 1;  // of DumpData

/// Adds a dimension. Returns false if there are too many.
bool add_dimension(std::uint64_t dimension, const Limits& limits, std::vector<std::uint64_t>& dims) {
    if (dims.size() >= limits.dimensions) {
        return false;
    }
    dims.push_back(dimension);
    return true;
}

/// Shape { repeated uint64 dim = 1 }: `packed` by every known writer, unpacked is equally valid protobuf.
std::optional<Error> read_shape(const MessageField& shape, const Limits& limits, std::vector<std::uint64_t>& dims) {
    MessageReader reader(shape.content, shape.content_offset);
    bool fits = true;
    while (const auto field = reader.next()) {
        if (field->number == 1 && field->kind == Kind::varint) {
            fits = add_dimension(field->value, limits, dims);
        } else if (field->number == 1 && field->kind == Kind::length_delimited) {
            // Each dimension has at least one byte, and few have more. Known writers write one `packed` run. Reserving
            // for each of many runs would move all dimensions each time.
            if (dims.empty()) {
                dims.reserve(
                    static_cast<std::size_t>(std::min<std::uint64_t>(field->content.size(), limits.dimensions)));
            }
            PackedNumbers numbers(field->content, field->content_offset);
            for (auto number = numbers.next(); number && fits; number = numbers.next()) {
                fits = add_dimension(*number, limits, dims);
            }
            if (numbers.error()) {
                return numbers.error();
            }
        }
        if (!fits) {
            return too_many_dimensions(limits, shape.offset);
        }
    }
    return reader.error();
}

std::optional<Error> read_name(const MessageField& field, const Limits& limits, std::string& name) {
    if (field.content.size() > limits.name_bytes) {
        return name_too_long(field.content.size(), limits, field.offset);
    }
    name = field.content.text();
    return std::nullopt;
}

std::optional<Error> read_original_op(const MessageField& original_op, const Limits& limits, std::string& name) {
    MessageReader reader(original_op.content, original_op.content_offset);
    while (const auto field = reader.next()) {
        if (field->number == 1 && field->kind == Kind::length_delimited) {
            if (auto error = read_name(*field, limits, name)) {
                return error;
            }
        }
    }
    return reader.error();
}

/// Parameters for parsing a message.
struct Reading {
    Container form;
    std::uint64_t end;  ///< end of the message in the file
    const Limits& limits;
};

/// `has_data`, v1 only: the message contains the bytes of the tensor.
std::optional<Error> read_tensor(const MessageField& message, const TensorFieldNumbers& numbers, const Reading& reading,
                                 Tensor& tensor, bool& has_data) {
    tensor.offset = reading.end;
    MessageReader reader(message.content, message.content_offset);
    while (const auto field = reader.next()) {
        std::optional<Error> error;
        if (field->kind == Kind::varint && field->number == kDataType) {
            tensor.data_type = field->value;
        } else if (field->kind == Kind::varint && field->number == kFormat) {
            tensor.format = field->value;
        } else if (field->kind == Kind::length_delimited && field->number == kShape) {
            error = read_shape(*field, reading.limits, tensor.dims);
        } else if (field->kind == Kind::length_delimited && field->number == numbers.original_op) {
            error = read_original_op(*field, reading.limits, tensor.original_op_name);
        } else if (field->kind == Kind::length_delimited && field->number == numbers.data &&
                   reading.form == Container::dump_data_v1) {
            has_data = true;
            tensor.offset = field->content_offset;
            tensor.size = field->content.size();
        } else if (field->kind == Kind::varint && field->number == numbers.size) {
            tensor.declared_size = field->value;
        } else if (field->kind == Kind::varint && field->number == numbers.address) {
            tensor.has_address = field->value != 0;
        }
        if (error) {
            return error;
        }
    }
    if (!has_data) {
        tensor.size = tensor.declared_size;
    }
    return reader.error();
}

/// OpBuffer and Workspace: field 3 is the size (proto3: absent means 0).
std::optional<Error> read_size(const MessageField& message, const char* what, const Limits& limits,
                               std::vector<std::uint64_t>& sizes) {
    if (sizes.size() >= limits.tensors) {
        return too_many_tensors(what, limits, message.offset);
    }
    std::uint64_t size = 0;
    MessageReader reader(message.content, message.content_offset);
    while (const auto field = reader.next()) {
        if (field->number == 3 && field->kind == Kind::varint) {
            size = field->value;
        }
    }
    sizes.push_back(size);
    return reader.error();
}

/// Returns whether the message contains the bytes of the tensor.
Result<bool> add_tensor(const MessageField& message, TensorKind kind, const Reading& reading,
                        std::vector<Tensor>& tensors) {
    if (tensors.size() >= reading.limits.tensors) {
        return too_many_tensors(kind == TensorKind::input ? "inputs" : "outputs", reading.limits, message.offset);
    }
    Tensor tensor;
    bool has_data = false;
    tensor.kind = kind;
    tensor.index = tensors.size();
    if (auto error = read_tensor(message, kind == TensorKind::input ? kInputNumbers : kOutputNumbers, reading, tensor,
                                 has_data)) {
        return *std::move(error);
    }
    tensors.push_back(std::move(tensor));
    return has_data;
}

std::optional<Error> add_output(const MessageField& field, const Reading& reading, DumpDataMessage& message) {
    const Result<bool> has_data = add_tensor(field, TensorKind::output, reading, message.outputs);
    message.holds_output = message.holds_output || (has_data && *has_data);
    return has_data ? std::nullopt : std::optional(has_data.error());
}

std::optional<Error> add_input(const MessageField& field, const Reading& reading, DumpDataMessage& message) {
    const Result<bool> has_data = add_tensor(field, TensorKind::input, reading, message.inputs);
    return has_data ? std::nullopt : std::optional(has_data.error());
}

std::optional<Error> read_field(const MessageField& field, const Reading& reading, DumpDataMessage& message) {
    if (field.kind == Kind::varint) {
        if (field.number == 2) {
            message.dump_time_us = field.value;
        }
        return std::nullopt;
    }
    if (field.kind != Kind::length_delimited) {
        return std::nullopt;
    }
    switch (field.number) {
        case kVersion: return read_name(field, reading.limits, message.version);
        case 3: return add_output(field, reading, message);
        case 4: return add_input(field, reading, message);
        case 5: return read_size(field, "buffers", reading.limits, message.buffer_sizes);
        case 6: return read_name(field, reading.limits, message.op_name);
        case 8: return read_size(field, "workspaces", reading.limits, message.space_sizes);
        default: return std::nullopt;
    }
}

}  // namespace

Result<DumpDataMessage> read_dump_data(Bytes bytes, std::uint64_t file_offset, Container form, const Limits& limits) {
    const Reading reading{form, file_offset + bytes.size(), limits};
    DumpDataMessage message;
    MessageReader reader(bytes, file_offset);
    std::optional<Error> fault;
    while (!fault) {
        message.end = reader.offset();
        const auto field = reader.next();
        if (!field || (field->number == kVersion && message.holds_output)) {
            fault = reader.error();
            break;
        }
        fault = read_field(*field, reading, message);
    }
    if (fault && !(message.holds_output && fault->code == ErrorCode::header_malformed)) {
        return *fault;
    }
    message.rest_fault = fault;
    return message;
}

}  // namespace opdebug::container
