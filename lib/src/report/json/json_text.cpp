#include "report/json/json_text.hpp"

namespace opdebug::report {

void write_fields(const Record& record, JsonWriter& json) {
    for (const FieldValue& field : record.fields) {
        json.key(field_key(field.field));
        if (field_is_address(field.field)) {
            json.value(hex(field.value));
        } else {
            json.value(field.value);
        }
    }
}

void write_diagnostic(const Diagnostic& diagnostic, JsonWriter& json) {
    json.begin_object();
    json.member("severity", to_string(diagnostic.severity));
    json.member("code", diagnostic.code);
    json.member("message", diagnostic.message);
    json.end_object();
}

void write_diagnostics(const std::vector<Diagnostic>& diagnostics, JsonWriter& json) {
    json.begin_array();
    for (const Diagnostic& diagnostic : diagnostics) {
        write_diagnostic(diagnostic, json);
    }
    json.end_array();
}

void write_text_or_null(std::string_view name, const std::string& text, JsonWriter& json) {
    json.key(name);
    if (text.empty()) {
        json.null();
    } else {
        json.value(text);
    }
}

void write_causes(const StatusExplanation& status, Language language, JsonWriter& json) {
    json.begin_array();
    for (const Cause& cause : status.causes) {
        json.begin_object();
        json.member("id", cause.definition->id);
        json.member("bits", hex(cause.bits));
        json.member("name", cause.definition->name.in(language));
        json.member("text", cause.definition->text.in(language));
        json.member("advice", cause.definition->advice.in(language));
        json.member("source", cause.definition->source);
        json.end_object();
    }
    json.end_array();
}

void write_words(const std::vector<std::uint64_t>& words, JsonWriter& json) {
    if (words.size() == 1) {
        json.value(words.front());
    } else {
        json.value(words);
    }
}

void write_hex_words(const std::vector<std::uint64_t>& words, JsonWriter& json) {
    if (words.size() == 1) {
        json.value(hex(words.front()));
        return;
    }
    json.begin_array();
    for (const std::uint64_t word : words) {
        json.value(hex(word));
    }
    json.end_array();
}

}  // namespace opdebug::report
