// JSON as text, told member by member.
//
// There is no tree of the values in between: making, walking and freeing one of nlohmann_json took more than half of a
// scan's time, and its destructors take memory, so that the program ended where there was none.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <opdebug/report.hpp>

namespace opdebug::report {

/// Writes one JSON value, mostly an object. Texts come from files and logs: bytes that are not UTF-8 become U+FFFD, and
/// hidden characters (hidden_characters.hpp), which JSON would let through to a terminal, are escaped.
class JsonWriter {
public:
    /// Spaces per level; all in one line without.
    using Indent = std::optional<unsigned>;

    explicit JsonWriter(Indent indent);
    explicit JsonWriter(const ReportOptions& options);

    void begin_object() { begin('{'); }
    void end_object() { end('}'); }
    void begin_array() { begin('['); }
    void end_array() { end(']'); }

    /// The name of the next value.
    void key(std::string_view name);
    void begin_object(std::string_view name) {
        key(name);
        begin_object();
    }
    void begin_array(std::string_view name) {
        key(name);
        begin_array();
    }

    void null() { literal("null"); }
    void value(bool truth) { literal(truth ? "true" : "false"); }
    void value(std::uint64_t number);
    void value(std::int64_t number);
    void value(double number);  ///< in a form that reads back the same; null for what JSON has no number for
    void value(std::string_view text);
    void value(const std::string& text) { value(std::string_view(text)); }
    void value(const char* text) { value(std::string_view(text)); }  ///< else it were a truth value

    /// Null for what is unknown.
    template <class T>
    void value(const std::optional<T>& item) {
        if (item) {
            value(*item);
        } else {
            null();
        }
    }
    template <class T>
    void value(const std::vector<T>& items) {
        begin_array();
        for (const T& item : items) {
            value(item);
        }
        end_array();
    }

    template <class T>
    void member(std::string_view name, const T& item) {
        key(name);
        value(item);
    }
    void null_member(std::string_view name) {
        key(name);
        null();
    }

    /// The text of the value, once it is whole; the writer is not to be used any more.
    std::string take() {
        text_.resize(length_);
        return std::move(text_);
    }

    /// The same for a writer that goes on with another value, behind clear().
    std::string_view text() const noexcept { return std::string_view(text_).substr(0, length_); }
    void clear() noexcept {
        length_ = 0;
        begin_next();
    }

    /// Another value follows, right behind those that are whole.
    void begin_next() noexcept {
        depth_ = 0;
        first_ = true;
        behind_key_ = false;
    }

private:
    void begin(char bracket);
    void end(char bracket);
    /// What stands between two values, or between a bracket and the first value.
    void separate() {
        if (behind_key_) {
            behind_key_ = false;
        } else {
            separate_items();
        }
    }
    void separate_items();
    void break_line();
    void literal(std::string_view text) {
        separate();
        append(text);
    }
    template <class Number>
    void write_digits(Number number);
    void write_string(std::string_view text);
    std::size_t write_special(std::string_view text, std::size_t position);

    /// Room for so many bytes more behind the text; to be told how many were written.
    char* room(std::size_t bytes) {
        if (text_.size() - length_ < bytes) {
            grow(bytes);
        }
        return text_.data() + length_;
    }
    void grow(std::size_t bytes);
    void append(char character) {
        *room(1) = character;
        ++length_;
    }
    void append(std::string_view text) { length_ += text.copy(room(text.size()), text.size()); }

    // Longer than the text: a document has hundreds of small pieces, and to make a string longer for each was a tenth
    // of a scan's instructions.
    std::string text_;
    std::size_t length_ = 0;
    Indent indent_;
    std::size_t depth_ = 0;
    bool first_ = true;  ///< nothing stands yet in the innermost object or array
    bool behind_key_ = false;
};

}  // namespace opdebug::report
