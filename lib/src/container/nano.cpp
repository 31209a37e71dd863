#include "container/forms.hpp"

#include <fmt/format.h>

#include "bytes/counted.hpp"
#include "bytes/little_endian.hpp"

namespace opdebug::container {
namespace {

constexpr std::uint32_t kMagic = 0x5A5A5A5A;
constexpr std::uint64_t kMagicOffset = 8;
constexpr std::uint64_t kFirstTlvOffset = 16;  // after head length (8), magic (4) and version id (4)
constexpr std::uint32_t kInputsTag = 4, kOutputsTag = 5;
constexpr std::uint32_t kShapeTag = 0, kOriginalOpNameTag = 2;

/// Offsets in the fixed block of a tensor. Inputs and outputs differ.
struct TensorLayout {
    std::uint64_t address;
    std::uint64_t size;
    std::uint64_t tlv_length;
    std::uint64_t end;
};
// i32 dtype, i32 format, i32 addr_type, [i32 original_index, i32 original_dtype, i32 original_format,]
// u64 addr, u64 offset, u64 size, u32 tlv_list_len
constexpr TensorLayout kInputLayout{12, 28, 36, 40};
constexpr TensorLayout kOutputLayout{24, 40, 48, 52};

struct Tlv {
    std::uint32_t tag = 0;
    Bytes value;
    std::uint64_t value_offset = 0;
};

Error malformed_nano(std::uint64_t offset, std::string message) {
    return {ErrorCode::nano_malformed, "the nano header is damaged: " + std::move(message), {}, offset};
}

/// Reads the TLV at `position` of `list` and moves `position` after it.
Result<Tlv> read_tlv(Bytes list, std::uint64_t list_offset, std::size_t& position) {
    const auto tag = bytes::read_u32(list, position);
    const auto length = bytes::read_u32(list, position + 4);
    if (!tag || !length) {
        return malformed_nano(list_offset + position, "truncated: fewer than 8 bytes are left for a tag and a length");
    }
    const std::size_t begin = position + 8;
    if (*length > list.size() - begin) {
        return malformed_nano(list_offset + position,
                              fmt::format("tag {} declares {}, only {} {} left", *tag, bytes::counted(*length, "byte"),
                                          list.size() - begin, bytes::is_or_are(list.size() - begin)));
    }
    position = begin + *length;
    return Tlv{*tag, list.slice(begin, *length), list_offset + begin};
}

std::optional<Error> read_tensor_tlvs(Bytes list, std::uint64_t list_offset, const Limits& limits, Tensor& tensor) {
    std::size_t position = 0;
    while (position < list.size()) {
        const Result<Tlv> tlv = read_tlv(list, list_offset, position);
        if (!tlv) {
            return tlv.error();
        }
        if (tlv->tag == kShapeTag) {
            if (tensor.dims.size() + tlv->value.size() / 8 > limits.dimensions) {
                return too_many_dimensions(limits, tlv->value_offset);
            }
            for (std::size_t i = 0; i + 8 <= tlv->value.size(); i += 8) {
                tensor.dims.push_back(*bytes::read_u64(tlv->value, i));
            }
        } else if (tlv->tag == kOriginalOpNameTag) {
            if (tlv->value.size() > limits.name_bytes) {
                return name_too_long(tlv->value.size(), limits, tlv->value_offset);
            }
            tensor.original_op_name = tlv->value.text();
        }
    }
    return std::nullopt;
}

std::optional<Error> read_tensors(const Tlv& tlv, TensorKind kind, const Limits& limits, std::vector<Tensor>& tensors) {
    const TensorLayout& layout = kind == TensorKind::input ? kInputLayout : kOutputLayout;
    const auto count = bytes::read_u32(tlv.value, 0);
    if (!count) {
        return malformed_nano(tlv.value_offset, "the number of tensors (4 bytes) is missing");
    }
    std::uint64_t position = 4;
    for (std::uint32_t i = 0; i < *count; ++i) {
        if (tensors.size() >= limits.tensors) {
            return too_many_tensors(kind == TensorKind::input ? "inputs" : "outputs", limits,
                                    tlv.value_offset + position);
        }
        const auto size = bytes::read_u64(tlv.value, position + layout.size);
        const auto tlv_length = bytes::read_u32(tlv.value, position + layout.tlv_length);
        if (!size || !tlv_length || *tlv_length > tlv.value.size() - (position + layout.end)) {
            return malformed_nano(tlv.value_offset + position,
                                  fmt::format("tensor {} of {} is truncated", i + 1, *count));
        }
        Tensor tensor;
        tensor.kind = kind;
        tensor.index = tensors.size();
        tensor.data_type = *bytes::read_u32(tlv.value, position);
        tensor.format = *bytes::read_u32(tlv.value, position + 4);
        tensor.size = *size;
        tensor.declared_size = *size;
        tensor.has_address = bytes::read_u64(tlv.value, position + layout.address).value_or(0) != 0;
        const Bytes list = tlv.value.slice(static_cast<std::size_t>(position + layout.end), *tlv_length);
        if (auto error = read_tensor_tlvs(list, tlv.value_offset + position + layout.end, limits, tensor)) {
            return error;
        }
        tensors.push_back(std::move(tensor));
        position += layout.end + *tlv_length;
    }
    return std::nullopt;
}

}  // namespace

bool is_nano(Bytes bytes, std::uint64_t file_size) noexcept {
    return file_size > 12 && bytes::read_u32(bytes, kMagicOffset) == kMagic;
}

Result<Contents> read_nano(Bytes bytes, std::uint64_t file_size, const Limits& limits) {
    Contents contents;
    contents.form = Container::nano;
    const Result<std::uint64_t> header_end = header_end_of(bytes, file_size, limits);
    if (!header_end) {
        return header_end.error();
    }
    contents.data_begin = *header_end;
    if (contents.data_begin < kFirstTlvOffset) {
        return malformed_nano(0, fmt::format("it declares {}, too few for magic and version",
                                             bytes::counted(contents.data_begin - 8, "byte")));
    }
    const Bytes head = bytes.slice(kFirstTlvOffset, static_cast<std::size_t>(contents.data_begin - kFirstTlvOffset));
    std::size_t position = 0;
    while (position < head.size()) {
        const Result<Tlv> tlv = read_tlv(head, kFirstTlvOffset, position);
        if (!tlv) {
            return tlv.error();
        }
        std::optional<Error> error;
        if (tlv->tag == kInputsTag) {
            error = read_tensors(*tlv, TensorKind::input, limits, contents.inputs);
        } else if (tlv->tag == kOutputsTag) {
            error = read_tensors(*tlv, TensorKind::output, limits, contents.outputs);
        }
        if (error) {
            return *error;
        }
    }
    place_tensors(contents);
    return contents;
}

}  // namespace opdebug::container
