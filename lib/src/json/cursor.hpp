// A forward parser for Python's JSON in memory, as msprobe and ptdbg_ascend write it. It also accepts the bare words
// NaN, Infinity and -Infinity, and integers of any length. Why no library is used: docs/internals/architecture.md.
#pragma once

#include <cstdint>
#include <cstring>
#include <deque>
#include <string>
#include <string_view>
#include <vector>

namespace opdebug::json_stage {

/// Why a cursor stopped. end: the text ends inside a value, and more of the file may follow. too_deep: the nesting
/// exceeds the limit.
enum class JsonStop { none, end, malformed, too_deep };

/// python: also NaN, Infinity, -Infinity, lone surrogates and numbers beyond a double. strict: none of these.
enum class JsonDialect { python, strict };

/// null, true, false, a number, or a text.
struct JsonScalar {
    enum class Kind { null, truth, number, text };
    Kind kind = Kind::null;
    std::string_view text;  ///< content of a string; otherwise the word or digits
};

/// Each function returns false if it stops; stop() is the reason. Do not read on after a stop.
class JsonCursor {
public:
    JsonCursor(std::string_view text, std::uint64_t most_nested, JsonDialect dialect = JsonDialect::python)
        : begin_(text.data()), at_(begin_), end_(begin_ + text.size()), most_nested_(most_nested), dialect_(dialect) {}

    /// Skips whitespace and returns the next character without consuming it.
    bool peek(char& next) noexcept {
        while (at_ != end_ && (*at_ == ' ' || *at_ == '\n' || *at_ == '\r' || *at_ == '\t')) {
            ++at_;
        }
        if (at_ == end_) {
            return !stopped(JsonStop::end);
        }
        next = *at_;
        return true;
    }

    /// Consumes the character of peek().
    void pass() noexcept { ++at_; }

    /// Consumes this text if it is next.
    bool pass_text(std::string_view text) noexcept {
        const bool is_next =
            static_cast<std::size_t>(end_ - at_) > text.size() && std::memcmp(at_, text.data(), text.size()) == 0;
        at_ += is_next ? text.size() : 0;
        return is_next;
    }

    /// Consumes whitespace and this character.
    bool expect(char wanted) noexcept {
        char next = 0;
        if (!peek(next)) {
            return false;
        }
        if (next != wanted) {
            return malformed();
        }
        pass();
        return true;
    }

    /// Moves to the next member of an object or list. `closed`: the closing bracket came instead and is consumed.
    /// `first`: no member was read yet, so no comma is expected.
    bool next_member(char closing, bool first, bool& closed) noexcept {
        char next = 0;
        if (!peek(next)) {
            return false;
        }
        closed = next == closing;
        if (closed) {
            pass();
            return true;
        }
        return first || expect(',');
    }

    /// Parses a key and its colon.
    bool key(std::string_view& text);

    /// Parses a value that is no list and no object. The content of a string is valid as long as the cursor and the
    /// text.
    bool scalar(JsonScalar& value);

    /// Parses a number in digits. For other values it consumes nothing and `is_one` is false.
    bool number(double& value, bool& is_one) noexcept;

    /// Parses a list of integers. For other values it consumes nothing and `is_list` is false.
    bool integers(std::vector<std::int64_t>& numbers, bool& is_list);

    /// Skips any value.
    bool skip_value();

    bool too_deep(std::uint64_t nested) noexcept { return nested > most_nested_ && stopped(JsonStop::too_deep); }
    bool malformed() noexcept { return !stopped(JsonStop::malformed); }  ///< for callers: stops and returns false

    /// A location to return to.
    using Mark = const char*;
    Mark mark() const noexcept { return at_; }
    void go_back(Mark to) noexcept { at_ = to; }
    std::string_view text_since(Mark begin) const noexcept { return {begin, static_cast<std::size_t>(at_ - begin)}; }

    JsonStop stop() const noexcept { return stop_; }
    std::size_t position() const noexcept { return static_cast<std::size_t>(at_ - begin_); }

private:
    bool stopped(JsonStop why) noexcept {
        stop_ = why;
        return true;
    }
    bool read_text(std::string_view& text);
    bool decode(std::string_view raw, std::string_view& text);
    bool read_word(JsonScalar& value);

    const char* begin_;
    const char* at_;
    const char* end_;
    std::uint64_t most_nested_;
    JsonDialect dialect_;
    JsonStop stop_ = JsonStop::none;
    std::deque<std::string> decoded_;  ///< strings with escapes
    std::string open_;                 ///< closing brackets that skip_value() expects
};

}  // namespace opdebug::json_stage
