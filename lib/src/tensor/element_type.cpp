// The table of element types, the names of formats (layouts), and the number of each bit pattern. Numbers of types:
// docs/internals/formats.md, section "Messages".
#include "tensor/element_type.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>

#include <fmt/format.h>

namespace opdebug::tensor_stage {
namespace {

constexpr FloatForm kHalf{5, 10, 15, Specials::infinity_and_nan};
constexpr FloatForm kBrainFloat{8, 7, 127, Specials::infinity_and_nan};
constexpr FloatForm kSingle{8, 23, 127, Specials::infinity_and_nan};
constexpr FloatForm kDouble{11, 52, 1023, Specials::infinity_and_nan};
constexpr FloatForm kE5M2{5, 2, 15, Specials::infinity_and_nan};
constexpr FloatForm kE4M3{4, 3, 7, Specials::nan_only};
constexpr FloatForm kE3M2{3, 2, 3, Specials::none};
constexpr FloatForm kE2M3{2, 3, 1, Specials::none};
constexpr FloatForm kE2M1{2, 1, 1, Specials::none};
constexpr FloatForm kE1M2{1, 2, 1, Specials::none};

// clang-format off
constexpr ElementType kElementTypes[] = {
    {0,  "undefined",      0,   Encoding::none,             {},          "",     ""},
    {1,  "float32",        32,  Encoding::floating,         kSingle,     "<f4",  ""},
    {2,  "float16",        16,  Encoding::floating,         kHalf,       "<f2",  ""},
    {3,  "int8",           8,   Encoding::signed_integer,   {},          "|i1",  ""},
    {4,  "uint8",          8,   Encoding::unsigned_integer, {},          "|u1",  ""},
    {5,  "int16",          16,  Encoding::signed_integer,   {},          "<i2",  ""},
    {6,  "uint16",         16,  Encoding::unsigned_integer, {},          "<u2",  ""},
    {7,  "int32",          32,  Encoding::signed_integer,   {},          "<i4",  ""},
    {8,  "int64",          64,  Encoding::signed_integer,   {},          "<i8",  ""},
    {9,  "uint32",         32,  Encoding::unsigned_integer, {},          "<u4",  ""},
    {10, "uint64",         64,  Encoding::unsigned_integer, {},          "<u8",  ""},
    {11, "bool",           8,   Encoding::boolean,          {},          "|b1",  ""},
    {12, "float64",        64,  Encoding::floating,         kDouble,     "<f8",  ""},
    {13, "string",         0,   Encoding::none,             {},          "",     ""},
    {14, "dual_sub_int8",  0,   Encoding::none,             {},          "",     ""},
    {15, "dual_sub_uint8", 0,   Encoding::none,             {},          "",     ""},
    {16, "complex64",      64,  Encoding::complex,          kSingle,     "<c8",  ""},
    {17, "complex128",     128, Encoding::complex,          kDouble,     "<c16", ""},
    {18, "int8",           8,   Encoding::signed_integer,   {},          "|i1",  "QINT8"},
    {19, "int16",          16,  Encoding::signed_integer,   {},          "<i2",  "QINT16"},
    {20, "int32",          32,  Encoding::signed_integer,   {},          "<i4",  "QINT32"},
    {21, "uint8",          8,   Encoding::unsigned_integer, {},          "|u1",  "QUINT8"},
    {22, "uint16",         16,  Encoding::unsigned_integer, {},          "<u2",  "QUINT16"},
    {23, "resource",       0,   Encoding::none,             {},          "",     ""},
    {24, "string_ref",     0,   Encoding::none,             {},          "",     ""},
    {25, "dual",           0,   Encoding::none,             {},          "",     ""},
    {26, "variant",        0,   Encoding::none,             {},          "",     ""},
    {27, "bfloat16",       16,  Encoding::floating,         kBrainFloat, "<f4",  ""},
    {28, "int4",           4,   Encoding::signed_integer,   {},          "|i1",  ""},
    {29, "uint1",          1,   Encoding::unsigned_integer, {},          "|u1",  ""},
    {30, "int2",           2,   Encoding::signed_integer,   {},          "|i1",  ""},
    {31, "uint2",          2,   Encoding::unsigned_integer, {},          "|u1",  ""},
    {32, "complex32",      32,  Encoding::complex,          kHalf,       "<c8",  ""},
    {33, "hifloat8",       8,   Encoding::hifloat8,         {},          "<f4",  ""},
    {34, "float8_e5m2",    8,   Encoding::floating,         kE5M2,       "<f4",  ""},
    {35, "float8_e4m3fn",  8,   Encoding::floating,         kE4M3,       "<f4",  ""},
    {36, "float8_e8m0",    8,   Encoding::e8m0,             {},          "<f4",  ""},
    {37, "float6_e3m2",    6,   Encoding::floating,         kE3M2,       "<f4",  ""},
    {38, "float6_e2m3",    6,   Encoding::floating,         kE2M3,       "<f4",  ""},
    {39, "float4_e2m1",    4,   Encoding::floating,         kE2M1,       "<f4",  ""},
    {40, "float4_e1m2",    4,   Encoding::floating,         kE1M2,       "<f4",  ""},
};

/// Nano's own numbers. Source: msaccucmp, nano_dump_data.py.
struct NanoNumber {
    std::uint64_t nano;
    std::uint64_t dump_data;
};
constexpr NanoNumber kNanoNumbers[] = {
    {0, 1},  {1, 2},   {2, 3},   {3, 7},   {4, 4},   {6, 5},  {7, 6},
    {8, 9},  {9, 8},   {10, 10}, {11, 12}, {12, 11}, {27, 27}, {28, 0},
};
// clang-format on

constexpr bool numbers_are_positions() {
    for (std::uint64_t i = 0; i < std::size(kElementTypes); ++i) {
        if (kElementTypes[i].number != i) {
            return false;
        }
    }
    return true;
}
static_assert(numbers_are_positions());

constexpr std::string_view kFormats[] = {
    "NCHW",
    "NHWC",
    "ND",
    "NC1HWC0",
    "FRACTAL_Z",
    "NC1C0HWPAD",
    "NHWC1C0",
    "FSR_NCHW",
    "FRACTAL_DECONV",
    "C1HWNC0",
    "FRACTAL_DECONV_TRANSPOSE",
    "FRACTAL_DECONV_SP_STRIDE_TRANS",
    "NC1HWC0_C04",
    "FRACTAL_Z_C04",
    "CHWN",
    "FRACTAL_DECONV_SP_STRIDE8_TRANS",
    "HWCN",
    "NC1KHKWHWC0",
    "BN_WEIGHT",
    "FILTER_HWCK",
    "HASHTABLE_LOOKUP_LOOKUPS",
    "HASHTABLE_LOOKUP_KEYS",
    "HASHTABLE_LOOKUP_VALUE",
    "HASHTABLE_LOOKUP_OUTPUT",
    "HASHTABLE_LOOKUP_HITS",
    "C1HWNCoC0",
    "MD",
    "NDHWC",
    "FRACTAL_ZZ",
    "FRACTAL_NZ",
    "NCDHW",
    "DHWCN",
    "NDC1HWC0",
    "FRACTAL_Z_3D",
    "CN",
    "NC",
    "DHWNC",
    "FRACTAL_Z_3D_TRANSPOSE",
    "FRACTAL_ZN_LSTM",
    "FRACTAL_Z_G",
    "RESERVED",
    "ALL",
    "NULL",
    "ND_RNN_BIAS",
    "FRACTAL_ZN_RNN",
    "YUV",
    "YUV_A",
    "NCL",
    "FRACTAL_Z_WINO",
    "C1HWC0",
};
static_assert(std::size(kFormats) == 50);
constexpr std::uint64_t kMax = 255;

}  // namespace

const ElementType* element_type(Container container, std::uint64_t number) noexcept {
    if (container == Container::nano) {
        const auto* const row = std::find_if(std::begin(kNanoNumbers), std::end(kNanoNumbers),
                                             [number](const NanoNumber& item) { return item.nano == number; });
        if (row == std::end(kNanoNumbers)) {
            return nullptr;
        }
        number = row->dump_data;
    }
    return number < std::size(kElementTypes) ? &kElementTypes[number] : nullptr;
}

std::string type_name(Container container, std::uint64_t number) {
    const ElementType* const type = element_type(container, number);
    return type != nullptr ? std::string(type->name) : fmt::format("unknown({})", number);
}

const ElementType* element_type(std::string_view name) noexcept {
    const auto* const row = std::find_if(std::begin(kElementTypes), std::end(kElementTypes),
                                         [name](const ElementType& type) { return type.name == name; });
    return row == std::end(kElementTypes) ? nullptr : row;
}

std::string format_name(std::uint64_t number) {
    if (number < std::size(kFormats)) {
        return std::string(kFormats[number]);
    }
    return number == kMax ? "MAX" : fmt::format("unknown({})", number);
}

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
