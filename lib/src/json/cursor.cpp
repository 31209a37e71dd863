// Scanning of JSON texts and numbers.
#include "json/cursor.hpp"

#include <algorithm>
#include <array>
#include <charconv>

#include "json/values.hpp"

namespace opdebug::json_stage {
namespace {

/// Characters of numbers and of the words null, true, false, NaN, Infinity.
constexpr std::array<bool, 256> kWordCharacters = [] {
    std::array<bool, 256> table{};
    for (const char c : std::string_view("0123456789+-.abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ")) {
        table[static_cast<unsigned char>(c)] = true;
    }
    return table;
}();

constexpr bool is_digit(char c) noexcept {
    return c >= '0' && c <= '9';
}

/// Skips digits. Returns false if there are none.
constexpr bool pass_digits(std::string_view& text) noexcept {
    const std::size_t before = text.size();
    while (!text.empty() && is_digit(text.front())) {
        text.remove_prefix(1);
    }
    return text.size() != before;
}

constexpr bool pass_one_of(std::string_view& text, char one, char other) noexcept {
    const bool is_next = !text.empty() && (text.front() == one || text.front() == other);
    text.remove_prefix(is_next ? 1 : 0);
    return is_next;
}

/// The grammar of JSON numbers: no leading zeros, digits on both sides of a point. Other texts are damaged, even if a
/// part looks like a number.
constexpr bool is_number(std::string_view text) noexcept {
    pass_one_of(text, '-', '-');
    const bool is_zero = pass_one_of(text, '0', '0');
    if (is_zero ? (!text.empty() && is_digit(text.front())) : !pass_digits(text)) {
        return false;
    }
    if (pass_one_of(text, '.', '.') && !pass_digits(text)) {
        return false;
    }
    if (pass_one_of(text, 'e', 'E')) {
        pass_one_of(text, '+', '-');
        return pass_digits(text) && text.empty();
    }
    return text.empty();
}

/// Whether a double holds the number: other readers refuse 1e999. A short number without an exponent fits.
bool fits_double(std::string_view number) noexcept {
    constexpr std::size_t kShort = 300;
    double value = 0;
    return (number.size() < kShort && number.find_first_of("eE") == std::string_view::npos) ||
           std::from_chars(number.data(), number.data() + number.size(), value).ec == std::errc();
}

/// The same for a number that std::from_chars() accepted. Only leading zeros and a point without digits remain to be
/// checked.
bool is_written_as_number(const char* begin, const char* end) noexcept {
    const char* const first = begin + (*begin == '-' ? 1 : 0);
    const char* const point = std::find(first, end - 1, '.');
    return is_digit(*first) && is_digit(end[-1]) && (*first != '0' || first + 1 == end || !is_digit(first[1])) &&
           (point == end - 1 || is_digit(point[1]));
}

void append_utf8(std::string& text, std::uint32_t code) {
    const auto byte = [&text](std::uint32_t bits) { text += static_cast<char>(static_cast<unsigned char>(bits)); };
    if (code < 0x80) {
        byte(code);
    } else if (code < 0x800) {
        byte(0xC0U | code >> 6U);
        byte(0x80U | (code & 0x3FU));
    } else if (code < 0x10000) {
        byte(0xE0U | code >> 12U);
        byte(0x80U | (code >> 6U & 0x3FU));
        byte(0x80U | (code & 0x3FU));
    } else {
        byte(0xF0U | code >> 18U);
        byte(0x80U | (code >> 12U & 0x3FU));
        byte(0x80U | (code >> 6U & 0x3FU));
        byte(0x80U | (code & 0x3FU));
    }
}

/// The four hexadecimal digits after "\u" at `at`.
bool read_unit(std::string_view raw, std::size_t at, std::uint32_t& unit) {
    if (raw.size() < at + 4) {
        return false;
    }
    const char* const end = raw.data() + at + 4;
    const auto parsed = std::from_chars(raw.data() + at, end, unit, 16);
    return parsed.ec == std::errc() && parsed.ptr == end;
}

/// Decodes one \uXXXX or a surrogate pair. `at` is after the "u" and is moved. A lone surrogate becomes U+FFFD: Python
/// accepts it, but it is no character.
bool append_unit(std::string_view raw, JsonDialect dialect, std::size_t& at, std::string& text) {
    std::uint32_t unit = 0;
    if (!read_unit(raw, at, unit)) {
        return false;
    }
    at += 4;
    std::uint32_t second = 0;
    const bool is_pair = unit >= 0xD800 && unit < 0xDC00 && raw.substr(at, 2) == "\\u" &&
                         read_unit(raw, at + 2, second) && second >= 0xDC00 && second < 0xE000;
    if (is_pair) {
        at += 6;
        append_utf8(text, 0x10000 + ((unit - 0xD800) << 10U) + (second - 0xDC00));
        return true;
    }
    const bool is_lone = unit >= 0xD800 && unit < 0xE000;
    append_utf8(text, is_lone ? 0xFFFD : unit);
    return !is_lone || dialect == JsonDialect::python;
}

}  // namespace

bool JsonCursor::key(std::string_view& text) {
    char next = 0;
    if (!peek(next)) {
        return false;
    }
    return next == '"' ? read_text(text) && expect(':') : malformed();
}

bool JsonCursor::read_text(std::string_view& text) {
    const char* const first = at_ + 1;
    bool escaped = false;
    for (const char* at = first; at < end_; ++at) {
        if (*at == '"') {
            at_ = at + 1;
            text = {first, static_cast<std::size_t>(at - first)};
            return !escaped || decode(text, text);
        }
        if (*at == '\\') {
            escaped = true;
            if (++at == end_) {
                break;
            }
        }
    }
    return !stopped(JsonStop::end);
}

bool JsonCursor::decode(std::string_view raw, std::string_view& text) {
    constexpr std::string_view kLetters = "\"\\/bfnrt";
    constexpr std::string_view kMeant = "\"\\/\b\f\n\r\t";
    std::string decoded;
    for (std::size_t at = 0; at < raw.size();) {
        const std::size_t backslash = std::min(raw.find('\\', at), raw.size());
        decoded += raw.substr(at, backslash - at);
        at = backslash + 1;
        if (backslash == raw.size()) {
            break;
        }
        const char letter = raw[at++];  // read_text() checked that a letter follows
        const std::size_t known = kLetters.find(letter);
        if (known != std::string_view::npos) {
            decoded += kMeant[known];
        } else if (letter != 'u' || !append_unit(raw, dialect_, at, decoded)) {
            return malformed();
        }
    }
    text = decoded_.emplace_back(std::move(decoded));
    return true;
}

bool JsonCursor::read_word(JsonScalar& value) {
    const char* const first = at_;
    while (at_ != end_ && kWordCharacters[static_cast<unsigned char>(*at_)]) {
        ++at_;
    }
    if (at_ == end_) {
        return !stopped(JsonStop::end);  // more digits may follow
    }
    value.text = {first, static_cast<std::size_t>(at_ - first)};
    const std::string_view word = value.text;
    const bool is_python = dialect_ == JsonDialect::python;
    if (is_number(word) ? is_python || fits_double(word)
                        : is_python && (word == "NaN" || word == "Infinity" || word == "-Infinity")) {
        value.kind = JsonScalar::Kind::number;
    } else if (word == "null") {
        value.kind = JsonScalar::Kind::null;
    } else if (word == "true" || word == "false") {
        value.kind = JsonScalar::Kind::truth;
    } else {
        at_ = first;
        return malformed();
    }
    return true;
}

bool JsonCursor::scalar(JsonScalar& value) {
    char next = 0;
    if (!peek(next)) {
        return false;
    }
    if (next == '"') {
        value.kind = JsonScalar::Kind::text;
        return read_text(value.text);
    }
    return read_word(value);
}

bool JsonCursor::number(double& value, bool& is_one) noexcept {
    const bool may_be_one = (*at_ >= '0' && *at_ <= '9') || *at_ == '-';
    is_one = false;
    if (!may_be_one) {
        return true;
    }
    const auto parsed = std::from_chars(at_, end_, value);
    if (parsed.ptr == end_) {
        return !stopped(JsonStop::end);  // digits might follow
    }
    is_one = parsed.ec == std::errc() && !kWordCharacters[static_cast<unsigned char>(*parsed.ptr)] &&
             is_written_as_number(at_, parsed.ptr);
    at_ = is_one ? parsed.ptr : at_;
    return true;
}

/// Optimized for whitespace between the numbers: msprobe writes each number on its own line.
bool JsonCursor::integers(std::vector<std::int64_t>& numbers, bool& is_list) {
    const Mark before = at_;
    numbers.clear();
    is_list = false;
    pass();
    for (bool first = true;; first = false) {
        char next = 0;
        if (!next_member(']', first, is_list)) {
            return false;
        }
        if (is_list) {
            return true;
        }
        if (!peek(next)) {
            return false;
        }
        std::int64_t number = 0;
        const auto parsed = std::from_chars(at_, end_, number);
        if (parsed.ptr == end_ && next != '"') {
            return !stopped(JsonStop::end);  // digits might follow
        }
        if (parsed.ec != std::errc() || kWordCharacters[static_cast<unsigned char>(*parsed.ptr)] ||
            !is_written_as_number(at_, parsed.ptr)) {
            break;
        }
        numbers.push_back(number);
        at_ = parsed.ptr;
    }
    numbers.clear();
    go_back(before);
    return true;
}

bool JsonCursor::skip_value() {
    open_.clear();
    bool first = true;
    while (true) {
        if (!open_.empty()) {
            bool closed = false;
            std::string_view ignored;
            const char closing = open_.back();
            if (!next_member(closing, first, closed) || (!closed && closing == '}' && !key(ignored))) {
                return false;
            }
            first = false;
            if (closed) {
                open_.pop_back();
                if (open_.empty()) {
                    return true;
                }
                continue;
            }
        }
        char next = 0;
        JsonScalar ignored;
        if (!peek(next)) {
            return false;
        }
        if (next == '{' || next == '[') {
            pass();
            open_ += next == '{' ? '}' : ']';
            first = true;
            if (too_deep(open_.size())) {
                return false;
            }
        } else if (!scalar(ignored)) {
            return false;
        } else if (open_.empty()) {
            return true;
        }
    }
}

bool read_scalar(JsonCursor& cursor, JsonScalar::Kind kind, std::string_view& text) {
    JsonScalar scalar;
    if (!cursor.scalar(scalar) || scalar.kind != kind) {
        return false;
    }
    text = scalar.text;
    return true;
}

bool is_null(JsonCursor& cursor) {
    char next = 0;
    return cursor.peek(next) && next == 'n';
}

template <class Number>
static bool read_digits(JsonCursor& cursor, Number& number) {
    std::string_view digits;
    if (!read_scalar(cursor, JsonScalar::Kind::number, digits)) {
        return false;
    }
    const char* const end = digits.data() + digits.size();
    const auto read = std::from_chars(digits.data(), end, number);
    return read.ec == std::errc() && read.ptr == end;
}

bool read_number(JsonCursor& cursor, std::uint64_t& number) {
    return read_digits(cursor, number);
}

bool read_number(JsonCursor& cursor, int& number) {
    return read_digits(cursor, number);
}

bool read_truth(JsonCursor& cursor, bool& truth) {
    std::string_view word;
    const bool is_one = read_scalar(cursor, JsonScalar::Kind::truth, word);
    truth = word == "true";
    return is_one;
}

}  // namespace opdebug::json_stage
