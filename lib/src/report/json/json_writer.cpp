#include "report/json/json_writer.hpp"

#include <algorithm>
#include <charconv>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "bytes/utf8.hpp"
#include "json/plain_text.hpp"
#include "report/text/printable.hpp"

namespace opdebug::report {
namespace {

constexpr unsigned kSpacesPerLevel = 2;
constexpr std::size_t kUsualDocument = std::size_t{4} << 10U;  ///< of one record: grown to at once, not in eight steps

/// The escape of a character below U+0080; the short form where JSON has one.
std::string ascii_escape(char character) {
    switch (character) {
        case '"': return "\\\"";
        case '\\': return "\\\\";
        case '\b': return "\\b";
        case '\f': return "\\f";
        case '\n': return "\\n";
        case '\r': return "\\r";
        case '\t': return "\\t";
        default: return fmt::format("\\u{:04x}", static_cast<unsigned>(character));
    }
}

/// "\\u202e"; two of them, the surrogates of UTF-16, beyond U+FFFF.
std::string escaped(std::uint32_t code_point) {
    if (code_point < 0x10000) {
        return fmt::format("\\u{:04x}", code_point);
    }
    const std::uint32_t rest = code_point - 0x10000;
    return fmt::format("\\u{:04x}\\u{:04x}", 0xD800 + (rest >> 10U), 0xDC00 + (rest & 0x3FFU));
}

constexpr std::size_t kMostDigits = 24;  ///< 20 for the largest number of 64 bits, one for the sign

}  // namespace

JsonWriter::JsonWriter(Indent indent) : indent_(indent) {
    text_.resize(kUsualDocument);
}

void JsonWriter::grow(std::size_t bytes) {
    text_.resize(std::max(2 * text_.size(), length_ + bytes));
}

JsonWriter::JsonWriter(const ReportOptions& options)
    : JsonWriter(options.one_line ? Indent() : Indent(kSpacesPerLevel)) {}

void JsonWriter::key(std::string_view name) {
    if (!indent_ && write_plain_key(name)) {
        return;
    }
    separate_items();
    write_string(name);
    append(indent_ ? std::string_view(": ") : std::string_view(":"));
    behind_key_ = true;
}

template <class Number>
void JsonWriter::write_digits(Number number) {
    separate();
    char* const digits = room(kMostDigits);
    length_ += static_cast<std::size_t>(std::to_chars(digits, digits + kMostDigits, number).ptr - digits);
}

void JsonWriter::value(std::uint64_t number) {
    write_digits(number);
}

void JsonWriter::value(std::int64_t number) {
    write_digits(number);
}

/// nlohmann_json's form of the number, which documents always had.
void JsonWriter::value(double number) {
    literal(nlohmann::json(number).dump());
}

void JsonWriter::value(std::string_view text) {
    separate();
    write_string(text);
}

/// Runs of plain bytes are copied at once: most texts are one run.
void JsonWriter::write_string(std::string_view text) {
    char* const begin = room(text.size() + 2);
    if (json_stage::copy_plain(text, begin + 1)) {
        *begin = '"';
        begin[text.size() + 1] = '"';
        length_ += text.size() + 2;
        return;
    }
    append('"');
    std::size_t position = json_stage::plain_length(text);
    append(text.substr(0, position));
    while (position < text.size()) {
        position += write_special(text, position);
        const std::size_t length = json_stage::plain_length(text.substr(position));
        append(text.substr(position, length));
        position += length;
    }
    append('"');
}

/// Writes a character that is not plain, or U+FFFD for bytes that begin none; returns how many bytes it has.
std::size_t JsonWriter::write_special(std::string_view text, std::size_t position) {
    const bytes::Utf8Sequence sequence = bytes::utf8_sequence(text, position);
    const std::string_view character = text.substr(position, sequence.length);
    if (!sequence.valid) {
        append("\xEF\xBF\xBD");
    } else if (character.size() == 1) {
        append(ascii_escape(character.front()));
    } else if (is_hidden(character)) {
        append(escaped(code_point(character)));
    } else {
        append(character);
    }
    return sequence.length;
}

void JsonWriter::begin(char bracket) {
    separate();
    append(bracket);
    ++depth_;
    first_ = true;
}

void JsonWriter::end(char bracket) {
    --depth_;
    if (!first_) {
        break_line();
    }
    append(bracket);
    first_ = false;
}

void JsonWriter::separate_items() {
    if (!first_) {
        append(',');
    }
    if (depth_ != 0) {
        break_line();
    }
    first_ = false;
}

void JsonWriter::break_line() {
    if (indent_) {
        append('\n');
        const std::size_t spaces = depth_ * *indent_;
        std::fill_n(room(spaces), spaces, ' ');
        length_ += spaces;
    }
}

}  // namespace opdebug::report
