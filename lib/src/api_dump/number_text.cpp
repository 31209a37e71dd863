#include "api_dump/number_text.hpp"

#include <charconv>
#include <limits>

#include "tree/spelling.hpp"

namespace opdebug::api_dump {
namespace {

constexpr std::string_view kBlanksAroundNumbers = " \t\r\n";

std::optional<double> special_number(std::string_view text) noexcept {
    const bool is_negative = !text.empty() && text.front() == '-';
    if (is_negative || (!text.empty() && text.front() == '+')) {
        text.remove_prefix(1);
    }
    if (tree::equals_ignoring_case(text, "nan")) {
        return std::numeric_limits<double>::quiet_NaN();
    }
    if (!tree::equals_ignoring_case(text, "inf") && !tree::equals_ignoring_case(text, "infinity")) {
        return std::nullopt;
    }
    return is_negative ? -std::numeric_limits<double>::infinity() : std::numeric_limits<double>::infinity();
}

/// A number of valid form that no double holds: too large, or too near to zero.
double beyond_range(std::string_view text) noexcept {
    const bool is_negative = text.front() == '-';
    if (is_negative) {
        text.remove_prefix(1);
    }
    const bool is_small =
        text.find("e-") != std::string_view::npos || text.find("E-") != std::string_view::npos || text.front() == '0';
    const bool is_integer = text.find_first_not_of("0123456789") == std::string_view::npos;
    const double size = is_small     ? 0.0
                        : is_integer ? std::numeric_limits<double>::max()
                                     : std::numeric_limits<double>::infinity();
    return is_negative ? -size : size;
}

}  // namespace

std::optional<double> number_in(std::string_view text) noexcept {
    if (const std::size_t first = text.find_first_not_of(kBlanksAroundNumbers); first != 0) {
        text.remove_prefix(first == std::string_view::npos ? text.size() : first);
    }
    text = text.substr(0, text.find_last_not_of(kBlanksAroundNumbers) + 1);
    const char* const end = text.data() + text.size();
    double value = 0;
    const auto parsed = std::from_chars(text.data(), end, value);
    if (parsed.ptr == end && parsed.ec == std::errc()) {
        return value;
    }
    return parsed.ptr == end && parsed.ec == std::errc::result_out_of_range ? beyond_range(text) : special_number(text);
}

}  // namespace opdebug::api_dump
