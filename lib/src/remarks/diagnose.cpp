#include "remarks/diagnose.hpp"

#include <algorithm>
#include <map>
#include <unordered_map>

#include <nlohmann/json.hpp>

#include "bytes/passed_limit.hpp"
#include "embedded/diagnostics_data.hpp"
#include "embedded/explain_data.hpp"
#include "json/cursor.hpp"

namespace opdebug::remarks {
namespace {

struct Template {
    Severity severity = Severity::info;
    std::string_view en, zh;
};

using Templates = std::unordered_map<std::string_view, Template>;

Severity severity_of(std::string_view name) noexcept {
    return name == to_string(Severity::error)     ? Severity::error
           : name == to_string(Severity::warning) ? Severity::warning
                                                  : Severity::info;
}

/// One line. The files are part of the library and checked by its tests: their texts need no escapes but of quotes.
bool read_line(json_stage::JsonCursor& cursor, Templates& templates) {
    std::string_view id;
    Template text;
    bool closed = false;
    for (bool first = true; cursor.next_member('}', first, closed) && !closed; first = false) {
        std::string_view key;
        json_stage::JsonScalar value;
        if (!cursor.key(key) || !cursor.scalar(value)) {
            return false;
        }
        if (key == "severity") {
            text.severity = severity_of(value.text);
        } else {
            (key == "id" ? id : key == "en" ? text.en : text.zh) = value.text;
        }
    }
    return closed && templates.emplace(id, text).second;
}

/// All texts, and the cursors that own what had escapes.
struct Data {
    std::vector<json_stage::JsonCursor> cursors;
    Templates templates;
};

Data read_data() {
    Data data;
    for (const embedded::File& file : embedded::diagnostics_files()) {
        data.cursors.emplace_back(file.text, 1);
    }
    for (json_stage::JsonCursor& cursor : data.cursors) {
        char next = 0;
        while (cursor.peek(next) && cursor.expect('{') && read_line(cursor, data.templates)) {
        }
    }
    return data;
}

const Template& template_of(std::string_view id) {
    static const Data data = read_data();
    static const Template unknown;
    const auto known = data.templates.find(id);
    return known == data.templates.end() ? unknown : known->second;
}

const std::string& value_in(const Field& field, Language language) noexcept {
    return field.text.zh.empty() ? field.text.en : field.text.in(language);
}

/// Adds the text for "name" or "name|one|many"; false: no field has this name.
bool add_value(std::string_view braced, Fields fields, Language language, std::string& text) {
    const std::size_t bar = braced.find('|');
    const auto* const field = std::find_if(
        fields.begin(), fields.end(), [name = braced.substr(0, bar)](const Field& one) { return one.name == name; });
    if (field == fields.end()) {
        return false;
    }
    const std::string& value = value_in(*field, language);
    if (bar == std::string_view::npos) {
        text += value;
        return true;
    }
    const std::string_view words = braced.substr(bar + 1);
    const std::size_t second = words.find('|');
    text += value == "1" ? words.substr(0, second) : words.substr(std::min(second, words.size() - 1) + 1);
    return true;
}

std::string filled(std::string_view text, Fields fields, Language language) {
    std::string result;
    result.reserve(2 * text.size());
    for (std::size_t brace = text.find('{'); brace != std::string_view::npos; brace = text.find('{')) {
        const std::size_t end = text.find('}', brace);
        result += text.substr(0, brace);
        if (end == std::string_view::npos ||
            !add_value(text.substr(brace + 1, end - brace - 1), fields, language, result)) {
            result += '{';
            text.remove_prefix(brace + 1);
        } else {
            text.remove_prefix(end + 1);
        }
    }
    return result.append(text);
}

/// What the codes of errors mean, in Chinese and without the full stop.
std::map<std::string, std::string, std::less<>> read_error_codes() {
    constexpr std::string_view kFullStop = "。";
    std::map<std::string, std::string, std::less<>> meanings;
    const nlohmann::json document = nlohmann::json::parse(embedded::explain_files().front().text);
    for (const nlohmann::json& entry : document.at("entries")) {
        if (entry.at("kind") != "error") {
            continue;
        }
        std::string text = entry.at("text_zh");
        text.resize(text.ends_with(kFullStop) ? text.size() - kFullStop.size() : text.size());
        for (const nlohmann::json& code : entry.at("codes")) {
            meanings.emplace(code, text);
        }
    }
    return meanings;
}

}  // namespace

Diagnostic diagnose(std::string_view id, Fields fields) {
    const Template& text = template_of(id);
    return {text.severity, std::string(id.substr(0, id.find('.'))), filled(text.en, fields, Language::english),
            filled(text.zh, fields, Language::chinese)};
}

Diagnostic diagnose(const Error& error) {
    LocalizedText text = text_of(error);
    return {Severity::error, std::string(to_string(error.code)), std::move(text.en), std::move(text.zh)};
}

Diagnostic begin_with(const LocalizedText& beginning, const Diagnostic& remark) {
    return {remark.severity, remark.code, fmt::format("{}: {}", beginning.en, remark.message),
            fmt::format("{}：{}", beginning.zh, remark.message_in(Language::chinese))};
}

LocalizedText text_of(const Error& error) {
    static const auto meanings = read_error_codes();
    std::string details = to_string(error);
    const auto known = meanings.find(to_string(error.code));
    const std::string of_file = filled(template_of(fmt::format("error.{}", to_string(error.code))).zh,
                                       {{"file", error.file}}, Language::chinese);
    if (!of_file.empty() && !error.file.empty()) {
        return {std::move(details), of_file};
    }
    std::string in_chinese =
        fmt::format("{}（原文：{}）", known == meanings.end() ? to_string(error.code) : known->second, details);
    return {std::move(details), std::move(in_chinese)};
}

LocalizedText phrase(std::string_view id, Fields fields) {
    const Template& text = template_of(id);
    return {filled(text.en, fields, Language::english), filled(text.zh, fields, Language::chinese)};
}

LocalizedText passed_limit(const Limits& limits, std::uint64_t Limits::*limit) {
    return phrase("passed_limit", {{"limit", bytes::limit_name(limit)}, {"value", limits.*limit}});
}

LocalizedText joined(const std::vector<LocalizedText>& texts, const LocalizedText& separator) {
    LocalizedText all;
    for (const LocalizedText& text : texts) {
        all.en += (all.en.empty() ? "" : separator.en) + text.en;
        all.zh += (all.zh.empty() ? "" : separator.zh) + (text.zh.empty() ? text.en : text.zh);
    }
    return all;
}

}  // namespace opdebug::remarks
