// The number that the bits of one element stand for. Exact: every form here fits a double.
#pragma once

#include <cstdint>

#include "tensor/element_type.hpp"

namespace opdebug::tensor_stage {

/// A floating-point number from its bits, right-aligned.
double float_number(const FloatForm& form, std::uint64_t bits) noexcept;

/// The largest finite number of a form.
double largest_finite(const FloatForm& form) noexcept;

/// Whether the bits are a subnormal number: exponent 0, mantissa not.
bool is_subnormal(const FloatForm& form, std::uint64_t bits) noexcept;

/// e8m0: 2^(bits - 127), 255 is NaN; neither zero nor sign. Source: OCP Microscaling Formats 1.0, section 5.4.1.
double e8m0_number(std::uint8_t bits) noexcept;

/// HiFloat8. Source: arXiv 2409.16626, tables 2 to 4: sign; dot (11, 10, 01, 001, 0001: exponent of 4, 3, 2, 1, 0 bits;
/// 0000: denormal); exponent as sign and magnitude whose leading 1 is not stored; the rest is mantissa.
double hifloat8_number(std::uint8_t bits) noexcept;

/// Two's complement of `bits` bits as a signed number.
std::int64_t sign_extended(std::uint64_t value, unsigned bits) noexcept;

/// A code of at most 8 bits, right-aligned, of a type that has numbers.
double narrow_number(const ElementType& type, std::uint8_t code) noexcept;

}  // namespace opdebug::tensor_stage
