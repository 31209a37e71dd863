// JSON as text, written member by member.
//
// No tree of values is built: that takes time, and the destructors of such a tree need memory, so the program would end
// when memory is short.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <opdebug/report.hpp>

#include "json/plain_text.hpp"

namespace opdebug::report {

/// Writes one JSON value, mostly an object. Texts come from files and logs: bytes that are not UTF-8 become U+FFFD, and
/// hidden characters (printable.hpp), which JSON would let through to a terminal, are escaped.
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

    /// The name of the next value. Of a literal, which most are, the compiler knows the length and that it is plain: a
    /// scan takes 4.5 % fewer instructions for it.
    void key(std::string_view name);
    template <std::size_t Size>
    [[gnu::always_inline]] void key(const char (&name)[Size]) {
        if (indent_ || !write_plain_key(std::string_view(name, Size - 1))) {
            key(std::string_view(name, Size - 1));
        }
    }
    template <class Name>
    [[gnu::always_inline]] void begin_object(const Name& name) {
        key(name);
        begin_object();
    }
    template <class Name>
    [[gnu::always_inline]] void begin_array(const Name& name) {
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

    template <class Name, class T>
    [[gnu::always_inline]] void member(const Name& name, const T& item) {
        key(name);
        value(item);
    }
    template <class Name>
    [[gnu::always_inline]] void null_member(const Name& name) {
        key(name);
        null();
    }

    /// The text of the value, once it is whole; the writer is not to be used any more.
    std::string take() {
        text_.resize(length_);
        return std::move(text_);
    }

    /// The same for a writer that goes on with another value, after clear().
    std::string_view text() const noexcept { return std::string_view(text_).substr(0, length_); }
    void clear() noexcept {
        length_ = 0;
        begin_next();
    }

    /// Another value follows, right after those that are whole.
    void begin_next() noexcept {
        depth_ = 0;
        first_ = true;
        behind_key_ = false;
    }

private:
    void begin(char bracket);
    void end(char bracket);
    /// Writes the separator between two values, or between a bracket and the first value.
    void separate() {
        if (behind_key_) {
            behind_key_ = false;
        } else {
            separate_items();
        }
    }
    void separate_items();
    /// In one line, as in the documents of a scan, a plain name is written together with the characters around it,
    /// which is faster: a document has a hundred names. False: the name is not plain, and nothing is written.
    [[gnu::always_inline]] bool write_plain_key(std::string_view name) {
        constexpr std::size_t kAround = 4;  // comma, quotation marks, colon
        char* end = room(name.size() + kAround);
        *end = ',';
        end += first_ ? 0 : 1;
        *end++ = '"';
        if (!json_stage::copy_plain(name, end)) {
            return false;
        }
        end += name.size();
        *end++ = '"';
        *end++ = ':';
        length_ = static_cast<std::size_t>(end - text_.data());
        first_ = false;
        behind_key_ = true;
        return true;
    }
    void break_line();
    void literal(std::string_view text) {
        separate();
        append(text);
    }
    template <class Number>
    void write_digits(Number number);
    void write_string(std::string_view text);
    std::size_t write_special(std::string_view text, std::size_t position);

    /// Reserves so many bytes after the text; the caller then passes how many were written.
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
    bool first_ = true;  ///< the innermost object or array is empty so far
    bool behind_key_ = false;
};

}  // namespace opdebug::report
