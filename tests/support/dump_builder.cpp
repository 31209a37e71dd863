// Dump files of every container form.
#include "dump_builder.hpp"

#include <utility>

namespace opdebug::test {
namespace {

// The numbers of the same thing differ between OpInput and OpOutput.
struct TensorNumbers {
    unsigned data;
    unsigned size;
    unsigned original_shape;
    unsigned address;
};
constexpr TensorNumbers output_numbers{5, 6, 7, 9};
constexpr TensorNumbers input_numbers{4, 5, 6, 8};

// proto3 leaves zero scalars out.
void put_scalar(Buffer& to, unsigned number, std::uint64_t value) {
    if (value != 0) {
        put_varint_field(to, number, value);
    }
}

Buffer shape_message(const Tensor& tensor) {
    Buffer shape;
    if (tensor.packed_dims) {
        Buffer packed;
        for (const std::uint64_t dim : tensor.dims) {
            put_varint(packed, dim);
        }
        put_bytes_field(shape, 1, packed);
    } else {
        for (const std::uint64_t dim : tensor.dims) {
            put_varint_field(shape, 1, dim);
        }
    }
    return shape;
}

Buffer original_op_message(const Tensor& tensor) {
    Buffer op;
    put_text_field(op, 1, *tensor.original_op);
    put_scalar(op, 3, tensor.data_type);
    put_scalar(op, 4, tensor.format);
    return op;
}

Buffer tensor_message(const Tensor& tensor, const TensorNumbers& numbers, bool with_data) {
    Buffer message;
    put_scalar(message, 1, tensor.data_type);
    put_scalar(message, 2, tensor.format);
    if (!tensor.dims.empty()) {
        put_bytes_field(message, 3, shape_message(tensor));
    }
    if (tensor.original_op) {
        put_bytes_field(message, 4, original_op_message(tensor));
    }
    if (with_data) {
        put_bytes_field(message, numbers.data, tensor.data);
    }
    put_scalar(message, numbers.size, tensor.size.value_or(0));
    if (tensor.empty_original_shape) {
        put_bytes_field(message, numbers.original_shape, {});
    }
    put_scalar(message, numbers.address, tensor.address.value_or(0));
    return message;
}

Buffer region_message(const Region& region, bool with_data) {
    Buffer message;
    put_scalar(message, 1, region.kind);
    if (with_data) {
        put_bytes_field(message, 2, region.data);
    }
    put_scalar(message, 3, region.size.value_or(0));
    return message;
}

Buffer dump_data_message(const DumpFile& dump, bool with_data) {
    Buffer message;
    put_text_field(message, 1, dump.version);
    put_scalar(message, 2, dump.dump_time);
    for (const Tensor& output : dump.outputs) {
        put_bytes_field(message, 3, tensor_message(output, output_numbers, with_data));
    }
    for (const Tensor& input : dump.inputs) {
        put_bytes_field(message, 4, tensor_message(input, input_numbers, with_data));
    }
    for (const Region& buffer : dump.buffers) {
        put_bytes_field(message, 5, region_message(buffer, with_data));
    }
    if (dump.op_name) {
        put_text_field(message, 6, *dump.op_name);
    }
    for (const Region& space : dump.spaces) {
        put_bytes_field(message, 8, region_message(space, with_data));
    }
    append(message, dump.extra_fields);
    return message;
}

// Shape TLVs and, for outputs, the original op's name.
Buffer nano_tensor_tlvs(const Tensor& tensor) {
    Buffer tlvs;
    put_u32(tlvs, 0);
    put_u32(tlvs, tensor.dims.size() * 8);
    for (const std::uint64_t dim : tensor.dims) {
        put_u64(tlvs, dim);
    }
    if (tensor.original_op) {
        put_u32(tlvs, 2);
        put_u32(tlvs, tensor.original_op->size());
        append(tlvs, bytes_of(*tensor.original_op));
    }
    return tlvs;
}

Buffer nano_tensor(const Tensor& tensor, bool is_output) {
    Buffer out;
    put_u32(out, tensor.data_type);
    put_u32(out, tensor.format);
    put_u32(out, 0);  // addr_type
    if (is_output) {
        put_u32(out, 0);  // original_index
        put_u32(out, tensor.data_type);
        put_u32(out, tensor.format);
    }
    put_u64(out, tensor.address.value_or(0));
    put_u64(out, 0);  // offset
    put_u64(out, tensor.size.value_or(0));
    const Buffer tlvs = nano_tensor_tlvs(tensor);
    put_u32(out, tlvs.size());
    append(out, tlvs);
    return out;
}

void put_nano_tlv(Buffer& to, std::uint32_t tag, const std::vector<Tensor>& tensors, bool is_output) {
    Buffer value;
    put_u32(value, tensors.size());
    for (const Tensor& tensor : tensors) {
        append(value, nano_tensor(tensor, is_output));
    }
    put_u32(to, tag);
    put_u32(to, value.size());
    append(to, value);
}

}  // namespace

Tensor tensor(Buffer data) {
    Tensor result;
    result.dims = {data.size()};
    result.size = data.size();
    result.data = std::move(data);
    return result;
}

Buffer header_message(const DumpFile& dump) {
    return dump_data_message(dump, false);
}

Buffer build_v2(const DumpFile& dump) {
    const Buffer header = header_message(dump);
    Buffer file;
    put_u64(file, header.size());
    append(file, header);
    for (const Tensor& input : dump.inputs) {
        append(file, input.data);
    }
    for (const Tensor& output : dump.outputs) {
        append(file, output.data);
    }
    for (const Region& buffer : dump.buffers) {
        append(file, buffer.data);
    }
    for (const Region& space : dump.spaces) {
        append(file, space.data);
    }
    return file;
}

Buffer build_v1(const DumpFile& dump) {
    return dump_data_message(dump, true);
}

Buffer build_nano(const DumpFile& dump) {
    Buffer head;
    put_u32(head, 0x5A5A5A5A);
    put_u32(head, 0);  // version_id
    put_nano_tlv(head, 4, dump.inputs, false);
    put_nano_tlv(head, 5, dump.outputs, true);
    Buffer file;
    put_u64(file, head.size());
    append(file, head);
    for (const Tensor& input : dump.inputs) {
        append(file, input.data);
    }
    for (const Tensor& output : dump.outputs) {
        append(file, output.data);
    }
    return file;
}

DumpFile overflow_dump(Buffer payload, Era era) {
    Tensor output = tensor(std::move(payload));
    output.original_op = "Node_OpDebug";
    DumpFile dump;
    if (era != Era::y2020) {
        output.empty_original_shape = true;
        dump.op_name = "Node_OpDebug";
    }
    if (era == Era::now) {
        output.address = 0x124040100000;
    }
    dump.outputs.push_back(std::move(output));
    return dump;
}

Buffer build_overflow_dump(const LegacyPayload& payload, Era era) {
    return build_v2(overflow_dump(build_payload(payload), era));
}

Buffer build_overflow_dump(const AcceleratorPayload& payload, Era era) {
    return build_v2(overflow_dump(build_payload(payload), era));
}

Buffer cut(Buffer bytes, std::size_t missing) {
    bytes.resize(bytes.size() - missing);
    return bytes;
}

}  // namespace opdebug::test
