// Documents written piece by piece to a sink.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include <fmt/format.h>

#include <opdebug/report.hpp>

#include "report/json/json_writer.hpp"

namespace opdebug::report {

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
