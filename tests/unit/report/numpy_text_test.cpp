// Numbers as NumPy prints them. Expected texts: str() of NumPy 1.24's scalars.
#include "report/text/numbers_and_times.hpp"

#include <cmath>
#include <cstdint>
#include <limits>
#include <string>

#include <doctest/doctest.h>

#include "process.hpp"
#include "skip.hpp"

using opdebug::TensorNumber;
using opdebug::report::numpy_mean_text;
using opdebug::report::numpy_text;
using opdebug::report::readable_mean;
using opdebug::report::readable_number;
using namespace opdebug::test;

namespace {

/// IEEE 754 binary16, written from the definition.
double half_value(unsigned pattern) {
    const int exponent = static_cast<int>(pattern >> 10U & 31U);
    const int fraction = static_cast<int>(pattern & 1023U);
    const double size = exponent == 31  ? (fraction != 0 ? std::nan("") : std::numeric_limits<double>::infinity())
                        : exponent == 0 ? std::ldexp(fraction, -24)
                                        : std::ldexp(1024 + fraction, exponent - 25);
    return (pattern >> 15U) != 0 ? -size : size;
}

std::string float32_text(float value) {
    return numpy_text(static_cast<double>(value), "float32");
}

}  // namespace

TEST_CASE("numbers: float16 has as few digits as tell the value from its neighbours") {
    CHECK(numpy_text(65504.0, "float16") == "65500.0");
    CHECK(numpy_text(-65504.0, "float16") == "-65500.0");
    CHECK(numpy_text(8188.0, "float16") == "8188.0");
    CHECK(numpy_text(2048.0, "float16") == "2048.0");
    CHECK(numpy_text(half_value(0x3555), "float16") == "0.3333");
    CHECK(numpy_text(half_value(0x0001), "float16") == "6e-08");
    CHECK(numpy_text(half_value(0x2400), "float16") == "0.01563");  // half way between 0.01562 and 0.01563
    CHECK(numpy_text(0.0, "float16") == "0.0");
    CHECK(numpy_text(-0.0, "float16") == "-0.0");
}

TEST_CASE("numbers: float32 and types that NumPy has not") {
    CHECK(float32_text(65504.0F) == "65504.0");
    CHECK(float32_text(3.4028235e38F) == "3.4028235e+38");
    CHECK(float32_text(0.1F) == "0.1");
    CHECK(float32_text(1e16F) == "1e+16");
    CHECK(float32_text(9.999999e15F) == "9999999000000000.0");
    CHECK(float32_text(1e-4F) == "1e-04");
    CHECK(float32_text(123456789.0F) == "123456790.0");
    CHECK(float32_text(1e-45F) == "1e-45");
    CHECK(numpy_text(3.3895313892515355e38, "bfloat16") == "3.3895314e+38");
    CHECK(numpy_text(448.0, "float8_e4m3fn") == "448.0");
}

TEST_CASE("numbers: float64, integers and bool") {
    CHECK(numpy_text(0.1, "float64") == "0.1");
    CHECK(numpy_text(1e16, "float64") == "1e+16");
    CHECK(numpy_text(9999999999999998.0, "float64") == "9999999999999998.0");
    CHECK(numpy_text(5e-324, "float64") == "5e-324");
    CHECK(numpy_text(1.7976931348623157e308, "float64") == "1.7976931348623157e+308");
    CHECK(numpy_text(1e-4, "float64") == "0.0001");
    CHECK(numpy_text(std::numeric_limits<std::int64_t>::min(), "int64") == "-9223372036854775808");
    CHECK(numpy_text(std::numeric_limits<std::uint64_t>::max(), "uint64") == "18446744073709551615");
    CHECK(numpy_text(std::uint64_t{1}, "bool") == "True");
    CHECK(numpy_text(std::uint64_t{0}, "bool") == "False");
}

TEST_CASE("numbers: a mean is rounded to the type of the tensor") {
    CHECK(numpy_mean_text(8188.0, "float16") == "8188.0");
    CHECK(numpy_mean_text(1.0 / 3, "float16") == "0.3333");
    CHECK(numpy_mean_text(1.0 / 3, "float32") == "0.33333334");
    CHECK(numpy_mean_text(1.0 / 3, "float64") == "0.3333333333333333");
    CHECK(numpy_mean_text(1.0 / 3, "int8") == "0.3333333333333333");
    CHECK(numpy_mean_text(0.5, "bool") == "0.5");
}

TEST_CASE("numbers: every float16 is printed as NumPy prints it") {
    const ProcessResult numpy =
        run_process({"/usr/bin/python3", "-c",
                     "import sys\n"
                     "try:\n"
                     "    import numpy\n"
                     "except ImportError:\n"
                     "    sys.exit(3)\n"
                     "for value in numpy.arange(65536, dtype=numpy.uint16).view(numpy.float16):\n"
                     "    print(value)\n"});
    if (numpy.exit_status == 3 || numpy.exit_status == 127) {
        skip("python3-numpy is not installed");
        return;
    }
    CAPTURE(numpy.err);
    REQUIRE(numpy.exit_status == 0);
    std::size_t begin = 0, different = 0, count = 0;
    for (unsigned pattern = 0; pattern < 65536; ++pattern) {
        const std::size_t end = numpy.out.find('\n', begin);
        REQUIRE(end != std::string::npos);
        const std::string expected = numpy.out.substr(begin, end - begin);
        begin = end + 1;
        const std::string shown = numpy_text(half_value(pattern), "float16");
        ++count;
        if (shown != expected) {
            ++different;
            MESSAGE(pattern, ": ", shown, " instead of ", expected);
        }
    }
    CHECK(count == 65536);
    CHECK(different == 0);
}

TEST_CASE("numbers in tables have the digits of their type, whole ones all of them") {
    CHECK(readable_number(65504.0, "float16") == "65504");
    CHECK(readable_number(0.0999755859375, "float16") == "0.1");
    CHECK(readable_number(2.2447566986083984, "float32") == "2.2447567");
    CHECK(readable_number(2.2447566986083984, "float64") == "2.2447566986083984");
    CHECK(readable_number(3.4028234663852886e38, "float32") == "3.4028235e+38");
    CHECK(readable_number(3.4028234663852886e38, "bfloat16") == "3.4028235e+38");
    CHECK(readable_number(std::int64_t{-5}, "int8") == "-5");
    CHECK(readable_mean(2.2447566986083984, "float32") == "2.2447567");
    CHECK(readable_mean(0.1, "int32") == "0.1");
    CHECK(readable_mean(1e-9, "float16") == "1e-09");
}
