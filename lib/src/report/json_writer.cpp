#include "report/json_writer.hpp"

#include <array>
#include <charconv>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "bytes/utf8.hpp"
#include "json/plain_text.hpp"
#include "report/hidden_characters.hpp"

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

template <class Number>
void append_number(Number number, std::string& text) {
    std::array<char, 24> digits{};  // 20 for the largest of 64 bits, one for the sign
    const auto written = std::to_chars(digits.data(), digits.data() + digits.size(), number);
    text.append(digits.data(), written.ptr);
}

}  // namespace

JsonWriter::JsonWriter(Indent indent) : indent_(indent) {
    text_.reserve(kUsualDocument);
}

JsonWriter::JsonWriter(const ReportOptions& options)
    : JsonWriter(options.one_line ? Indent() : Indent(kSpacesPerLevel)) {}

// To look for what must be escaped in the names of members took a tenth of a scan's instructions.
void JsonWriter::key(std::string_view name) {
    separate();
    text_ += '"';
    text_ += name;
    text_ += indent_ ? "\": " : "\":";
    behind_key_ = true;
}

void JsonWriter::value(std::uint64_t number) {
    separate();
    append_number(number, text_);
}

void JsonWriter::value(std::int64_t number) {
    separate();
    append_number(number, text_);
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
    text_ += '"';
    std::size_t position = json_stage::plain_length(text);
    text_ += text.substr(0, position);
    while (position < text.size()) {
        position += write_special(text, position);
        const std::size_t length = json_stage::plain_length(text.substr(position));
        text_ += text.substr(position, length);
        position += length;
    }
    text_ += '"';
}

/// Writes a character that is not plain, or U+FFFD for bytes that begin none; returns how many bytes it has.
std::size_t JsonWriter::write_special(std::string_view text, std::size_t position) {
    const bytes::Utf8Sequence sequence = bytes::utf8_sequence(text, position);
    const std::string_view character = text.substr(position, sequence.length);
    if (!sequence.valid) {
        text_ += "\xEF\xBF\xBD";
    } else if (character.size() == 1) {
        text_ += ascii_escape(character.front());
    } else if (is_hidden(character)) {
        text_ += escaped(code_point(character));
    } else {
        text_ += character;
    }
    return sequence.length;
}

void JsonWriter::begin(char bracket) {
    separate();
    text_ += bracket;
    ++depth_;
    first_ = true;
}

void JsonWriter::end(char bracket) {
    --depth_;
    if (!first_) {
        break_line();
    }
    text_ += bracket;
    first_ = false;
}

/// What stands between two values, or between a bracket and the first value.
void JsonWriter::separate() {
    if (behind_key_) {
        behind_key_ = false;
        return;
    }
    if (!first_) {
        text_ += ',';
    }
    if (depth_ != 0) {
        break_line();
    }
    first_ = false;
}

void JsonWriter::break_line() {
    if (indent_) {
        text_ += '\n';
        text_.append(depth_ * *indent_, ' ');
    }
}

void JsonWriter::literal(std::string_view text) {
    separate();
    text_ += text;
}

}  // namespace opdebug::report
