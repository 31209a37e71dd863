// Numbers as NumPy prints them, for the summary of overflows, and in tables for people.
#pragma once

#include <string>
#include <string_view>

#include <opdebug/tensor.hpp>

namespace opdebug::report {

/// A value as NumPy prints a scalar of that type: with the fewest digits that distinguish it from its neighbours in the
/// type, always with a decimal point or an exponent. 65504 in float16 is "65500.0", in float32 "65504.0". Integers in
/// full; bool: "True" or "False". Types that NumPy lacks are printed as float32, which holds their values.
std::string numpy_text(const TensorNumber& value, std::string_view dtype);

/// A mean as NumPy prints it: rounded to the tensor's type; float64 for integers.
std::string numpy_mean_text(double mean, std::string_view dtype);

/// A value in a table: whole numbers in full ("65504" also in float16), others with the digits of their type.
std::string readable_number(const TensorNumber& value, std::string_view dtype);

/// A mean in a table: float32's digits, which are more than float16 has; float64's for integers and float64.
std::string readable_mean(double mean, std::string_view dtype);

}  // namespace opdebug::report
