#include "report/json/json_parts.hpp"

namespace opdebug::report {
namespace {

template <class Word>
void write_one_or_list(std::string_view name, const std::vector<Word>& words, JsonWriter& json) {
    json.key(name);
    if (words.size() == 1) {
        json.value(words.front());
    } else {
        json.value(words);
    }
}

void write_explanation(const StatusExplanation& status, Language language, JsonWriter& json) {
    json.begin_object();
    json.member("unit", unit_name(status.unit));
    write_words("status", status.words, json);
    write_hex_words("status_hex", status.words, json);
    json.member("overflow", status.overflow);
    write_causes(status, language, json);
    json.member("diagnostics", status.diagnostics);
    json.end_object();
}

}  // namespace

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

void write_words(std::string_view name, const std::vector<std::uint64_t>& words, JsonWriter& json) {
    write_one_or_list(name, words, json);
}

void write_hex_words(std::string_view name, const std::vector<std::uint64_t>& words, JsonWriter& json) {
    std::vector<std::string> texts;
    for (const std::uint64_t word : words) {
        texts.push_back(hex(word));
    }
    write_one_or_list(name, texts, json);
}

void write_causes(const StatusExplanation& status, Language language, JsonWriter& json) {
    json.begin_array("causes");
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
    write_hex_words("undocumented_bits", status.undocumented_bits, json);
}

void write_members(const Diagnostic& diagnostic, JsonWriter& json) {
    json.member("severity", diagnostic.severity);
    json.member("code", diagnostic.code);
    json.member("message", diagnostic.message);
    if (!diagnostic.message_zh.empty()) {
        json.member("message_zh", diagnostic.message_zh);
    }
}

void write_members(const Error& error, JsonWriter& json) {
    Error place = error;
    place.file.clear();  // the file is next to the message
    json.member("file", error.file);
    json.member("code", error.code);
    json.member("message", to_string(place));
}

std::string explanation_to_json(const StatusExplanation& status, const ReportOptions& options) {
    JsonWriter json(options);
    write_explanation(status, options.language, json);
    return json.take();
}

std::string files_to_json(const std::vector<std::string>& files, const std::vector<Error>& failures,
                          const std::vector<Diagnostic>& diagnostics, const ReportOptions& options) {
    JsonWriter json(options);
    json.begin_object();
    json.member("schema", "opdebug.files/1");
    json.member("files", files);
    json.member("failures", failures);
    json.member("diagnostics", diagnostics);
    json.end_object();
    return json.take();
}

}  // namespace opdebug::report

std::string opdebug::status_to_json(const std::vector<StatusExplanation>& explanations, const ReportOptions& options) {
    report::JsonWriter json(options);
    json.begin_array();
    for (const StatusExplanation& status : explanations) {
        report::write_explanation(status, options.language, json);
    }
    json.end_array();
    return json.take();
}
