#include "tensor/extent.hpp"

#include <algorithm>
#include <limits>
#include <optional>

#include <fmt/format.h>

#include "bytes/counted.hpp"
#include "bytes/little_endian.hpp"
#include "container/shape.hpp"

namespace opdebug::tensor_stage {
namespace {

/// A tensor without dimensions is a scalar, or nothing when it has no bytes.
std::optional<std::uint64_t> elements_by_shape(const container::Tensor& tensor) {
    return tensor.dims.empty() && tensor.size == 0 ? 0 : container::elements_of_shape(tensor.dims);
}

std::uint64_t elements_in(std::uint64_t bytes, unsigned bits_apart) noexcept {
    if (bits_apart >= 8) {
        return bytes / (bits_apart / 8);
    }
    const std::uint64_t rest = bytes % bits_apart * 8 / bits_apart;
    return bytes::checked_multiply(bytes / bits_apart, 8).value_or(std::numeric_limits<std::uint64_t>::max() - rest) +
           rest;
}

void tell_shape_and_size(const container::Tensor& tensor, std::uint64_t by_shape, std::uint64_t by_size,
                         Extent& extent) {
    if (by_shape > by_size) {
        extent.diagnostics.push_back(
            {Severity::error, "tensor_size_below_shape",
             fmt::format("{} has {} by its shape, but only {} {} declared, which hold{} {}; those are "
                         "measured. Tensors without a device address are left out by the writer",
                         name_of(tensor), bytes::counted(by_shape, "element"), bytes::counted(tensor.size, "byte"),
                         bytes::is_or_are(tensor.size), tensor.size == 1 ? "s" : "", by_size)});
    } else if (const std::uint64_t needed = bytes_of_elements(by_shape, extent.bits_apart); needed < tensor.size) {
        extent.diagnostics.push_back(
            {Severity::info, "tensor_size_above_shape",
             fmt::format("{} has {} by its shape, which take{} {}, but {} {} declared; the rest is taken "
                         "for padding and not measured",
                         name_of(tensor), bytes::counted(by_shape, "element"), by_shape == 1 ? "s" : "",
                         bytes::counted(needed, "byte"), tensor.size, bytes::is_or_are(tensor.size))});
    }
}

}  // namespace

std::string name_of(const container::Tensor& tensor) {
    return fmt::format("{} {}", to_string(tensor.kind), tensor.index);
}

std::uint64_t bytes_there(const container::Tensor& tensor, std::uint64_t file_size) noexcept {
    return std::min(tensor.size, file_size > tensor.offset ? file_size - tensor.offset : 0);
}

std::uint64_t bytes_of_elements(std::uint64_t elements, unsigned bits_apart) noexcept {
    return bits_apart >= 8 ? elements * (bits_apart / 8)
                           : elements / 8 * bits_apart + (elements % 8 * bits_apart + 7) / 8;
}

Extent extent_of(const container::Tensor& tensor, const ElementType& type, std::uint64_t file_size) {
    const std::optional<std::uint64_t> by_shape = elements_by_shape(tensor);
    Extent extent;
    extent.bits_apart = type.bits < 8 && by_shape == tensor.size ? 8 : type.bits;
    extent.size = bytes_there(tensor, file_size);
    const std::uint64_t by_size = elements_in(tensor.size, extent.bits_apart);
    if (by_shape) {
        tell_shape_and_size(tensor, *by_shape, by_size, extent);
    } else {
        extent.diagnostics.push_back(
            {Severity::warning, "tensor_shape_unknown",
             fmt::format("the shape of {} does not tell how many elements it has (a dimension was unknown, or the "
                         "header is damaged); the {} of its {} {} measured",
                         name_of(tensor), bytes::counted(by_size, "element"), bytes::counted(tensor.size, "byte"),
                         bytes::is_or_are(by_size))});
    }
    const std::uint64_t declared = by_shape ? std::min(*by_shape, by_size) : by_size;
    extent.elements = std::min(declared, elements_in(extent.size, extent.bits_apart));
    if (extent.elements < declared) {
        extent.diagnostics.push_back(
            {Severity::error, "tensor_truncated",
             fmt::format("{} of {} of {} {} there: its {} begin{} at byte {}, the file ends at byte {}",
                         extent.elements, bytes::counted(declared, "element"), name_of(tensor),
                         bytes::is_or_are(extent.elements), bytes::counted(tensor.size, "byte"),
                         tensor.size == 1 ? "s" : "", tensor.offset, file_size)});
    }
    return extent;
}

}  // namespace opdebug::tensor_stage
