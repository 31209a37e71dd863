#include "report/json/json_writer.hpp"

#include <cmath>
#include <cstring>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "bytes/utf8.hpp"
#include "report/text/text_table.hpp"

namespace opdebug::report {
namespace {

constexpr unsigned kSpacesPerLevel = 2;

/// Whether the byte needs no escape: visible ASCII without quotation mark and backslash.
constexpr bool is_plain(char byte) {
    return byte >= 0x20 && byte < 0x7F && byte != '"' && byte != '\\';
}

/// Whether all bytes of the word are plain: a difference below zero, and a sum above 0x7F, set the highest bit.
constexpr bool are_plain(std::uint64_t word) {
    constexpr std::uint64_t kOnes = 0x0101010101010101;
    const std::uint64_t special = word | (word + kOnes) | (word - 0x20 * kOnes) | ((word ^ '"' * kOnes) - kOnes) |
                                  ((word ^ '\\' * kOnes) - kOnes);
    return (special & (0x80 * kOnes)) == 0;
}

/// How many plain bytes the text has from the position on. Eight at a time: byte by byte a scan takes 40 % more
/// instructions.
std::size_t plain_length(std::string_view text, std::size_t position) {
    std::size_t end = position;
    for (std::uint64_t word = 0; end + sizeof word <= text.size(); end += sizeof word) {
        std::memcpy(&word, text.data() + end, sizeof word);
        if (!are_plain(word)) {
            break;
        }
    }
    while (end < text.size() && is_plain(text[end])) {
        ++end;
    }
    return end - position;
}

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

}  // namespace

JsonWriter::JsonWriter(const ReportOptions& options)
    : JsonWriter(options.one_line ? Indent() : Indent(kSpacesPerLevel)) {}

ReportWriter::ReportWriter(SinkWriter& out, bool one_line)
    : JsonWriter(one_line ? Indent() : Indent(kSpacesPerLevel)), out_(out) {
    begin_object();
}

void JsonWriter::key(std::string_view name) {
    separate();
    text_ += '"';
    text_ += name;
    text_ += indent_ ? std::string_view("\": ") : std::string_view("\":");
    after_key_ = true;
}

/// nlohmann_json's form of the number. JSON has no numbers that are not finite.
void JsonWriter::write_number(double number) {
    if (std::isfinite(number)) {
        literal(nlohmann::json(number).dump());
    } else {
        write_text(std::isnan(number) ? "nan" : number > 0 ? "inf" : "-inf");
    }
}

/// Runs of plain bytes are copied at once: most texts are one run.
void JsonWriter::write_text(std::string_view text) {
    separate();
    text_ += '"';
    for (std::size_t position = 0; position < text.size();) {
        const std::size_t length = plain_length(text, position);
        text_.append(text, position, length);
        position += length;
        position += position < text.size() ? append_special(text, position) : 0;
    }
    text_ += '"';
}

/// Writes a character that is not plain, or U+FFFD for bytes that begin none; returns how many bytes it has.
std::size_t JsonWriter::append_special(std::string_view text, std::size_t position) {
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

void JsonWriter::separate() {
    if (std::exchange(after_key_, false)) {
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

}  // namespace opdebug::report
