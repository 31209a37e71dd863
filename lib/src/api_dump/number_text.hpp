// Numbers as Python and C++ programs write them, also those that are not finite.
#pragma once

#include <optional>
#include <string_view>

namespace opdebug::api_dump {

/// A number, or one of the words nan, inf, infinity in any case and with a sign, blanks and tabs around them. An
/// integer beyond the range of double is the largest finite double: it is not infinite. Nothing for other texts.
std::optional<double> number_in(std::string_view text) noexcept;

}  // namespace opdebug::api_dump
