// Converts the bits of one element to a number.
#include "tensor/element_type.hpp"

#include <cmath>
#include <limits>

namespace opdebug::tensor_stage {
namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr double kInfinity = std::numeric_limits<double>::infinity();

std::uint64_t low_bits(std::uint64_t value, unsigned count) noexcept {
    return value & ((std::uint64_t{1} << count) - 1);
}

}  // namespace

double float_number(const FloatForm& form, std::uint64_t bits) noexcept {
    const std::uint64_t mantissa = low_bits(bits, form.mantissa_bits);
    const std::uint64_t exponent = low_bits(bits >> form.mantissa_bits, form.exponent_bits);
    const bool negative = (bits >> (form.exponent_bits + form.mantissa_bits) & 1U) != 0;
    const std::uint64_t all_ones = low_bits(~std::uint64_t{0}, form.exponent_bits);
    double magnitude = 0;
    if (exponent == all_ones && form.specials == Specials::infinity_and_nan) {
        magnitude = mantissa == 0 ? kInfinity : kNan;
    } else if (exponent == all_ones && form.specials == Specials::nan_only &&
               mantissa == low_bits(~std::uint64_t{0}, form.mantissa_bits)) {
        magnitude = kNan;
    } else {
        // Subnormal numbers have the exponent of the smallest normal ones and no leading 1.
        const std::uint64_t significand = exponent == 0 ? mantissa : mantissa | std::uint64_t{1} << form.mantissa_bits;
        const int power = (exponent == 0 ? 1 : static_cast<int>(exponent)) - form.bias;
        magnitude = std::ldexp(static_cast<double>(significand), power - static_cast<int>(form.mantissa_bits));
    }
    return negative ? -magnitude : magnitude;
}

double largest_finite(const FloatForm& form) noexcept {
    const std::uint64_t all_ones = low_bits(~std::uint64_t{0}, form.exponent_bits + form.mantissa_bits);
    switch (form.specials) {
        case Specials::infinity_and_nan: return float_number(form, all_ones - (std::uint64_t{1} << form.mantissa_bits));
        case Specials::nan_only: return float_number(form, all_ones - 1);
        case Specials::none: break;
    }
    return float_number(form, all_ones);
}

bool is_subnormal(const FloatForm& form, std::uint64_t bits) noexcept {
    return low_bits(bits >> form.mantissa_bits, form.exponent_bits) == 0 && low_bits(bits, form.mantissa_bits) != 0;
}

double e8m0_number(std::uint8_t bits) noexcept {
    return bits == 0xFF ? kNan : std::ldexp(1.0, static_cast<int>(bits) - 127);
}

double hifloat8_number(std::uint8_t bits) noexcept {
    const bool negative = (bits & 0x80U) != 0;
    const unsigned rest = bits & 0x7FU;
    if (rest == 0) {
        return negative ? kNan : 0.0;
    }
    if (rest == 0x6F) {  // the largest magnitude means infinity
        return negative ? -kInfinity : kInfinity;
    }
    unsigned exponent_bits = 0;
    unsigned mantissa_bits = 3;
    if (rest >= 0x20) {  // dot 11, 10, 01
        exponent_bits = (rest >> 5U) + 1;
        mantissa_bits = 5 - exponent_bits;
    } else if (rest >= 0x10) {  // dot 001
        exponent_bits = 1;
    } else if (rest < 0x08) {  // dot 0000
        const double magnitude = std::ldexp(1.0, static_cast<int>(rest) - 23);
        return negative ? -magnitude : magnitude;
    }
    int exponent = 0;
    if (exponent_bits > 0) {
        const std::uint64_t stored = low_bits(rest >> mantissa_bits, exponent_bits);
        const unsigned magnitude_bits = exponent_bits - 1;
        const auto magnitude = static_cast<int>(low_bits(stored, magnitude_bits) | std::uint64_t{1} << magnitude_bits);
        exponent = stored >> magnitude_bits != 0 ? -magnitude : magnitude;
    }
    const std::uint64_t significand = low_bits(rest, mantissa_bits) | std::uint64_t{1} << mantissa_bits;
    const double magnitude = std::ldexp(static_cast<double>(significand), exponent - static_cast<int>(mantissa_bits));
    return negative ? -magnitude : magnitude;
}

std::int64_t sign_extended(std::uint64_t value, unsigned bits) noexcept {
    const unsigned unused = 64 - bits;
    return static_cast<std::int64_t>(value << unused) >> unused;
}

double narrow_number(const ElementType& type, std::uint8_t code) noexcept {
    switch (type.encoding) {
        case Encoding::boolean: return code != 0 ? 1 : 0;
        case Encoding::signed_integer: return static_cast<double>(sign_extended(code, type.bits));
        case Encoding::unsigned_integer: return code;
        case Encoding::floating: return float_number(type.form, code);
        case Encoding::e8m0: return e8m0_number(code);
        case Encoding::hifloat8: return hifloat8_number(code);
        case Encoding::complex:
        case Encoding::none: break;
    }
    return 0;
}

}  // namespace opdebug::tensor_stage
