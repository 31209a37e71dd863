#include "api_dump/path_order.hpp"

#include <algorithm>

namespace opdebug::api_dump {
namespace {

bool is_digit(char c) noexcept {
    return c >= '0' && c <= '9';
}

/// The digits at the begin, without leading zeros; taken away.
std::string_view take_number(std::string_view& text) noexcept {
    std::string_view digits = text.substr(0, std::min(text.find_first_not_of("0123456789"), text.size()));
    text.remove_prefix(digits.size());
    digits.remove_prefix(std::min(digits.find_first_not_of('0'), digits.size()));
    return digits;
}

/// Folders end before longer names that begin the same.
int place_of(char c) noexcept {
    return c == '/' ? -1 : static_cast<unsigned char>(c);
}

}  // namespace

bool comes_before(std::string_view a, std::string_view b) noexcept {
    std::string_view left = a, right = b;
    while (!left.empty() && !right.empty()) {
        if (is_digit(left.front()) && is_digit(right.front())) {
            const std::string_view first = take_number(left), second = take_number(right);
            if (first != second) {
                return first.size() != second.size() ? first.size() < second.size() : first < second;
            }
        } else if (left.front() != right.front()) {
            return place_of(left.front()) < place_of(right.front());
        } else {
            left.remove_prefix(1);
            right.remove_prefix(1);
        }
    }
    return left.empty() != right.empty() ? left.empty() : a < b;
}

}  // namespace opdebug::api_dump
