#include "remarks/diagnose.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <span>
#include <unordered_map>

#include <nlohmann/json.hpp>

#include "bytes/passed_limit.hpp"
#include "embedded/diagnostics_data.hpp"
#include "embedded/explain_data.hpp"
#include "json/cursor.hpp"
#include "json/document.hpp"
#include "remarks/word.hpp"

namespace opdebug::remarks {
namespace {

struct Template {
    Severity severity = Severity::info;
    std::string_view en, zh;
    std::string_view en_end;  ///< what follows the last value
};

using Templates = std::unordered_map<std::string_view, Template>;

constexpr std::string_view kMessage = "message.";  // ids of messages of errors

Severity severity_of(std::string_view name) noexcept {
    return name == to_string(Severity::error)     ? Severity::error
           : name == to_string(Severity::warning) ? Severity::warning
                                                  : Severity::info;
}

/// One line. The files are part of the library and checked by its tests: their texts need no escapes but of quotes.
bool read_line(json_stage::JsonCursor& cursor, Templates& templates, std::vector<Template>& messages) {
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
    if (closed && id.starts_with(kMessage)) {
        text.en_end = text.en.substr(text.en.rfind('}') + 1);
        messages.push_back(text);
    }
    return closed && templates.emplace(id, text).second;
}

/// All texts, and the cursors that own what had escapes.
struct Data {
    std::vector<json_stage::JsonCursor> cursors;
    Templates templates;
    std::vector<Template> messages;  ///< of errors, in the order of their file
};

Data read_data() {
    Data data;
    for (const embedded::File& file : embedded::diagnostics_files()) {
        data.cursors.emplace_back(file.text, 1);
    }
    for (json_stage::JsonCursor& cursor : data.cursors) {
        char next = 0;
        while (cursor.peek(next) && cursor.expect('{') && read_line(cursor, data.templates, data.messages)) {
        }
    }
    return data;
}

const Data& data_of_texts() {
    static const Data data = read_data();
    return data;
}

const Template& template_of(std::string_view id) {
    static const Template unknown;
    const auto known = data_of_texts().templates.find(id);
    return known == data_of_texts().templates.end() ? unknown : known->second;
}

/// A value that has no Chinese may be the message of an error.
std::string value_in(const Field& field, Language language) {
    if (language == Language::english || !field.text.zh.empty()) {
        return field.text.in(language);
    }
    const bool is_one_word = field.text.en.find(' ') == std::string::npos;  // a number or an id, as most are
    std::string translated = is_one_word ? std::string() : in_chinese(field.text.en);
    return translated.empty() ? field.text.en : translated;
}

/// Adds the text for "name" or "name|one|many"; false: no field has this name.
bool add_value(std::string_view braced, std::span<const Field> fields, Language language, std::string& text) {
    const std::size_t bar = braced.find('|');
    const auto field = std::find_if(fields.begin(), fields.end(),
                                    [name = braced.substr(0, bar)](const Field& one) { return one.name == name; });
    if (field == fields.end()) {
        return false;
    }
    const std::string value = value_in(*field, language);
    if (bar == std::string_view::npos) {
        text += value;
        return true;
    }
    const std::string_view words = braced.substr(bar + 1);
    const std::size_t second = words.find('|');
    text += value == "1" ? words.substr(0, second) : words.substr(std::min(second, words.size() - 1) + 1);
    return true;
}

/// The values that a text has at the {names} of a template.
class Match {
public:
    /// Whether the text is one of this template.
    bool takes(std::string_view text, std::string_view pattern) {
        while (!pattern.empty()) {
            const std::size_t brace = std::min(pattern.find('{'), pattern.size());
            if (text.substr(0, brace) != pattern.substr(0, brace)) {
                return false;
            }
            text.remove_prefix(brace);
            pattern.remove_prefix(brace);
            const std::size_t end = pattern.find('}');
            if (end == std::string_view::npos) {
                break;
            }
            const std::string_view name = pattern.substr(1, end - 1);
            pattern.remove_prefix(end + 1);
            const std::string_view next = pattern.substr(0, pattern.find('{'));
            const std::size_t length = next.empty() ? (pattern.empty() ? text.size() : 0) : text.find(next);
            if (length == std::string_view::npos || length == 0 || !add(name, text.substr(0, length))) {
                return false;
            }
            text.remove_prefix(length);
        }
        return text.empty();
    }

