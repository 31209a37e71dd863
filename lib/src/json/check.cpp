#include "json/check.hpp"

#include <cstdint>
#include <string>

#include <nlohmann/json.hpp>

#include "bytes/utf8.hpp"
#include "json/plain_text.hpp"

namespace opdebug::json_stage {
namespace {

constexpr bool is_decimal_digit(char c) {
    return c >= '0' && c <= '9';
}

/// Each function moves behind what it is named after; false where something else stands there.
class Check {
public:
    explicit Check(std::string_view text) : text_(text) {}

    /// Lists and objects inside one another are remembered by their closing brackets.
    bool whole() {
        bool more = true;
        while (more) {
            if (!value_begin(more) || (!more && !value_end(more))) {
                return false;
            }
        }
        return at_ == text_.size();
    }

private:
    bool value_begin(bool& opened);
    bool value_end(bool& more);
    bool key();
    bool string();
    bool escape();
    bool utf16_unit(std::uint32_t& unit);
    bool number();
    bool digits();

    /// The next character; NUL, which no JSON has outside of strings, at the end.
    char next() const noexcept { return at_ < text_.size() ? text_[at_] : '\0'; }
    char next_behind_blanks() noexcept {
        while (next() == ' ' || next() == '\n' || next() == '\r' || next() == '\t') {
            ++at_;
        }
        return next();
    }
    bool one(char wanted) noexcept {
        const bool is_there = at_ < text_.size() && text_[at_] == wanted;
        at_ += is_there ? 1 : 0;
        return is_there;
    }
    bool word(std::string_view wanted) noexcept {
        const bool is_there = text_.substr(at_, wanted.size()) == wanted;
        at_ += is_there ? wanted.size() : 0;
        return is_there;
    }

    std::string_view text_;
    std::size_t at_ = 0;
    std::string open_;
};

/// `opened`: it is a list or an object that has members, and stands before the first one's value.
bool Check::value_begin(bool& opened) {
    opened = false;
    const char first = next_behind_blanks();
    switch (first) {
        case '{':
        case '[': {
            const char closing = first == '{' ? '}' : ']';
            ++at_;
            opened = next_behind_blanks() != closing;
            if (!opened) {
                return one(closing);
            }
            open_ += closing;
            return first == '[' || key();
        }
        case '"': return string();
        case 't': return word("true");
        case 'f': return word("false");
        case 'n': return word("null");
        default: return number();
    }
}

/// `more`: a further value follows.
bool Check::value_end(bool& more) {
    while (true) {
        const char c = next_behind_blanks();
        if (open_.empty()) {
            more = false;
            return true;
        }
        if (c == ',') {
            ++at_;
            more = true;
            return open_.back() == ']' || key();
        }
        if (!one(open_.back())) {
            return false;
        }
        open_.pop_back();
    }
}

bool Check::key() {
    return next_behind_blanks() == '"' && string() && next_behind_blanks() == ':' && one(':');
}

bool Check::string() {
    ++at_;
    while (true) {
        at_ += plain_length(text_.substr(at_));
        if (at_ == text_.size()) {
            return false;
        }
        const auto byte = static_cast<unsigned char>(text_[at_]);
        if (byte == '"') {
            ++at_;
            return true;
        }
        if (byte == '\\') {
            ++at_;
            if (!escape()) {
                return false;
            }
            continue;
        }
        const bytes::Utf8Sequence character = bytes::utf8_sequence(text_, at_);
        if (byte < 0x20 || !character.valid) {
            return false;
        }
        at_ += character.length;
    }
}

/// Behind a backslash. Halves of a surrogate pair do not stand alone.
bool Check::escape() {
    if (!one('u')) {
        const bool is_known = std::string_view("\"\\/bfnrt").find(next()) != std::string_view::npos;
        ++at_;
        return is_known;
    }
    std::uint32_t unit = 0, second = 0;
    if (!utf16_unit(unit)) {
        return false;
    }
    const bool is_first = unit >= 0xD800 && unit < 0xDC00;
    if (is_first) {
        return word("\\u") && utf16_unit(second) && second >= 0xDC00 && second < 0xE000;
    }
    return unit < 0xDC00 || unit >= 0xE000;
}

bool Check::utf16_unit(std::uint32_t& unit) {
    constexpr std::size_t kDigits = 4;
    for (std::size_t i = 0; i < kDigits; ++i, ++at_) {
        const char c = next();
        const char letter = static_cast<char>(static_cast<unsigned char>(c) | 0x20U);
        if (!is_decimal_digit(c) && (letter < 'a' || letter > 'f')) {
            return false;
        }
        unit = unit * 16 + static_cast<std::uint32_t>(is_decimal_digit(c) ? c - '0' : letter - 'a' + 10);
    }
    return true;
}

bool Check::digits() {
    const std::size_t begin = at_;
    while (is_decimal_digit(next())) {
        ++at_;
    }
    return at_ != begin;
}

bool Check::number() {
    constexpr std::size_t kSurelyFinite = 300;  // digits: a double has up to 309 before the point
    const std::size_t begin = at_;
    (void)one('-');
    if (!one('0') && !digits()) {
        return false;
    }
    if (one('.') && !digits()) {
        return false;
    }
    bool may_be_large = at_ - begin > kSurelyFinite;
    if (one('e') || one('E')) {
        may_be_large = true;
        (void)(one('+') || one('-'));
        if (!digits()) {
            return false;
        }
    }
    const std::string_view written = text_.substr(begin, at_ - begin);
    return !may_be_large || nlohmann::json::accept(written.begin(), written.end());
}

}  // namespace

bool is_json(std::string_view text) {
    return Check(text).whole();
}

}  // namespace opdebug::json_stage
