// A tensor as a .npy file. Format: NumPy's documentation, numpy.lib.format, version 1.0.
#include <algorithm>
#include <iterator>
#include <vector>

#include <fmt/format.h>

#include <opdebug/tensor.hpp>

#include "bytes/file.hpp"
#include "container/shape.hpp"
#include "tensor/element_type.hpp"
#include "tensor/extent.hpp"
#include "tensor/pieces.hpp"
#include "tensor/widen.hpp"

namespace opdebug {
inline namespace v0 {
namespace {

using tensor_stage::ElementType;

/// What NumPy takes: up to 32 dimensions (64 from NumPy 2 on), and no more bytes than 2^63 - 1, where it leaves
/// dimensions of 0 out of the product. Elements of .npy files have 16 bytes at most.
bool numpy_takes(const std::vector<std::uint64_t>& shape) {
    constexpr std::size_t kNumpyDimensions = 32;
    constexpr std::uint64_t kNumpyElements = (std::uint64_t{1} << 59U) - 1;
    std::vector<std::uint64_t> without_zeros;
    std::copy_if(shape.begin(), shape.end(), std::back_inserter(without_zeros),
                 [](std::uint64_t dimension) { return dimension != 0; });
    const auto elements = container::elements_of_shape(without_zeros);
    return shape.size() <= kNumpyDimensions && elements && *elements <= kNumpyElements;
}

/// The tensor's shape, or one dimension where elements are missing or NumPy would refuse it.
std::string shape_text(const DumpedTensor& tensor) {
    const bool whole = container::elements_of_shape(tensor.shape) == tensor.elements;
    return container::python_shape(whole && numpy_takes(tensor.shape) ? tensor.shape
                                                                      : std::vector<std::uint64_t>{tensor.elements});
}

/// Magic, version, length of the rest, a Python dictionary; filled with spaces to a multiple of 64 bytes.
std::string npy_header(const DumpedTensor& tensor, const ElementType& type) {
    constexpr std::size_t kAlignment = 64;
    constexpr std::size_t kBeforeText = 10;
    std::string text = fmt::format("{{'descr': '{}', 'fortran_order': {}, 'shape': {}, }}", type.npy,
                                   tensor.fortran_order ? "True" : "False", shape_text(tensor));
    text.append(kAlignment - (kBeforeText + text.size() + 1) % kAlignment, ' ');
    text += '\n';
    std::string header("\x93NUMPY\x01\x00", 8);
    header += static_cast<char>(text.size() & 0xFFU);
    header += static_cast<char>(text.size() >> 8U);
    return header + text;
}

Error became_shorter(const std::string& file) {
    return {ErrorCode::read_failed, "the file became shorter since the tensor was measured", file, std::nullopt};
}

}  // namespace

std::optional<Error> write_npy(const std::string& file, const DumpedTensor& tensor, const BytesSink& sink) {
    const ElementType* const type = tensor_stage::element_type(tensor.dtype);
    if (type == nullptr || type->encoding == tensor_stage::Encoding::none) {
        return Error{ErrorCode::invalid_argument,
                     fmt::format("elements of type {} hold no numbers: there is no .npy file of them", tensor.dtype),
                     file, std::nullopt};
    }
    const Result<bytes::FileReader> opened = bytes::FileReader::open(file);
    if (!opened) {
        return opened.error();
    }
    const std::string header = npy_header(tensor, *type);
    if (!sink(std::string_view(header))) {
        return std::nullopt;
    }
    const unsigned bits_apart = type->bits < 8 && tensor.byte_each ? 8 : type->bits;
    std::uint64_t left = tensor.elements;
    bool wanted = true;
    std::vector<std::uint8_t> widened;
    tensor_stage::PieceReader reader(*opened);
    const auto widen_piece = [&](Bytes piece) {
        const std::uint64_t elements = std::min<std::uint64_t>(left, piece.size() * 8 / bits_apart);
        wanted = sink(tensor_stage::widen(piece, elements, *type, bits_apart, widened));
        left -= elements;
        return wanted;
    };
    if (auto error =
            reader.read(tensor.offset, tensor_stage::bytes_of_elements(tensor.elements, bits_apart), widen_piece)) {
        return error;
    }
    return wanted && left > 0 ? std::optional<Error>(became_shorter(file)) : std::nullopt;
}

}  // namespace v0
}  // namespace opdebug
