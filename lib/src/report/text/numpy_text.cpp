#include "report/text/numbers_and_times.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <variant>

#include <fmt/format.h>

namespace opdebug::report {
namespace {

/// The precision that the elements of a type have, as far as printing goes.
enum class Precision { half, single, twofold };

Precision precision_of(std::string_view dtype) {
    if (dtype == "float16" || dtype == "complex32") {
        return Precision::half;
    }
    const bool wide =
        dtype == "float64" || dtype == "complex128" || dtype.find("int") != std::string_view::npos || dtype == "bool";
    return wide ? Precision::twofold : Precision::single;
}

/// Below this every whole number is a double of its own.
constexpr double kExactWhole = 0x1p53;

/// The nearest value that float16 holds: 11 significant bits, the smallest step 2^-24 (IEEE 754 binary16).
double rounded_to_half(double value) {
    if (value == 0.0) {
        return value;
    }
    const int step = std::max(std::ilogb(value) - 10, -24);
    return std::ldexp(std::nearbyint(std::ldexp(value, -step)), step);
}

/// "d.ddde+xx" with the fewest digits that still round to the same float16. Five digits distinguish all of them.
/// Halfway between two decimal numbers either may be the one that does (2^-6: 1.563e-02, not 1.562e-02).
std::string half_digits(double value) {
    for (int decimals = 0; decimals < 4; ++decimals) {
        for (const double either : {value, std::nextafter(value, 1e9)}) {
            std::string text = fmt::format("{:.{}e}", either, decimals);
            if (rounded_to_half(std::strtod(text.c_str(), nullptr)) == value) {
                return text;
            }
        }
    }
    return fmt::format("{:.4e}", value);
}

template <class Float>
std::string shortest_digits(Float value) {
    std::array<char, 64> buffer{};
    const auto end = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value, std::chars_format::scientific);
    return {buffer.data(), end.ptr};
}

std::string digits_of(double value, Precision precision) {
    switch (precision) {
        case Precision::half: return half_digits(value);
        case Precision::single: return shortest_digits(static_cast<float>(value));
        case Precision::twofold: break;
    }
    return shortest_digits(value);
}

/// Python and NumPy write numbers from 1e-4 to below 1e16 without an exponent.
bool wants_exponent(double magnitude) {
    return magnitude != 0.0 && (magnitude < 1e-4 || magnitude >= 1e16);
}

std::string float_text(double value, Precision precision) {
    if (!std::isfinite(value)) {
        return std::isnan(value) ? "nan" : value < 0 ? "-inf" : "inf";
    }
    std::string text = digits_of(std::fabs(value), precision);  // "6.55e+04"
    if (!wants_exponent(std::fabs(value))) {
        const std::size_t mark = text.find('e');
        const long exponent = std::strtol(text.c_str() + mark + 1, nullptr, 10);
        std::string digits = text.substr(0, 1) + (mark > 2 ? text.substr(2, mark - 2) : "");
        if (exponent < 0) {
            digits.insert(0, static_cast<std::size_t>(-exponent), '0');
        }
        const std::size_t whole = exponent < 0 ? 1 : static_cast<std::size_t>(exponent) + 1;
        digits.resize(std::max(digits.size(), whole + 1), '0');
        text = digits.insert(whole, 1, '.');
    }
    return (std::signbit(value) ? "-" : "") + text;
}

}  // namespace

std::string numpy_text(const TensorNumber& value, std::string_view dtype) {
    if (dtype == "bool") {
        const bool is_true = std::visit([](const auto number) { return number != 0; }, value);
        return is_true ? "True" : "False";
    }
    const auto* const number = std::get_if<double>(&value);
    return number != nullptr ? float_text(*number, precision_of(dtype))
                             : std::visit([](const auto integer) { return fmt::to_string(integer); }, value);
}

std::string numpy_mean_text(double mean, std::string_view dtype) {
    const Precision precision = precision_of(dtype);
    return float_text(precision == Precision::half ? rounded_to_half(mean) : mean, precision);
}

std::string readable_number(const TensorNumber& value, std::string_view dtype) {
    const auto* const number = std::get_if<double>(&value);
    if (number != nullptr && (*number != std::trunc(*number) || std::fabs(*number) >= kExactWhole)) {
        return numpy_text(value, dtype);
    }
    return std::visit([](const auto whole) { return fmt::format("{}", whole); }, value);
}

std::string readable_mean(double mean, std::string_view dtype) {
    return precision_of(dtype) == Precision::twofold ? fmt::format("{}", mean)
                                                     : fmt::format("{}", static_cast<float>(mean));
}

}  // namespace opdebug::report
