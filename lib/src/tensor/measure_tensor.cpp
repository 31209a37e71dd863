// Measures one tensor. Shape, declared size and end of the file may disagree.
#include "tensor/measure.hpp"

#include <algorithm>
#include <limits>
#include <memory>
#include <optional>
#include <string>

#include <fmt/format.h>

#include "bytes/little_endian.hpp"
#include "container/shape.hpp"
#include "remarks/diagnose.hpp"
#include "tensor/element_type.hpp"
#include "tensor/statistics.hpp"

namespace opdebug::tensor_stage {
namespace {

/// A tensor without dimensions is a scalar, or empty if it has no bytes.
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

void remark_shape_and_size(const container::Tensor& tensor, std::uint64_t by_shape, std::uint64_t by_size,
                           Extent& extent) {
    if (by_shape > by_size) {
        extent.diagnostics.push_back(remarks::diagnose(
            "tensor_size_below_shape",
            {{"tensor", name_of(tensor)}, {"by_shape", by_shape}, {"size", tensor.size}, {"by_size", by_size}}));
    } else if (const std::uint64_t needed = bytes_of_elements(by_shape, extent.bits_apart); needed < tensor.size) {
        extent.diagnostics.push_back(remarks::diagnose(
            "tensor_size_above_shape",
            {{"tensor", name_of(tensor)}, {"by_shape", by_shape}, {"needed", needed}, {"size", tensor.size}}));
    }
}

Diagnostic skipped(const container::Tensor& tensor) {
    return remarks::diagnose("tensor_skipped", {{"tensor", name_of(tensor)}, {"size", tensor.size}});
}

Diagnostic without_numbers(const container::Tensor& tensor, const DumpedTensor& measured, const ElementType* type) {
    const std::string name = name_of(tensor);
    if (type == nullptr) {
        return remarks::diagnose("element_type_unknown", {{"tensor", name}, {"type", tensor.data_type}});
    }
    return remarks::diagnose("element_type_without_numbers", {{"tensor", name}, {"type", measured.dtype}});
}

void remark_type(const container::Tensor& tensor, const ElementType& type, DumpedTensor& measured) {
    if (!type.declared.empty()) {
        measured.diagnostics.push_back(remarks::diagnose(
            "element_type_quantised", {{"tensor", name_of(tensor)}, {"declared", type.declared}, {"type", type.name}}));
    }
    if (type.bits < 8) {
        measured.diagnostics.push_back(
            remarks::diagnose("element_order_inferred", {{"tensor", name_of(tensor)}, {"bits", type.bits}}));
    }
}

/// Counts the elements. Error: interrupted. A read error affects only the tensor.
std::optional<Error> count_elements(const container::Tensor& tensor, const ElementType& type, const Extent& extent,
                                    PieceReader& reader, const OpDumpOptions& options, DumpedTensor& measured) {
    const std::unique_ptr<Accumulator> accumulator = make_accumulator(type, extent.bits_apart);
    bool stopped = false;
    std::uint64_t left = extent.elements;
    const std::optional<Error> error =
        reader.read(tensor.offset, bytes_of_elements(extent.elements, extent.bits_apart), [&](Bytes piece) {
            stopped = options.stop && options.stop();
            if (stopped) {
                return false;
            }
            const std::uint64_t elements = std::min<std::uint64_t>(left, piece.size() * 8 / extent.bits_apart);
            accumulator->add(piece, elements);
            left -= elements;
            return true;
        });
    if (stopped) {
        return Error{ErrorCode::interrupted, "measuring was stopped before its end", options.file, std::nullopt};
    }
    measured.elements = extent.elements - left;
    measured.statistics = accumulator->statistics();
    if (error || left > 0) {
        measured.diagnostics.push_back(remarks::diagnose(
            "tensor_unreadable",
            {{"read", measured.elements},
             {"count", extent.elements},
             {"tensor", name_of(tensor)},
             {"why", error ? remarks::phrase("unreadable_at", {{"place", error->offset.value_or(tensor.offset)},
                                                               {"error", error->message}})
                           : remarks::phrase("file_became_shorter")}}));
    }
    return std::nullopt;
}

}  // namespace

Result<Bytes> PieceReader::piece(std::uint64_t offset, std::size_t count) {
    if (file_ == nullptr) {
        return memory_.slice(static_cast<std::size_t>(offset), count);
    }
    buffer_.resize(std::max(buffer_.size(), count));
    const Result<std::size_t> got = file_->read_at(offset, buffer_.data(), count);
    return got ? Result<Bytes>(Bytes(buffer_.data(), *got)) : Result<Bytes>(got.error());
}

std::optional<Error> PieceReader::read(std::uint64_t offset, std::uint64_t count, const PieceSink& sink) {
    while (count > 0) {
        const auto wanted = static_cast<std::size_t>(std::min<std::uint64_t>(count, kPieceBytes));
        const Result<Bytes> bytes = piece(offset, wanted);
        if (!bytes) {
            return bytes.error();
        }
        if (!sink(*bytes) || bytes->size() < wanted) {
            return std::nullopt;
        }
        offset += wanted;
        count -= wanted;
    }
    return std::nullopt;
}

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
        remark_shape_and_size(tensor, *by_shape, by_size, extent);
    } else {
        extent.diagnostics.push_back(remarks::diagnose(
            "tensor_shape_unknown", {{"tensor", name_of(tensor)}, {"count", by_size}, {"size", tensor.size}}));
    }
    const std::uint64_t declared = by_shape ? std::min(*by_shape, by_size) : by_size;
    extent.elements = std::min(declared, elements_in(extent.size, extent.bits_apart));
    if (extent.elements < declared) {
        extent.diagnostics.push_back(remarks::diagnose("tensor_truncated", {{"there", extent.elements},
                                                                            {"count", declared},
                                                                            {"tensor", name_of(tensor)},
                                                                            {"size", tensor.size},
                                                                            {"place", tensor.offset},
                                                                            {"file_end", file_size}}));
    }
    return extent;
}

Result<DumpedTensor> measure_tensor(const container::Tensor& tensor, Container form, PieceReader& reader,
                                    const OpDumpOptions& options) {
    const ElementType* const type = element_type(form, tensor.data_type);
    DumpedTensor measured;
    measured.kind = tensor.kind;
    measured.index = tensor.index;
    measured.dtype = type_name(form, tensor.data_type);
    measured.format = format_name(tensor.format);
    measured.shape = tensor.dims;
    measured.file = options.file;
    measured.offset = tensor.offset;
    if (tensor.skipped) {
        measured.diagnostics.push_back(skipped(tensor));
        return measured;
    }
    measured.size = bytes_there(tensor, reader.size());
    if (type == nullptr || type->encoding == Encoding::none) {
        measured.diagnostics.push_back(without_numbers(tensor, measured, type));
        return measured;
    }
    const Extent extent = extent_of(tensor, *type, reader.size());
    measured.diagnostics = extent.diagnostics;
    measured.byte_each = extent.bits_apart > type->bits;
    remark_type(tensor, *type, measured);
    if (auto error = count_elements(tensor, *type, extent, reader, options, measured)) {
        return *error;
    }
    return measured;
}

}  // namespace opdebug::tensor_stage
