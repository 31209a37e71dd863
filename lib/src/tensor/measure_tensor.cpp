#include "tensor/measure_tensor.hpp"

#include <algorithm>
#include <memory>
#include <optional>
#include <string>

#include <fmt/format.h>

#include "bytes/counted.hpp"
#include "tensor/element_type.hpp"
#include "tensor/extent.hpp"
#include "tensor/tally.hpp"

namespace opdebug::tensor_stage {
namespace {

Diagnostic skipped(const container::Tensor& tensor) {
    return {Severity::error, "tensor_skipped",
            fmt::format("{} is declared with {} but without a device address, and the file has no bytes for it: "
                        "the writer left it out; the other tensors are measured where they lie without it",
                        name_of(tensor), bytes::counted(tensor.size, "byte"))};
}

Diagnostic without_numbers(const container::Tensor& tensor, const DumpedTensor& measured, const ElementType* type) {
    const std::string name = name_of(tensor);
    if (type == nullptr) {
        return {
            Severity::warning, "element_type_unknown",
            fmt::format("{} has element type {}, which no document names; it is not measured", name, tensor.data_type)};
    }
    return {Severity::info, "element_type_without_numbers",
            fmt::format("{} has element type {}, which holds no numbers; it is not measured", name, measured.dtype)};
}

void tell_about_type(const container::Tensor& tensor, const ElementType& type, DumpedTensor& measured) {
    if (!type.declared.empty()) {
        measured.diagnostics.push_back(
            {Severity::info, "element_type_quantised",
             fmt::format("{} is declared {}; the {} that carry it are measured, without scale and offset, which the "
                         "dump does not hold",
                         name_of(tensor), type.declared, type.name)});
    }
    if (type.bits < 8) {
        measured.diagnostics.push_back(
            {Severity::info, "element_order_inferred",
             fmt::format("{} has elements of {}; that the first lies in the lowest bits of its byte is inferred",
                         name_of(tensor), bytes::counted(type.bits, "bit"))});
    }
}

/// Counts the elements. The error is interrupted; a file that cannot be read on costs the tensor only.
std::optional<Error> count_elements(const container::Tensor& tensor, const ElementType& type, const Extent& extent,
                                    PieceReader& reader, const OpDumpOptions& options, DumpedTensor& measured) {
    const std::unique_ptr<Tally> tally = make_tally(type, extent.bits_apart);
    bool stopped = false;
    std::uint64_t left = extent.elements;
    const std::optional<Error> error =
        reader.read(tensor.offset, bytes_of_elements(extent.elements, extent.bits_apart), [&](Bytes piece) {
            stopped = options.stop && options.stop();
            if (stopped) {
                return false;
            }
            const std::uint64_t elements = std::min<std::uint64_t>(left, piece.size() * 8 / extent.bits_apart);
            tally->add(piece, elements);
            left -= elements;
            return true;
        });
    if (stopped) {
        return Error{ErrorCode::interrupted, "measuring was stopped before its end", options.file, std::nullopt};
    }
    measured.elements = extent.elements - left;
    measured.statistics = tally->statistics();
    if (error || left > 0) {
        measured.diagnostics.push_back(
            {Severity::error, "tensor_unreadable",
             fmt::format("{} of {} of {} could be read: {}", measured.elements,
                         bytes::counted(extent.elements, "element"), name_of(tensor),
                         error ? fmt::format("at byte {}: {}", error->offset.value_or(tensor.offset), error->message)
                               : "the file became shorter while it was read")});
    }
    return std::nullopt;
}

}  // namespace

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
    tell_about_type(tensor, *type, measured);
    if (auto error = count_elements(tensor, *type, extent, reader, options, measured)) {
        return *error;
    }
    return measured;
}

}  // namespace opdebug::tensor_stage
