#include "logs/patterns/pattern_text.hpp"

#include <algorithm>
#include <optional>

#include "logs/text/lexer.hpp"

namespace opdebug::logs {
namespace {

template <class Test>
constexpr ByteSet set_of(Test test) {
    ByteSet set{};
    for (std::size_t byte = 0; byte < set.size(); ++byte) {
        set[byte] = test(static_cast<char>(byte));
    }
    return set;
}
constexpr ByteSet kDigits = set_of(is_digit);
constexpr ByteSet kWordBytes = set_of(is_word);
constexpr ByteSet kSpecial =
    set_of([](char byte) { return std::string_view("\\[](){}.*+?|^$").find(byte) != std::string_view::npos; });
constexpr ByteSet kRepeats =
    set_of([](char byte) { return std::string_view("?*+{").find(byte) != std::string_view::npos; });

constexpr bool is_in(const ByteSet& set, char byte) noexcept {
    return set[static_cast<unsigned char>(byte)];
}

}  // namespace

void PatternText::fail() noexcept {
    failed_ = true;
    rest_ = {};
}

bool PatternText::take(std::string_view expected) noexcept {
    return logs::take(rest_, expected);
}

std::string_view PatternText::take_word() noexcept {
    const std::string_view word = front_while(rest_, is_word);
    rest_.remove_prefix(word.size());
    return word;
}

char PatternText::take_byte() noexcept {
    const char byte = rest_.front();
    rest_.remove_prefix(1);
    return byte;
}

std::optional<char> PatternText::take_plain_byte() noexcept {
    if (rest_.empty() || is_in(kSpecial, rest_.front()) || (rest_.size() > 1 && is_in(kRepeats, rest_[1]))) {
        return std::nullopt;
    }
    return take_byte();
}

char PatternText::take_single_byte() noexcept {
    if (!is_in(kSpecial, rest_.front())) {
        return take_byte();
    }
    if (!take("\\") || rest_.empty() || is_word(rest_.front()) || rest_.front() == '<' || rest_.front() == '>' ||
        rest_.front() == '`' || rest_.front() == '\'') {
        fail();
        return '\0';
    }
    return take_byte();
}

bool PatternText::take_named_set(ByteSet& set) noexcept {
    const bool digits = take("\\d");
    if (!digits && !take("\\w")) {
        return false;
    }
    const ByteSet& named = digits ? kDigits : kWordBytes;
    std::transform(set.begin(), set.end(), named.begin(), set.begin(), std::logical_or<>());
    return true;
}

ByteSet PatternText::take_class() noexcept {
    ByteSet set{};
    rest_.remove_prefix(1);
    const bool excludes = take("^");
    bool empty = true;
    while (!failed_ && !rest_.empty() && rest_.front() != ']') {
        empty = false;
        if (!take_named_set(set)) {
            take_range(set);
        }
    }
    if (empty || !take("]")) {
        fail();
    }
    for (bool& member : set) {
        member = member != excludes;
    }
    return set;
}

/// "a-f" or one byte of a class.
void PatternText::take_range(ByteSet& set) noexcept {
    const char first = take_class_byte();
    char last = first;
    if (rest_.size() > 1 && rest_[0] == '-' && rest_[1] != ']') {
        rest_.remove_prefix(1);
        last = failed_ ? first : take_class_byte();
    }
    if (last < first) {
        fail();
    }
    const std::size_t end = static_cast<unsigned char>(last) + std::size_t{1};
    for (std::size_t byte = static_cast<unsigned char>(first); byte < end; ++byte) {
        set[byte] = true;
    }
}

char PatternText::take_class_byte() noexcept {
    const bool escaped = take("\\");
    const char byte = rest_.empty() ? '\0' : take_byte();
    if (byte < ' ' || byte > '~' || (escaped && is_word(byte)) || (!escaped && (byte == '[' || byte == '-'))) {
        fail();  // also bytes above 127, which are negative on some processors
        return '\0';
    }
    return byte;
}

std::optional<std::uint32_t> PatternText::take_count() noexcept {
    constexpr std::int64_t kMost = 1000;
    if (rest_.empty() || !is_digit(rest_.front())) {
        return std::nullopt;
    }
    const std::optional<std::int64_t> count = take_integer(rest_);
    if (!count || *count > kMost) {
        fail();
        return std::nullopt;
    }
    return static_cast<std::uint32_t>(*count);
}

Repeat PatternText::take_repeat() noexcept {
    Repeat repeat;
    if (take("?")) {
        repeat = {0, 1};
    } else if (take("*")) {
        repeat = {0, kUnbounded};
    } else if (take("+")) {
        repeat = {1, kUnbounded};
    } else if (take("{")) {
        const std::optional<std::uint32_t> minimum = take_count();
        const bool has_comma = take(",");
        const std::optional<std::uint32_t> maximum = has_comma ? take_count() : minimum;
        repeat = {minimum.value_or(0), maximum.value_or(kUnbounded)};
        if (!minimum || repeat.maximum < repeat.minimum || !take("}")) {
            fail();
        }
    } else {
        return repeat;
    }
    repeat.lazy = take("?");
    if (!rest_.empty() && (rest_.front() == '+' || rest_.front() == '*' || rest_.front() == '?')) {
        fail();
    }
    return repeat;
}

}  // namespace opdebug::logs
