// Python's JSON, read forward over text that lies in memory: what msprobe and ptdbg_ascend write. Beside JSON it has
// the bare words NaN, Infinity and -Infinity, and integers of any length. Why no library reads it:
// docs/architecture.md.
#pragma once

#include <cstdint>
#include <cstring>
#include <deque>
#include <string>
#include <string_view>
#include <vector>

namespace opdebug::json_stage {

/// Why a cursor stopped. end: the text ends inside a value, more of the file may follow. too_deep: more lists and
/// objects inside one another than are allowed.
enum class JsonStop { none, end, malformed, too_deep };

/// null, true, false, a number, or a text.
struct JsonScalar {
    enum class Kind { null, truth, number, text };
    Kind kind = Kind::null;
    std::string_view text;  ///< a text's content, else the word or digits
};

/// Each function returns false when it stops, and stop() says why; nothing may be read then.
class JsonCursor {
public:
    JsonCursor(std::string_view text, std::uint64_t most_nested)
        : begin_(text.data()), at_(begin_), end_(begin_ + text.size()), most_nested_(most_nested) {}

    /// Passes blanks and gives the first character of what follows, which is not passed.
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

    /// Passes the character that peek() gave.
    void pass() noexcept { ++at_; }

    /// Passes this text where it comes next.
    bool pass_text(std::string_view text) noexcept {
        const bool is_next =
            static_cast<std::size_t>(end_ - at_) > text.size() && std::memcmp(at_, text.data(), text.size()) == 0;
        at_ += is_next ? text.size() : 0;
        return is_next;
    }

    /// Passes blanks and this character.
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

    /// An object's or a list's next member: `closed` where the closing bracket came instead, which is passed. `first`:
    /// whether no member was read yet, so that no comma comes in front.
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

    /// A key with its colon.
    bool key(std::string_view& text);

    /// A value that is no list and no object. A text's content lives as long as the cursor and the text.
    bool scalar(JsonScalar& value);

    /// A number written in digits, which is nearly every one. Where something else comes, nothing is passed and
    /// `is_one` is false.
    bool number(double& value, bool& is_one) noexcept;

    /// A list of integers. Where it is none, nothing is passed and `is_list` is false.
    bool integers(std::vector<std::int64_t>& numbers, bool& is_list);

    /// Passes a value of any kind.
    bool skip_value();

    bool too_deep(std::uint64_t nested) noexcept { return nested > most_nested_ && stopped(JsonStop::too_deep); }
    bool malformed() noexcept { return !stopped(JsonStop::malformed); }  ///< for callers: stops here, false

    /// A place to come back to.
    using Place = const char*;
    Place place() const noexcept { return at_; }
    void go_back(Place place) noexcept { at_ = place; }
    std::string_view text_since(Place place) const noexcept { return {place, static_cast<std::size_t>(at_ - place)}; }

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
    JsonStop stop_ = JsonStop::none;
    std::deque<std::string> decoded_;  ///< texts that had escapes
    std::string open_;                 ///< closing brackets that skip_value() waits for
};

}  // namespace opdebug::json_stage
