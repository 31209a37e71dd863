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

#include <opdebug/report.hpp>

namespace opdebug::report {

/// Text that is JSON already.
struct Json {
    std::string_view text;
};

/// Writes one JSON value, mostly an object. Texts come from files and logs: bytes that are not UTF-8 become U+FFFD, and
/// hidden characters (printable.hpp), which JSON would let through to a terminal, are escaped.
class JsonWriter {
public:
    /// Spaces per level.
    using Indent = std::optional<unsigned>;

    /// Without an indent: all in one line.
    explicit JsonWriter(Indent indent = {}) : indent_(indent) {}
    explicit JsonWriter(const ReportOptions& options);

    void begin_object() { begin('{'); }
    void end_object() { end('}'); }
    void begin_array() { begin('['); }
    void end_array() { end(']'); }

    /// The name of the next value, without escapes: names come from this library, not from files.
    void key(std::string_view name);
    void begin_array(std::string_view name) {
        key(name);
        begin_array();
    }

    void null() { literal("null"); }

    /// A truth value, number, text, enumerator (to_string) or list; null for an empty optional or pointer. Other types
    /// are objects: a list of names and values, or a function without parameters that writes the members. For structs
    /// write_members(const T&, JsonWriter&) of this namespace writes them.
    template <class T>
    void value(const T& item) {
        if constexpr (std::is_invocable_v<const T&>) {
            begin_object();
            item();
            end_object();
        } else if constexpr (std::is_same_v<T, Json>) {
            literal(item.text);
        } else if constexpr (std::is_same_v<T, bool>) {
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
        } else if constexpr (requires { member(item.begin()->first, item.begin()->second); }) {
            value([&] {
                for (const auto& [name, one] : item) {
                    member(name, one);
                }
            });
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
    /// A list of objects: `write` writes the members of an item.
    template <class Items, class Write>
    void objects(std::string_view name, const Items& items, const Write& write) {
        begin_array(name);
        for (const auto& one : items) {
            value([&] { write(one); });
        }
        end_array();
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
        first_ = true;
    }

    /// A whole document: its schema, then what `write_members` writes.
    template <class WriteMembers>
    static std::string document(std::string_view schema, const ReportOptions& options,
                                const WriteMembers& write_members) {
        JsonWriter json(options);
        json.value([&] {
            json.member("schema", schema);
            write_members(json);
        });
        return json.take();
    }

protected:
    /// Without line breaks inside.
    template <class T>
    void value_in_line(const T& item) {
        separate();
        after_key_ = true;
        const Indent indent = std::exchange(indent_, std::nullopt);
        value(item);
        indent_ = indent;
    }

    std::string text_;

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

    Indent indent_;
    std::size_t depth_ = 0;
    bool first_ = true;  ///< the innermost object or array is empty so far
    bool after_key_ = false;
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

/// A report, written piece by piece: its members and the items of its lists have a line each, unless everything is one
/// line.
class ReportWriter : public JsonWriter {
public:
    ReportWriter(SinkWriter& out, bool one_line);

    template <class T>
    void member(std::string_view name, const T& item) {
        key(name);
        line(item);
    }
    /// The item of a list.
    template <class T>
    void line(const T& item) {
        value_in_line(item);
        hand_on();
    }
    template <class Items>
    void list(std::string_view name, const Items& items) {
        begin_array(name);
        for (const auto& one : items) {
            line(one);
        }
        end_array();
    }
    /// A list of objects: `write` writes the members of an item.
    template <class Items, class Write>
    void list(std::string_view name, const Items& items, const Write& write) {
        begin_array(name);
        for (const auto& one : items) {
            line([&] { write(one); });
        }
        end_array();
    }

    void end() {
        end_object();
        hand_on();
        out_.write("\n");
    }

private:
    void hand_on() {
        out_.write(text_);
        text_.clear();
    }

    SinkWriter& out_;
};

}  // namespace opdebug::report
