// Element types of tensors, and the number of each bit pattern. Exact: every format here fits a double.
// Numbers of types: DumpData's enum (docs/internals/formats.md, section "Messages"). Formats: IEEE 754; OCP 8-bit
// Floating Point Specification 1.0 (e5m2, e4m3fn); OCP Microscaling Formats 1.0 (e8m0, e3m2, e2m3, e2m1). e1m2 follows
// the same rules (its largest exponent is 0 in the documents of the quantising operators). HiFloat8: arXiv 2409.16626.
// Elements of less than 8 bits share bytes, the first in the lowest bits of the first byte. This is inferred, because
// no document of the dump defines it. Sources: sizes in GE (bits of all elements, rounded up to bytes), and the order
// in other tensors of such elements (ONNX, NumPy's ml_dtypes).
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include <opdebug/dump.hpp>
#include <opdebug/result.hpp>

namespace opdebug::tensor_stage {

/// Conversion of the bits of an element to a number. none: no number.
enum class Encoding { none, boolean, signed_integer, unsigned_integer, floating, complex, e8m0, hifloat8 };

/// Meaning of the largest codes of a floating-point format.
enum class Specials {
    infinity_and_nan,  ///< as in IEEE 754: exponent all ones
    nan_only,          ///< exponent and mantissa all ones: NaN; everything else is finite
    none,              ///< every code is finite
};

/// A binary floating-point format: a sign, then exponent, then mantissa.
struct FloatForm {
    unsigned exponent_bits = 0;
    unsigned mantissa_bits = 0;
    int bias = 0;
    Specials specials = Specials::infinity_and_nan;
};

struct ElementType {
    std::uint64_t number = 0;  ///< in DumpData
    std::string_view name;     ///< NumPy's, otherwise CANN's in lower case
    unsigned bits = 0;         ///< of one element; 0 for Encoding::none
    Encoding encoding = Encoding::none;
    FloatForm form;             ///< format of the number; complex: of each part
    std::string_view npy;       ///< the type in a .npy file: the same, or the next wider type of NumPy
    std::string_view declared;  ///< quantised types: their own name; `name` is that of the carrier
};

/// The type of a number in a header; null for undocumented numbers. Nano has its own numbers.
const ElementType* element_type(Container container, std::uint64_t number) noexcept;

/// The type of that name (dtype of a DumpedTensor), or null. Quantised types have the name of their carrier.
const ElementType* element_type(std::string_view name) noexcept;

/// Its name; "unknown(99)" for undocumented numbers.
std::string type_name(Container container, std::uint64_t number);

/// "NCHW", ...; "unknown(99)" for undocumented numbers.
std::string format_name(std::uint64_t number);

/// A floating-point number from its bits, right-aligned.
double float_number(const FloatForm& form, std::uint64_t bits) noexcept;

/// The largest finite number of a format.
double largest_finite(const FloatForm& form) noexcept;

/// Whether the bits are a subnormal number: exponent 0, mantissa not 0.
bool is_subnormal(const FloatForm& form, std::uint64_t bits) noexcept;

/// e8m0: 2^(bits - 127), 255 is NaN; no zero and no sign. Source: OCP Microscaling Formats 1.0, section 5.4.1.
double e8m0_number(std::uint8_t bits) noexcept;

/// HiFloat8. Source: arXiv 2409.16626, tables 2 to 4: sign; dot (11, 10, 01, 001, 0001: exponent of 4, 3, 2, 1, 0 bits;
/// 0000: denormal); exponent as sign and magnitude whose leading 1 is not stored; the rest is mantissa.
double hifloat8_number(std::uint8_t bits) noexcept;

/// Two's complement of `bits` bits as a signed number.
std::int64_t sign_extended(std::uint64_t value, unsigned bits) noexcept;

/// The number of a right-aligned code of at most 8 bits. `type` must have numbers.
double narrow_number(const ElementType& type, std::uint8_t code) noexcept;

/// The element at `index`, right-aligned. It must be inside `bytes`; `bits` is 1 to 8.
inline std::uint8_t packed_code(Bytes bytes, std::uint64_t index, unsigned bits) noexcept {
    const std::uint64_t first_bit = index * bits;
    const auto byte = static_cast<std::size_t>(first_bit / 8);
    unsigned window = bytes[byte];
    if (byte + 1 < bytes.size()) {
        window |= static_cast<unsigned>(bytes[byte + 1]) << 8U;
    }
    return static_cast<std::uint8_t>(window >> first_bit % 8 & ((1U << bits) - 1));
}

}  // namespace opdebug::tensor_stage
