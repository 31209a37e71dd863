#include "tensor/widen.hpp"

#include <array>
#include <cstring>
#include <type_traits>

#include "tensor/number.hpp"
#include "tensor/packed_code.hpp"

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

/// A bfloat16 is the upper half of a float32. Every NaN becomes the same, but for its sign, as of the other types.
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

/// Numbers of at most 256 codes, each found once. All fit a float, and integers a byte.
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

}  // namespace

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

}  // namespace opdebug::tensor_stage
