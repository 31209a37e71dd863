// Contents of a container of any format: names, shapes, locations of tensors.
#include "container/container.hpp"

#include <algorithm>
#include <limits>
#include <utility>

#include <fmt/format.h>

#include <opdebug/dump.hpp>

#include "bytes/counted.hpp"
#include "bytes/little_endian.hpp"
#include "bytes/passed_limit.hpp"
#include "container/forms.hpp"
#include "container/shape.hpp"
#include "tree/name.hpp"

namespace opdebug {
inline namespace v0 {

std::string_view to_string(Container container) noexcept {
    switch (container) {
        case Container::dump_data_v2: return "dump_data_v2";
        case Container::dump_data_v1: return "dump_data_v1";
        case Container::nano: return "nano";
    }
    return "unknown";
}

std::string_view to_string(TensorKind kind) noexcept {
    return kind == TensorKind::input ? "input" : "output";
}

}  // namespace v0
}  // namespace opdebug

namespace opdebug::container {
namespace {

constexpr std::uint64_t kLengthBytes = 8;

std::uint64_t reverse_bytes(std::uint64_t value) noexcept {
    std::uint64_t reversed = 0;
    for (int i = 0; i < 8; ++i) {
        reversed = reversed << 8U | (value >> (8U * static_cast<unsigned>(i)) & 0xFFU);
    }
    return reversed;
}

Error too_long(std::uint64_t length, std::uint64_t rest, const Limits& limits) {
    const std::uint64_t reversed = reverse_bytes(length);
    if (reversed <= rest) {
        return {
            ErrorCode::header_length_invalid,
            fmt::format("the header length is {}; as a big-endian number it would be {}, but dumps are little-endian",
                        length, reversed),
            {},
            0};
    }
    if (length <= limits.header_bytes) {
        return {ErrorCode::header_truncated,
                fmt::format("the header is truncated: its length is {}, but only {} follow{}",
                            bytes::counted(length, "byte"), rest, rest == 1 ? "s" : ""),
                {},
                kLengthBytes + rest};
    }
    return {ErrorCode::header_length_invalid,
            fmt::format("the header length is {}, but only {} follow{}: damaged, or not a dump", length,
                        bytes::counted(rest, "byte"), rest == 1 ? "s" : ""),
            {},
            0};
}

}  // namespace

bool is_overflow_node(std::string_view name) {
    return tree::equals_ignoring_case(name, "node_opdebug");
}

bool header_names_overflow_dump(const Contents& contents) {
    return is_overflow_node(contents.op_name) ||
           std::any_of(contents.outputs.begin(), contents.outputs.end(),
                       [](const Tensor& tensor) { return is_overflow_node(tensor.original_op_name); });
}

bool is_unknown(std::uint64_t dimension) noexcept {
    return dimension >= std::numeric_limits<std::uint64_t>::max() - 1;
}

std::optional<std::uint64_t> elements_of_shape(const std::vector<std::uint64_t>& dims) noexcept {
    if (std::find(dims.begin(), dims.end(), 0U) != dims.end()) {
        return 0;
    }
    std::optional<std::uint64_t> product = 1;
    for (const std::uint64_t dimension : dims) {
        if (dimension > static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max())) {
            return std::nullopt;
        }
        product = product ? bytes::checked_multiply(*product, dimension) : product;
    }
    return product;
}

std::string python_shape(const std::vector<std::uint64_t>& dims) {
    std::string text;
    for (const std::uint64_t dimension : dims) {
        text += text.empty() ? "" : ", ";
        text +=
            is_unknown(dimension) ? fmt::to_string(static_cast<std::int64_t>(dimension)) : fmt::to_string(dimension);
    }
    return fmt::format("({}{})", text, dims.size() == 1 ? "," : "");
}

Result<std::uint64_t> header_end_of(Bytes bytes, std::uint64_t file_size, const Limits& limits) {
    const std::uint64_t length = bytes::read_u64(bytes, 0).value_or(0);
    const std::uint64_t rest = file_size - kLengthBytes;
    if (length > rest) {
        return too_long(length, rest, limits);
    }
    if (length > limits.header_bytes) {
        return bytes::limit_error(ErrorCode::header_too_large, fmt::format("the header has {} bytes", length), limits,
                                  &Limits::header_bytes, 0);
    }
    if (length > bytes.size() - kLengthBytes) {
        return Error{
            ErrorCode::header_truncated,
            fmt::format("the header has {} bytes, but only {} of them were read", length, bytes.size() - kLengthBytes),
            {},
            bytes.size()};
    }
    return kLengthBytes + length;
}

void place_tensors(Contents& contents) {
    std::uint64_t position = contents.data_begin;
    contents.size_overflow.reset();
    const auto advance = [&](std::uint64_t size) {
        const auto next = bytes::checked_add(position, size);
        if (!next && !contents.size_overflow) {
            contents.size_overflow = Error{ErrorCode::size_overflow,
                                           fmt::format("the header is damaged: it declares {} bytes after {} bytes of "
                                                       "other tensors, more than 2^64 in total",
                                                       size, position - contents.data_begin),
                                           {},
                                           {}};
        }
        position = next.value_or(std::numeric_limits<std::uint64_t>::max());
    };
    for (std::vector<Tensor>* tensors : {&contents.inputs, &contents.outputs}) {
        for (Tensor& tensor : *tensors) {
            tensor.offset = position;
            advance(tensor.skipped ? 0 : tensor.size);
        }
    }
    for (const std::uint64_t size : contents.further_sizes) {
        advance(size);
    }
    contents.end = position;
}

void mark_skipped_tensors(Contents& contents, std::uint64_t file_size) {
    if (contents.end <= file_size) {
        return;
    }
    const auto has_address = [](const Tensor& tensor) { return tensor.has_address; };
    if (std::none_of(contents.inputs.begin(), contents.inputs.end(), has_address) &&
        std::none_of(contents.outputs.begin(), contents.outputs.end(), has_address)) {
        return;
    }
    Contents without = contents;
    for (std::vector<Tensor>* tensors : {&without.inputs, &without.outputs}) {
        for (Tensor& tensor : *tensors) {
            tensor.skipped = !tensor.has_address && tensor.size != 0;
        }
    }
    place_tensors(without);
    if (without.end <= file_size) {
        contents = std::move(without);
    }
}

}  // namespace opdebug::container
