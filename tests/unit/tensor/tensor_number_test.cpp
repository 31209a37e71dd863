// Every code of every small element type, against the definitions and against values that the specifications print.
#include <doctest/doctest.h>

#include <cmath>
#include <string>

#include "op_dump_builder.hpp"
#include "reference_numbers.hpp"
#include "tensor/element_type.hpp"

using namespace opdebug;
using namespace opdebug::test;
using namespace opdebug::tensor_stage;

namespace {

const ElementType& type_called(std::string_view name) {
    const ElementType* const type = element_type(name);
    REQUIRE(type != nullptr);
    return *type;
}

double number(std::string_view dtype, std::uint64_t code) {
    const ElementType& type = type_called(dtype);
    return type.bits <= 8 ? narrow_number(type, static_cast<std::uint8_t>(code)) : float_number(type.form, code);
}

bool same(double a, long double b) {
    return (std::isnan(a) && std::isnan(b)) || (static_cast<long double>(a) == b && std::signbit(a) == std::signbit(b));
}

}  // namespace

TEST_CASE("every code of the types of up to 16 bits means what its definition says") {
    for (const NamedType& named : types_with_numbers()) {
        const ElementType* const type = element_type(Container::dump_data_v2, named.number);
        REQUIRE(type != nullptr);
        CHECK(type->name == named.dtype);
        CHECK(type->bits == reference_bits(named.dtype));
        if (type->bits > 16 || (type->bits == 16 && type->encoding != Encoding::floating)) {
            continue;
        }
        CAPTURE(named.dtype);
        std::vector<std::uint64_t> wrong_codes;
        for (std::uint64_t code = 0; code < std::uint64_t{1} << type->bits; ++code) {
            const double found = type->bits <= 8 ? narrow_number(*type, static_cast<std::uint8_t>(code))
                                                 : float_number(type->form, code);
            if (!same(found, reference_numbers(named.dtype, code)[0])) {
                wrong_codes.push_back(code);
            }
        }
        CHECK(wrong_codes == std::vector<std::uint64_t>{});
    }
}

TEST_CASE("wide floats are what the machine takes them for") {
    for (const float value : {0.0F, -0.0F, 1.0F, -2.5F, 3.4028235e38F, 1.4e-45F, -1.1754942e-38F, INFINITY}) {
        std::uint32_t bits = 0;
        std::memcpy(&bits, &value, sizeof bits);
        CHECK(same(number("float32", bits), value));
    }
    for (const double value :
         {0.0, -0.0, 1.0 / 3, -1.7976931348623157e308, 4.9e-324, 2.2250738585072009e-308, -double{INFINITY}}) {
        std::uint64_t bits = 0;
        std::memcpy(&bits, &value, sizeof bits);
        CHECK(same(number("float64", bits), value));
    }
    CHECK(std::isnan(number("float64", 0x7FF0000000000001)));
    CHECK(std::isnan(number("float32", 0xFFC00000)));
}

TEST_CASE("values that the specifications print") {
    // OCP 8-bit Floating Point Specification 1.0, table 2.
    CHECK(number("float8_e5m2", 0x7B) == 57344);
    CHECK(number("float8_e5m2", 0x01) == 0x1p-16);
    CHECK(number("float8_e5m2", 0x7C) == INFINITY);
    CHECK(number("float8_e4m3fn", 0x7E) == 448);
    CHECK(number("float8_e4m3fn", 0x01) == 0x1p-9);
    CHECK(std::isnan(number("float8_e4m3fn", 0xFF)));
    // OCP Microscaling Formats 1.0, sections 5.3 and 5.4.
    CHECK(number("float6_e3m2", 0x1F) == 28);
    CHECK(number("float6_e2m3", 0x1F) == 7.5);
    CHECK(number("float4_e2m1", 0x7) == 6);
    CHECK(number("float4_e2m1", 0x9) == -0.5);
    CHECK(number("float8_e8m0", 0x00) == 0x1p-127);
    CHECK(number("float8_e8m0", 0xFE) == 0x1p127);
    // Largest exponent 0, as the quantising operators' documents state.
    CHECK(number("float4_e1m2", 0x7) == 1.75);
    CHECK(number("float4_e1m2", 0x4) == 1);
    CHECK(number("float4_e1m2", 0x1) == 0.25);
    // arXiv 2409.16626: largest 2^15, smallest normal 2^-15, smallest denormal 2^-22, 1 = dot 0001.
    CHECK(number("hifloat8", 0x6E) == 32768);
    CHECK(number("hifloat8", 0xEF) == -INFINITY);
    CHECK(number("hifloat8", 0x7E) == 0x1p-15);
    CHECK(number("hifloat8", 0x01) == 0x1p-22);
    CHECK(number("hifloat8", 0x08) == 1);
    CHECK(std::isnan(number("hifloat8", 0x80)));
    // IEEE 754, and the upper half of a float32.
    CHECK(number("float16", 0x7BFF) == 65504);
    CHECK(number("float16", 0x0001) == 0x1p-24);
    CHECK(number("bfloat16", 0x3F80) == 1);
    CHECK(number("bfloat16", 0x7F7F) == 3.3895313892515355e38);
}

TEST_CASE("small elements lie in a byte from its lowest bits on") {
    const Buffer bytes{0b1110'0100, 0b0001'1011, 0xA5};
    CHECK(packed_code(bytes, 0, 2) == 0);
    CHECK(packed_code(bytes, 3, 2) == 3);
    CHECK(packed_code(bytes, 4, 2) == 3);
    CHECK(packed_code(bytes, 1, 4) == 0b1110);
    CHECK(packed_code(bytes, 5, 4) == 0xA);
    CHECK(packed_code(bytes, 8, 1) == 1);
    CHECK(packed_code(bytes, 10, 1) == 0);
    // Four elements of 6 bits in 24 bits: 101001'010001'101111'100100, the first at the right.
    CHECK(packed_code(bytes, 0, 6) == 0b100100);
    CHECK(packed_code(bytes, 1, 6) == 0b101111);
    CHECK(packed_code(bytes, 2, 6) == 0b010001);
    CHECK(packed_code(bytes, 3, 6) == 0b101001);
}

TEST_CASE("nano has numbers of its own") {
    const auto name = [](std::uint64_t number) {
        const ElementType* const type = element_type(Container::nano, number);
        return type == nullptr ? std::string("none") : std::string(type->name);
    };
    CHECK(name(0) == "float32");
    CHECK(name(1) == "float16");
    CHECK(name(2) == "int8");
    CHECK(name(3) == "int32");
    CHECK(name(9) == "int64");
    CHECK(name(11) == "float64");
    CHECK(name(12) == "bool");
    CHECK(name(27) == "bfloat16");
    CHECK(name(28) == "undefined");
    CHECK(name(5) == "none");
    CHECK(name(41) == "none");
    CHECK(element_type(Container::dump_data_v2, 41) == nullptr);
}

TEST_CASE("formats have names") {
    CHECK(format_name(0) == "NCHW");
    CHECK(format_name(2) == "ND");
    CHECK(format_name(3) == "NC1HWC0");
    CHECK(format_name(29) == "FRACTAL_NZ");
    CHECK(format_name(49) == "C1HWC0");
    CHECK(format_name(50) == "unknown(50)");
    CHECK(format_name(255) == "MAX");
}