    /// The other text of the template, with these values in Chinese. Empty: the error inside has no Chinese text.
    std::string in_chinese_text(std::string_view chinese) const {
        std::string result;
        for (std::size_t brace = chinese.find('{'); brace != std::string_view::npos; brace = chinese.find('{')) {
            const std::size_t end = chinese.find('}', brace);
            result += chinese.substr(0, brace);
            const auto known = values_.find(chinese.substr(brace + 1, end - brace - 1));
            if (known != values_.end()) {
                const std::string translated = in_chinese(known->second);
                if (translated.empty() && known->first == "error") {
                    return {};
                }
                result += translated.empty() ? known->second : std::string_view(translated);
            }
            chinese.remove_prefix(end + 1);
        }
        return result.append(chinese);
    }

private:
    /// A name has one value; "name|one|many" is one of the words.
    bool add(std::string_view name, std::string_view value) {
        const std::size_t bar = name.find('|');
        if (bar == std::string_view::npos) {
            return values_.emplace(name, value).first->second == value;
        }
        const std::string_view words = name.substr(bar + 1);
        const std::size_t second = words.find('|');
        return value == words.substr(0, second) || value == words.substr(second + 1);
    }

    std::map<std::string_view, std::string_view> values_;
};

/// What codes mean, in Chinese and without the full stop: as codes of errors, if they are some.
std::map<std::string, std::string, std::less<>> read_codes() {
    constexpr std::string_view kFullStop = "。";
    std::map<std::string, std::string, std::less<>> meanings;
    const nlohmann::json document = json_stage::parse_data(embedded::explain_files().front().text);
    for (const nlohmann::json& entry : document.at("entries")) {
        std::string text = entry.at("text_zh");
        text.resize(text.ends_with(kFullStop) ? text.size() - kFullStop.size() : text.size());
        for (const nlohmann::json& code : entry.at("codes")) {
            const bool is_new = meanings.emplace(code, text).second;
            if (!is_new && entry.at("kind") == "error") {
                meanings[code] = text;
            }
        }
    }
    return meanings;
}

}  // namespace

std::string filled(std::string_view text, std::span<const Field> fields, Language language) {
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

Diagnostic diagnose(std::string_view id, Fields fields) {
    return diagnose(id, std::span(fields.begin(), fields.size()));
}

Diagnostic diagnose(std::string_view id, std::span<const Field> fields) {
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

std::string in_chinese(std::string_view message) {
    for (const Template& text : data_of_texts().messages) {
        const bool may_begin = text.en.front() == '{' || message.starts_with(text.en.front());
        Match match;
        if (may_begin && message.ends_with(text.en_end) && match.takes(message, text.en)) {
            return match.in_chinese_text(text.zh);
        }
    }
    return {};
}

LocalizedText text_of(std::string_view code, const std::string& message) {
    static const auto meanings = read_codes();
    std::string translated = in_chinese(message);
    if (translated.empty()) {
        const auto known = meanings.find(code);
        translated = fmt::format("{}（原文：{}）", known == meanings.end() ? code : known->second, message);
    }
    return {message, std::move(translated)};
}

LocalizedText text_of(const Error& error) {
    const std::string_view code = to_string(error.code);
    std::string of_file =
        filled(template_of(fmt::format("error.{}", code)).zh, std::array{Field("file", error.file)}, Language::chinese);
    if (!of_file.empty() && !error.file.empty()) {
        return {to_string(error), std::move(of_file)};
    }
    Error without_file = error;
    without_file.file.clear();
    std::string translated = text_of(code, to_string(without_file)).zh;
    return {to_string(error), error.file.empty() ? translated : fmt::format("{}：{}", error.file, translated)};
}

LocalizedText phrase(std::string_view id, Fields fields) {
    const Template& text = template_of(id);
    const std::span values(fields.begin(), fields.size());
    return {filled(text.en, values, Language::english), filled(text.zh, values, Language::chinese)};
}

std::string_view word(std::string_view id, Language language) {
    const Template& text = template_of(id);
    return language == Language::chinese ? text.zh : text.en;
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
