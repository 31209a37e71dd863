#include "report/json_text.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "report/hidden_characters.hpp"

namespace opdebug::report {
namespace {

/// "\\u202e"; two of them, the surrogates of UTF-16, beyond U+FFFF.
std::string escaped(std::uint32_t code_point) {
    if (code_point < 0x10000) {
        return fmt::format("\\u{:04x}", code_point);
    }
    const std::uint32_t rest = code_point - 0x10000;
    return fmt::format("\\u{:04x}\\u{:04x}", 0xD800 + (rest >> 10U), 0xDC00 + (rest & 0x3FFU));
}

/// Escapes what is_hidden(), the control characters below U+0020 excepted: inside strings they are escaped already, and
/// between them they are line breaks of the text, which is valid UTF-8.
std::string escape_hidden(const std::string& text) {
    std::string result;
    result.reserve(text.size());
    for (std::size_t position = 0; position < text.size();) {
        const auto byte = static_cast<unsigned char>(text[position]);
        const std::size_t length = byte < 0x7F ? 1 : std::max<std::size_t>(utf8_length(text, position), 1);
        const std::string_view character = std::string_view(text).substr(position, length);
        if (byte >= 0x7F && is_hidden(character)) {
            result += escaped(code_point(character));
        } else {
            result += character;
        }
        position += length;
    }
    return result;
}

}  // namespace

std::string hex(std::uint64_t value) {
    return fmt::format("{:#x}", value);
}

std::string write(const Json& document, const ReportOptions& options) {
    return escape_hidden(document.dump(options.one_line ? -1 : 2, ' ', false, Json::error_handler_t::replace));
}

void add_fields(const Record& record, Json& item) {
    for (const FieldValue& field : record.fields) {
        item[std::string(field_key(field.field))] =
            field_is_address(field.field) ? Json(hex(field.value)) : Json(field.value);
    }
}

Json diagnostic_to_json(const Diagnostic& diagnostic) {
    return {{"severity", to_string(diagnostic.severity)}, {"code", diagnostic.code}, {"message", diagnostic.message}};
}

Json diagnostics_to_json(const std::vector<Diagnostic>& diagnostics) {
    Json list = Json::array();
    for (const Diagnostic& diagnostic : diagnostics) {
        list.push_back(diagnostic_to_json(diagnostic));
    }
    return list;
}

Json text_or_null(const std::string& text) {
    return text.empty() ? Json(nullptr) : Json(text);
}

Json causes_to_json(const StatusExplanation& status, Language language) {
    Json causes = Json::array();
    for (const Cause& cause : status.causes) {
        causes.push_back({{"id", cause.definition->id},
                          {"bits", hex(cause.bits)},
                          {"name", cause.definition->name.in(language)},
                          {"text", cause.definition->text.in(language)},
                          {"advice", cause.definition->advice.in(language)},
                          {"source", cause.definition->source}});
    }
    return causes;
}

Json words_to_json(const std::vector<std::uint64_t>& words) {
    return words.size() == 1 ? Json(words.front()) : Json(words);
}

Json words_to_hex_json(const std::vector<std::uint64_t>& words) {
    if (words.size() == 1) {
        return hex(words.front());
    }
    Json list = Json::array();
    for (const std::uint64_t word : words) {
        list.push_back(hex(word));
    }
    return list;
}

}  // namespace opdebug::report
