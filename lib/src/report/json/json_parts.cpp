#include "report/json/json_parts.hpp"

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
    if (!diagnostic.message_zh.empty()) {
        json.member("message_zh", diagnostic.message_zh);
    }
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

void write_failure(const std::string& file, std::string_view code, const std::string& message, JsonWriter& json) {
    json.begin_object();
    json.member("file", file);
    json.member("code", code);
    json.member("message", message);
    json.end_object();
}

void write_failure(const Error& error, JsonWriter& json) {
    Error place = error;
    place.file.clear();  // the file is next to the message
    write_failure(error.file, to_string(error.code), to_string(place), json);
}

namespace {

void write_explanation(const StatusExplanation& status, Language language, JsonWriter& json) {
    json.begin_object();
    json.member("unit", unit_name(status.unit));
    json.key("status");
    write_words(status.words, json);
    json.key("status_hex");
    write_hex_words(status.words, json);
    json.member("overflow", status.overflow);
    json.key("causes");
    write_causes(status, language, json);
    json.key("undocumented_bits");
    write_hex_words(status.undocumented_bits, json);
    json.key("diagnostics");
    write_diagnostics(status.diagnostics, json);
    json.end_object();
}

}  // namespace

std::string explanation_to_json(const StatusExplanation& status, const ReportOptions& options) {
    JsonWriter json(options);
    write_explanation(status, options.language, json);
    return json.take();
}

}  // namespace opdebug::report

namespace opdebug {
inline namespace v0 {

std::string status_to_json(const std::vector<StatusExplanation>& explanations, const ReportOptions& options) {
    report::JsonWriter json(options);
    json.begin_array();
    for (const StatusExplanation& status : explanations) {
        report::write_explanation(status, options.language, json);
    }
    json.end_array();
    return json.take();
}

}  // namespace v0
}  // namespace opdebug

namespace opdebug::report {

std::string files_to_json(const std::vector<std::string>& files, const std::vector<Error>& failures,
                          const std::vector<Diagnostic>& diagnostics, const ReportOptions& options) {
    JsonWriter json(options);
    json.begin_object();
    json.member("schema", "opdebug.files/1");
    json.member("files", files);
    json.begin_array("failures");
    for (const Error& error : failures) {
        write_failure(error, json);
    }
    json.end_array();
    json.key("diagnostics");
    write_diagnostics(diagnostics, json);
    json.end_object();
    return json.take();
}

}  // namespace opdebug::report
