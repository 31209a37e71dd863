// Steps of taking a text apart: each takes what it names off the front of `rest`, or leaves `rest` as it is.
#pragma once

#include <charconv>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

namespace opdebug::logs {

constexpr bool is_digit(char c) noexcept {
    return c >= '0' && c <= '9';
}
constexpr bool is_upper(char c) noexcept {
    return c >= 'A' && c <= 'Z';
}
constexpr bool is_word(char c) noexcept {
    return is_digit(c) || is_upper(c) || (c >= 'a' && c <= 'z') || c == '_';
}

/// The longest front part of which every byte passes the test; `rest` does not change.
template <class Test>
constexpr std::string_view front_while(std::string_view rest, Test test) noexcept {
    std::size_t length = 0;
    while (length < rest.size() && test(rest[length])) {
        ++length;
    }
    return rest.substr(0, length);
}

constexpr bool take(std::string_view& rest, std::string_view expected) noexcept {
    if (!rest.starts_with(expected)) {
        return false;
    }
    rest.remove_prefix(expected.size());
    return true;
}

constexpr void skip_spaces(std::string_view& rest) noexcept {
    while (!rest.empty() && rest.front() == ' ') {
        rest.remove_prefix(1);
    }
}

/// A decimal number that fits 64 bits; too large a number is not one.
inline std::optional<std::int64_t> take_integer(std::string_view& rest) noexcept {
    std::int64_t value = 0;
    const auto [end, failure] = std::from_chars(rest.data(), rest.data() + rest.size(), value);
    if (failure != std::errc{}) {
        return std::nullopt;
    }
    rest.remove_prefix(static_cast<std::size_t>(end - rest.data()));
    return value;
}

/// The content of "[...]" at the front of `rest`, without the brackets; `rest` does not change.
constexpr std::optional<std::string_view> front_block(std::string_view rest) noexcept {
    if (rest.empty() || rest.front() != '[') {
        return std::nullopt;
    }
    const std::size_t end = rest.find(']');
    if (end == std::string_view::npos) {
        return std::nullopt;
    }
    return rest.substr(1, end - 1);
}

constexpr void take_block(std::string_view& rest, std::string_view content) noexcept {
    rest.remove_prefix(content.size() + 2);
}

}  // namespace opdebug::logs
