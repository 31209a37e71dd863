#include "tensor/widen.hpp"

#include <cmath>
#include <cstring>

#include "bytes/little_endian.hpp"
#include "tensor/number.hpp"
#include "tensor/packed_code.hpp"

namespace opdebug::tensor_stage {
namespace {

void put_float32(double number, std::size_t index, std::vector<std::uint8_t>& buffer) {
    const auto narrowed = static_cast<float>(number);  // exact: every type that is widened fits
    std::memcpy(buffer.data() + index * sizeof narrowed, &narrowed, sizeof narrowed);
}

/// bfloat16, and the parts of complex32: 16 bits each.
void widen_halves(Bytes bytes, std::size_t count, const FloatForm& form, std::vector<std::uint8_t>& buffer) {
    buffer.resize(count * sizeof(float));
    for (std::size_t i = 0; i < count; ++i) {
        put_float32(float_number(form, bytes::read_little_endian<std::uint16_t>(bytes, i * 2).value_or(0)), i, buffer);
    }
}

void widen_codes(Bytes bytes, std::size_t count, const ElementType& type, unsigned bits_apart,
                 std::vector<std::uint8_t>& buffer) {
    const bool to_float = type.npy == "<f4";
    const auto mask = static_cast<std::uint8_t>((1U << type.bits) - 1);
    buffer.resize(count * (to_float ? sizeof(float) : 1));
    for (std::size_t i = 0; i < count; ++i) {
        const std::uint8_t code =
            bits_apart == 8 ? static_cast<std::uint8_t>(bytes[i] & mask) : packed_code(bytes, i, bits_apart);
        const double number = narrow_number(type, code);
        if (to_float) {
            put_float32(number, i, buffer);
        } else {
            buffer[i] = static_cast<std::uint8_t>(static_cast<int>(number));
        }
    }
}

}  // namespace

Bytes widen(Bytes bytes, std::uint64_t elements, const ElementType& type, unsigned bits_apart,
            std::vector<std::uint8_t>& buffer) {
    const auto count = static_cast<std::size_t>(elements);
    if (type.bits <= 8) {
        widen_codes(bytes, count, type, bits_apart, buffer);
        return buffer;
    }
    if (type.npy == "<f4" && type.bits == 16) {
        widen_halves(bytes, count, type.form, buffer);
        return buffer;
    }
    if (type.encoding == Encoding::complex && type.bits == 32) {
        widen_halves(bytes, 2 * count, type.form, buffer);
        return buffer;
    }
    return bytes.slice(0, count * (type.bits / 8));
}

}  // namespace opdebug::tensor_stage
