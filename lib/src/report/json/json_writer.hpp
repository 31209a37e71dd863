// JSON as text, written member by member: a tree of values would be slower, and its destructors need memory.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>

#include <fmt/format.h>

#include <opdebug/report.hpp>

namespace opdebug::report {

/// Writes one JSON value, mostly an object. Texts come from files and logs: bytes that are not UTF-8 become U+FFFD, and
/// hidden characters (printable.hpp), which JSON would let through to a terminal, are escaped.
class JsonWriter {
public:
    /// Spaces per level; all in one line without.
    using Indent = std::optional<unsigned>;

    explicit JsonWriter(Indent indent) : indent_(indent) {}
    explicit JsonWriter(const ReportOptions& options);

    void begin_object() { begin('{'); }
    void end_object() { end('}'); }
    void begin_array() { begin('['); }
    void end_array() { end(']'); }

    /// The name of the next value, without escapes: names come from this library, not from files.
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

    /// A truth value, number, text, enumerator (to_string) or list; null for an empty optional or pointer. Other types
    /// are objects: write_members(const T&, JsonWriter&) of this namespace writes their members.
    template <class T>
    void value(const T& item) {
        if constexpr (std::is_same_v<T, bool>) {
            literal(item ? "true" : "false");
        } else if constexpr (std::is_floating_point_v<T>) {
            write_number(item);
        } else if constexpr (std::is_integral_v<T>) {
            literal(std::to_string(item));
        } else if constexpr (std::is_convertible_v<const T&, std::string_view>) {
            write_text(item);
        } else if constexpr (std::is_enum_v<T>) {
            write_text(to_string(item));
        } else if constexpr (requires { *item; }) {
            if (item) {
                value(*item);
            } else {
                null();
            }
        } else if constexpr (requires { item.valueless_by_exception(); }) {
            std::visit([this](const auto& one) { this->value(one); }, item);
        } else if constexpr (requires { item.begin() != item.end(); }) {
            begin_array();
            for (const auto& one : item) {
                value(one);
            }
            end_array();
        } else {
            begin_object();
            write_members(item, *this);
            end_object();
        }
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
    /// Null for an empty text: unknown.
    void text_member(std::string_view name, std::string_view text) {
        member(name, text.empty() ? std::nullopt : std::optional(text));
    }

    /// "because" and "because_zh".
    void both(const std::string& name, const LocalizedText& text) {
        member(name, text.en);
        member(name + "_zh", text.zh);
    }

    /// The text of the value, once it is whole; the writer is not to be used any more.
    std::string take() { return std::move(text_); }

    /// The same for a writer that goes on with another value, after clear().
    std::string_view text() const noexcept { return text_; }
    void clear() noexcept {
        text_.clear();
        begin_next();
    }

    /// Another value follows, right after those that are whole.
    void begin_next() noexcept {
        depth_ = 0;
        first_ = true;
        behind_key_ = false;
    }

    /// A whole document: its schema, then what `write_members` writes.
    template <class WriteMembers>
    static std::string document(std::string_view schema, const ReportOptions& options,
                                const WriteMembers& write_members) {
        JsonWriter json(options);
        json.begin_object();
        json.member("schema", schema);
        write_members(json);
        json.end_object();
        return json.take();
    }

private:
    void begin(char bracket);
    void end(char bracket);
    /// Writes the separator between two values, or between a bracket and the first value.
    void separate();
    void break_line();
    void literal(std::string_view text) {
        separate();
        text_ += text;
    }
    void write_number(double number);
    void write_text(std::string_view text);
    std::size_t append_special(std::string_view text, std::size_t position);

    std::string text_;
    Indent indent_;
    std::size_t depth_ = 0;
    bool first_ = true;  ///< the innermost object or array is empty so far
    bool behind_key_ = false;
};

class SinkWriter {
public:
    explicit SinkWriter(const TextSink& sink) : sink_(sink) {}

    void write(std::string_view text) {
        buffer_ += text;
        if (buffer_.size() >= kPiece) {
            flush();
        }
    }

    /// Hands on what is left.
    void flush() {
        open_ = open_ && (buffer_.empty() || sink_(buffer_));
        buffer_.clear();
    }

    /// False once the sink wants no more; what is written then is dropped.
    bool is_open() const noexcept { return open_; }

private:
    static constexpr std::size_t kPiece = std::size_t{64} << 10U;

    const TextSink& sink_;
    std::string buffer_;
    bool open_ = true;
};

/// A value in one line.
template <class T>
std::string one_line(const T& item) {
    JsonWriter json{JsonWriter::Indent()};
    json.value(item);
    return json.take();
}

/// Text that is JSON already.
struct Json {
    std::string_view text;
};

/// Writes the members of the report object; each list item has a line of its own, unless everything is one line.
class ObjectWriter {
public:
    ObjectWriter(SinkWriter& out, bool one_line) : out_(out), one_line_(one_line) {}

    void member(std::string_view key, Json value) {
        out_.write(fmt::format("{}{}\"{}\":{}{}", first_ ? "{" : ",", line(1), key, one_line_ ? "" : " ", value.text));
        first_ = false;
    }
    template <class T>
    void member(std::string_view key, const T& value) {
        member(key, Json{written(value)});
    }

    void begin_list(std::string_view key) {
        member(key, Json{"["});
        items_ = 0;
    }
    void item(Json value) {
        out_.write(items_++ == 0 ? "" : ",");
        out_.write(line(2));
        out_.write(value.text);
    }
    template <class T>
    void item(const T& value) {
        item(Json{written(value)});
    }
    void end_list() { out_.write(fmt::format("{}]", items_ == 0 ? "" : line(1))); }

    template <class Items>
    void list(std::string_view key, const Items& items) {
        begin_list(key);
        for (const auto& one : items) {
            item(one);
        }
        end_list();
    }

    /// Starts a member that is an object; all values until its end are its members, at least one.
    void begin_object(std::string_view key) {
        member(key, Json{""});
        first_ = true;
        ++depth_;
    }
    void end_object() {
        --depth_;
        out_.write(fmt::format("{}}}", line(1)));
    }

    void end() { out_.write(fmt::format("{}}}\n", line(0))); }

private:
    std::string line(std::size_t level) const {
        return one_line_ ? std::string() : fmt::format("\n{}", std::string(2 * (depth_ + level), ' '));
    }

    /// One writer makes all values: memory is requested once then.
    template <class T>
    std::string_view written(const T& value) {
        json_.clear();
        json_.value(value);
        return json_.text();
    }

    SinkWriter& out_;
    bool one_line_;
    JsonWriter json_{JsonWriter::Indent()};
    bool first_ = true;
    std::size_t items_ = 0, depth_ = 0;
};

}  // namespace opdebug::report
