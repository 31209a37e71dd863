// Writes a tensor as a .npy file: elements unchanged, or in the next wider type of NumPy. Format: NumPy's
// documentation, numpy.lib.format, version 1.0.
#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <iterator>
#include <type_traits>
#include <vector>

#include <fmt/format.h>

#include <opdebug/result.hpp>
#include <opdebug/tensor.hpp>

#include "bytes/file.hpp"
#include "container/shape.hpp"
#include "tensor/element_type.hpp"
#include "tensor/measure.hpp"

namespace opdebug::tensor_stage {
namespace {

template <class Number>
void put(Number number, std::size_t index, std::vector<std::uint8_t>& buffer) {
    std::memcpy(buffer.data() + index * sizeof number, &number, sizeof number);
}

std::uint16_t half_at(Bytes bytes, std::size_t index) noexcept {
    std::uint16_t bits = 0;
    std::memcpy(&bits, bytes.data() + index * sizeof bits, sizeof bits);
    return bits;
}

/// A bfloat16 is the upper half of a float32. Every NaN becomes the same except for its sign, as in the other types.
void widen_bfloat16(Bytes bytes, std::size_t count, std::vector<std::uint8_t>& buffer) {
    constexpr std::uint32_t kSign = 0x8000;
    constexpr std::uint32_t kBfloatInfinity = 0x7F80;
    constexpr std::uint32_t kBfloatNan = 0x7FC0;
    buffer.resize(count * sizeof(float));
    for (std::size_t i = 0; i < count; ++i) {
        const std::uint32_t bits = half_at(bytes, i);
        put((bits & ~kSign) > kBfloatInfinity ? ((bits & kSign) | kBfloatNan) << 16U : bits << 16U, i, buffer);
    }
}

/// The parts of complex32.
void widen_float16(Bytes bytes, std::size_t count, const FloatForm& form, std::vector<std::uint8_t>& buffer) {
    buffer.resize(count * sizeof(float));
    for (std::size_t i = 0; i < count; ++i) {
        put(static_cast<float>(float_number(form, half_at(bytes, i))), i, buffer);  // exact
    }
}

/// Converts types of at most 256 codes with a table. All numbers fit a float, and integers a byte.
template <class Number>
void widen_codes(Bytes bytes, std::size_t count, const ElementType& type, unsigned bits_apart,
                 std::vector<std::uint8_t>& buffer) {
    std::array<Number, 256> numbers{};
    const unsigned codes = 1U << type.bits;
    for (unsigned code = 0; code < codes; ++code) {
        const double number = narrow_number(type, static_cast<std::uint8_t>(code));
        if constexpr (std::is_integral_v<Number>) {
            numbers[code] = static_cast<Number>(static_cast<int>(number));
        } else {
            numbers[code] = static_cast<Number>(number);
        }
    }
    buffer.resize(count * sizeof(Number));
    for (std::size_t i = 0; i < count; ++i) {
        const unsigned code = bits_apart == 8 ? bytes[i] & (codes - 1) : packed_code(bytes, i, bits_apart);
        put(numbers[code], i, buffer);
    }
}

/// The first `elements` elements of `bytes` as `type.npy`: a view of `bytes`, or of `buffer`, which is overwritten
/// then.
Bytes widen(Bytes bytes, std::uint64_t elements, const ElementType& type, unsigned bits_apart,
            std::vector<std::uint8_t>& buffer) {
    const auto count = static_cast<std::size_t>(elements);
    if (type.bits <= 8 && type.npy == "<f4") {
        widen_codes<float>(bytes, count, type, bits_apart, buffer);
        return buffer;
    }
    if (type.bits <= 8) {
        widen_codes<std::uint8_t>(bytes, count, type, bits_apart, buffer);
        return buffer;
    }
    if (type.npy == "<f4" && type.bits == 16) {
        widen_bfloat16(bytes, count, buffer);
        return buffer;
    }
    if (type.encoding == Encoding::complex && type.bits == 32) {
        widen_float16(bytes, 2 * count, type.form, buffer);
        return buffer;
    }
    return bytes.slice(0, count * (type.bits / 8));
}

}  // namespace
}  // namespace opdebug::tensor_stage

namespace opdebug {
inline namespace v0 {
namespace {

using tensor_stage::ElementType;

/// Whether NumPy accepts the shape: up to 32 dimensions (64 from NumPy 2 on), and at most 2^63 - 1 bytes, without
/// dimensions of 0 in the product. Elements of .npy files have at most 16 bytes.
bool numpy_takes(const std::vector<std::uint64_t>& shape) {
    constexpr std::size_t kNumpyDimensions = 32;
    constexpr std::uint64_t kNumpyElements = (std::uint64_t{1} << 59U) - 1;
    std::vector<std::uint64_t> without_zeros;
    std::copy_if(shape.begin(), shape.end(), std::back_inserter(without_zeros),
                 [](std::uint64_t dimension) { return dimension != 0; });
    const auto elements = container::elements_of_shape(without_zeros);
    return shape.size() <= kNumpyDimensions && elements && *elements <= kNumpyElements;
}

/// The tensor's shape, or one dimension if elements are missing or NumPy would reject the shape.
std::string shape_text(const DumpedTensor& tensor) {
    const bool whole = container::elements_of_shape(tensor.shape) == tensor.elements;
    return container::python_shape(whole && numpy_takes(tensor.shape) ? tensor.shape
                                                                      : std::vector<std::uint64_t>{tensor.elements});
}

/// Magic, version, length of the rest, a Python dictionary; padded with spaces to a multiple of 64 bytes.
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
    return {ErrorCode::read_failed, "the file became shorter after the tensor was measured", file, std::nullopt};
}

}  // namespace

std::optional<Error> write_npy(const std::string& file, const DumpedTensor& tensor, const BytesSink& sink) {
    const ElementType* const type = tensor_stage::element_type(tensor.dtype);
    if (type == nullptr || type->encoding == tensor_stage::Encoding::none) {
        return Error{ErrorCode::invalid_argument,
                     fmt::format("no .npy file was written: elements of type {} are not numbers", tensor.dtype), file,
                     std::nullopt};
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
