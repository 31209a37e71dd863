#include "report/json_text.hpp"

#include <fmt/format.h>

namespace opdebug::report {
namespace {

/// Escapes DEL (7F) and the C1 controls (C2 80 to C2 9F). In a JSON text that is UTF-8 they stand inside strings only.
std::string escape_controls(const std::string& text) {
    std::string escaped;
    escaped.reserve(text.size());
    for (std::size_t i = 0; i < text.size(); ++i) {
        const auto next = static_cast<unsigned char>(i + 1 < text.size() ? text[i + 1] : '\0');
        if (text[i] == '\x7F') {
            escaped += "\\u007f";
        } else if (text[i] == '\xC2' && next >= 0x80 && next < 0xA0) {
            escaped += fmt::format("\\u{:04x}", next);
            ++i;
        } else {
            escaped += text[i];
        }
    }
    return escaped;
}

}  // namespace

std::string hex(std::uint64_t value) {
    return fmt::format("{:#x}", value);
}

std::string write(const Json& document, const ReportOptions& options) {
    return escape_controls(document.dump(options.one_line ? -1 : 2, ' ', false, Json::error_handler_t::replace));
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
