// The element types that a tensor can have: one table.
//
// Numbers: DumpData's enum (docs/format.md, section "Messages"). Forms: IEEE 754; OCP 8-bit Floating Point
// Specification 1.0 (e5m2, e4m3fn); OCP Microscaling Formats 1.0 (e8m0, e3m2, e2m3, e2m1); e1m2 after the same rules
// (its largest exponent is 0 in the documents of the quantising operators); HiFloat8: arXiv 2409.16626.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include <opdebug/container.hpp>

namespace opdebug::tensor_stage {

/// How the bits of an element become a number. none: they do not.
enum class Encoding { none, boolean, signed_integer, unsigned_integer, floating, complex, e8m0, hifloat8 };

/// What the largest codes of a floating-point form mean.
enum class Specials {
    infinity_and_nan,  ///< as in IEEE 754: exponent all ones
    nan_only,          ///< exponent and mantissa all ones: NaN; everything else is finite
    none,              ///< every code is finite
};

/// A binary floating-point form: a sign, then exponent, then mantissa.
struct FloatForm {
    unsigned exponent_bits = 0;
    unsigned mantissa_bits = 0;
    int bias = 0;
    Specials specials = Specials::infinity_and_nan;
};

struct ElementType {
    std::uint64_t number = 0;  ///< in DumpData
    std::string_view name;     ///< NumPy's; where NumPy has none: CANN's in small letters
    unsigned bits = 0;         ///< of one element; 0 where Encoding::none
    Encoding encoding = Encoding::none;
    FloatForm form;             ///< of the number; complex: of each of its two parts
    std::string_view npy;       ///< the type in a .npy file: the same, or the next wider one that NumPy has
    std::string_view declared;  ///< quantised types: their own name, for `name` is their carrier's
};

/// The type that a header's number means; null for numbers that nobody documents. Nano has numbers of its own.
const ElementType* element_type(Container container, std::uint64_t number) noexcept;

/// The type of that name (dtype of a DumpedTensor); null when there is none. Quantised types are found as carriers.
const ElementType* element_type(std::string_view name) noexcept;

/// Its name; "unknown(99)" for numbers that nobody documents.
std::string type_name(Container container, std::uint64_t number);

/// "NCHW", ...; "unknown(99)" for numbers that nobody documents.
std::string format_name(std::uint64_t number);

}  // namespace opdebug::tensor_stage
