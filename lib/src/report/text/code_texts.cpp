#include "report/text/code_texts.hpp"

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <string_view>
#include <system_error>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <opdebug/report.hpp>

#include "embedded/doctor_data.hpp"
#include "embedded/explain_data.hpp"
#include "embedded/status_data.hpp"
#include "report/text/text_table.hpp"

namespace opdebug::report {
namespace {

using nlohmann::json;

/// A text of a data file: a string, or an object by language. English where Chinese is missing.
std::string localized(const json& object, const std::string& key, Language language) {
    const bool chinese = language == Language::chinese;
    if (chinese && object.contains(key + "_zh")) {
        return object[key + "_zh"];
    }
    const auto found = object.find(key);
    if (found == object.end()) {
        return {};
    }
    return found->is_object() ? (*found)[chinese ? "zh" : "en"].get<std::string>() : found->get<std::string>();
}

/// The text of a finding with "…" for the {values} that an examination puts there.
std::string without_values(const std::string& text) {
    std::string result;
    bool inside = false;
    for (const char c : text) {
        if (c == '{' || c == '}') {
            inside = c == '{';
            result += inside ? "…" : "";
        } else if (!inside) {
            result += c;
        }
    }
    return result;
}

void add_causes(Language language, std::vector<CodeText>& codes) {
    for (const embedded::File& file : embedded::status_files()) {
        const json document = json::parse(file.text);
        for (const json& entry : document.at("entries")) {
            codes.push_back({entry.at("id"), "cause", localized(entry, "name", language),
                             localized(entry, "text", language), localized(entry, "advice", language),
                             localized(entry, "source", language)});
        }
    }
}

void add_entries(Language language, std::vector<CodeText>& codes) {
    const json document = json::parse(embedded::explain_files().front().text);
    for (const json& entry : document.at("entries")) {
        for (const json& code : entry.at("codes")) {
            codes.push_back({code, entry.at("kind"), localized(entry, "name", language),
                             localized(entry, "text", language), localized(entry, "advice", language),
                             localized(entry, "source", language),
                             entry.value("device_codes", std::vector<std::string>())});
        }
    }
}

void add_findings(Language language, std::vector<CodeText>& codes) {
    const json document = json::parse(embedded::doctor_files().front().text);
    for (const json& entry : document.at("findings")) {
        codes.push_back({entry.at("code"), "finding", "", without_values(localized(entry, "message", language)),
                         without_values(localized(entry, "setting", language)), localized(entry, "source", language)});
    }
}

std::string kind_in(const std::string& kind, Language language) {
    constexpr std::pair<std::string_view, std::pair<std::string_view, std::string_view>> kKinds[] = {
        {"cause", {"cause of an overflow", "溢出原因"}},
        {"training", {"verdict on a training log", "训练日志结论"}},
        {"difference", {"verdict on two tensors", "张量比较结论"}},
        {"diagnostic", {"diagnostic", "诊断"}},
        {"error", {"error", "错误"}},
        {"finding", {"finding of doctor", "doctor 的发现"}},
        {"confidence", {"confidence", "可信程度"}},
        {"tie", {"tie of a call and a dump", "调用与 dump 的关联"}},
        {"verdict", {"verdict", "结论"}},
        {"pattern", {"pattern of a group", "分组的规律"}},
        {"return_code", {"return code of the runtime", "运行时返回码"}}};
    for (const auto& [known, names] : kKinds) {
        if (known == kind) {
            return std::string(language == Language::chinese ? names.second : names.first);
        }
    }
    return kind;
}

}  // namespace

std::vector<CodeText> code_texts(Language language) {
    std::vector<CodeText> codes;
    add_causes(language, codes);
    add_entries(language, codes);
    add_findings(language, codes);
    return codes;
}

const CodeText* find_return_code(const std::vector<CodeText>& codes, std::string_view number) {
    const bool is_hexadecimal = number.starts_with("0x") || number.starts_with("0X");
    const std::string_view digits = number.substr(is_hexadecimal ? 2 : 0);
    std::uint32_t value = 0;
    const auto [end, failure] =
        std::from_chars(digits.data(), digits.data() + digits.size(), value, is_hexadecimal ? 16 : 10);
    if (failure != std::errc{} || end != digits.data() + digits.size()) {
        return nullptr;
    }
    const std::string decimal = std::to_string(value);
    const std::string of_device = is_hexadecimal ? fmt::format("{:#x}", value) : std::string();
    const auto code = std::find_if(codes.begin(), codes.end(), [&](const CodeText& known) {
        return known.kind == "return_code" &&
               (known.code == decimal ||
                std::find(known.device_codes.begin(), known.device_codes.end(), of_device) != known.device_codes.end());
    });
    return code != codes.end() ? &*code : nullptr;
}

std::string code_to_text(const CodeText& code, const ReportOptions& options) {
    const bool chinese = options.language == Language::chinese;
    std::string text = fmt::format("{}  ({}){}{}\n", code.code, kind_in(code.kind, options.language),
                                   code.name.empty() ? "" : "  ", code.name);
    const auto add = [&text, &options](std::string_view label, const std::string& words) {
        text += words.empty() ? words : wrapped("  ", fmt::format("{}{}", label, words), 2, options.columns);
    };
    add("", code.text);
    add(chinese ? "处理方法：" : "To do: ", code.advice);
    add(chinese ? "出处：" : "Source: ", code.source);
    return fitted(text, options.columns);
}

std::string codes_to_json(const std::vector<CodeText>& codes) {
    nlohmann::ordered_json document{{"schema", "opdebug.explanations/1"}, {"codes", nlohmann::ordered_json::array()}};
    const auto text_or_null = [](const std::string& text) {
        return text.empty() ? nlohmann::ordered_json() : nlohmann::ordered_json(text);
    };
    for (const CodeText& code : codes) {
        document["codes"].push_back({{"code", code.code},
                                     {"kind", code.kind},
                                     {"name", text_or_null(code.name)},
                                     {"text", code.text},
                                     {"advice", text_or_null(code.advice)},
                                     {"source", text_or_null(code.source)}});
    }
    return document.dump(2);
}

}  // namespace opdebug::report
