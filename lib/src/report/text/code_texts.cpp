#include "report/text/code_texts.hpp"

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <boost/regex.hpp>
#include <nlohmann/json.hpp>

#include <opdebug/report.hpp>

#include "embedded/doctor_data.hpp"
#include "embedded/explain_data.hpp"
#include "embedded/status_data.hpp"
#include "json/document.hpp"
#include "remarks/word.hpp"
#include "report/text/page.hpp"

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

bool is_hexadecimal_number(std::string_view text) {
    return text.starts_with("0x") || text.starts_with("0X");
}

/// The text of a finding with "…" for the {values} that an examination puts there, and the plural for {count|one|many}.
std::string without_values(const std::string& text) {
    static const boost::regex plural(R"(\{\w+\|[^|{}]*\|([^{}]*)\})"), value(R"(\{[^{}]*\})");
    return boost::regex_replace(boost::regex_replace(text, plural, "$1"), value, "…");
}

/// The meaning that an entry of a data file gives a code.
CodeText code_of(const json& entry, const std::string& code, const std::string& kind, Language language) {
    return {code,
            kind,
            localized(entry, "name", language),
            localized(entry, "text", language),
            localized(entry, "advice", language),
            localized(entry, "source", language),
            entry.value("device_codes", std::vector<std::string>())};
}

void add_causes(Language language, std::vector<CodeText>& codes) {
    for (const embedded::File& file : embedded::status_files()) {
        const json document = json_stage::parse_data(file.text);
        for (const json& entry : document.at("entries")) {
            codes.push_back(code_of(entry, entry.at("id"), "cause", language));
        }
    }
}

void add_entries(Language language, std::vector<CodeText>& codes) {
    const json document = json_stage::parse_data(embedded::explain_files().front().text);
    for (const json& entry : document.at("entries")) {
        for (const json& code : entry.at("codes")) {
            codes.push_back(code_of(entry, code, entry.at("kind"), language));
        }
    }
}

void add_findings(Language language, std::vector<CodeText>& codes) {
    const json document = json_stage::parse_data(embedded::doctor_files().front().text);
    for (const json& entry : document.at("findings")) {
        codes.push_back({entry.at("code"), "finding", "", without_values(localized(entry, "message", language)),
                         without_values(localized(entry, "setting", language)), localized(entry, "source", language)});
    }
}

/// The value of a decimal number, or of a hexadecimal one after "0x".
std::optional<std::uint32_t> number_in(std::string_view text) {
    const bool is_hexadecimal = is_hexadecimal_number(text);
    const std::string_view digits = text.substr(is_hexadecimal ? 2 : 0);
    std::uint32_t value = 0;
    const auto [end, failure] =
        std::from_chars(digits.data(), digits.data() + digits.size(), value, is_hexadecimal ? 16 : 10);
    const bool is_whole = failure == std::errc{} && end == digits.data() + digits.size();
    return is_whole ? std::optional<std::uint32_t>(value) : std::nullopt;
}

bool is_in_family(const CodeFamily& family, std::string_view code) {
    const std::string_view allowed = is_hexadecimal_number(family.prefix) ? "0123456789abcdefABCDEF" : "0123456789";
    return code.starts_with(family.prefix) && code.size() == family.prefix.size() + family.digits &&
           code.find_first_not_of(allowed, family.prefix.size()) == std::string_view::npos;
}

}  // namespace

std::vector<CodeText> code_texts(Language language) {
    std::vector<CodeText> codes;
    add_causes(language, codes);
    add_entries(language, codes);
    add_findings(language, codes);
    return codes;
}

const CodeText* find_code(const std::vector<CodeText>& codes, std::string_view kind, std::string_view code) {
    const auto known = std::find_if(codes.begin(), codes.end(),
                                    [&](const CodeText& one) { return one.kind == kind && one.code == code; });
    return known == codes.end() ? nullptr : &*known;
}

const CodeText* find_return_code(const std::vector<CodeText>& codes, std::string_view number) {
    const std::optional<std::uint32_t> value = number_in(number);
    if (!value) {
        return nullptr;
    }
    const std::string decimal = std::to_string(*value);
    const std::string of_device = is_hexadecimal_number(number) ? fmt::format("{:#x}", *value) : std::string();
    const auto code = std::find_if(codes.begin(), codes.end(), [&](const CodeText& known) {
        return known.kind == "return_code" &&
               (known.code == decimal ||
                std::find(known.device_codes.begin(), known.device_codes.end(), of_device) != known.device_codes.end());
    });
    return code != codes.end() ? &*code : nullptr;
}

std::vector<CodeFamily> code_families(Language language) {
    std::vector<CodeFamily> families;
    const json document = json_stage::parse_data(embedded::explain_files().front().text);
    for (const json& entry : document.at("families")) {
        CodeText meaning;
        meaning.kind = entry.at("kind");
        meaning.text =
            fmt::format("{}{}", localized(entry, "text", language), remarks::word("code_page.undocumented", language));
        meaning.source = localized(entry, "source", language);
        families.push_back({entry.at("prefix"), entry.at("digits"), std::move(meaning)});
    }
    return families;
}

std::optional<CodeText> find_family(const std::vector<CodeFamily>& families, std::string_view code) {
    const std::optional<std::uint32_t> value = number_in(code);
    const std::string decimal = value ? std::to_string(*value) : std::string();
    const auto family = std::find_if(families.begin(), families.end(), [&](const CodeFamily& one) {
        return is_in_family(one, code) || is_in_family(one, decimal);
    });
    if (family == families.end()) {
        return std::nullopt;
    }
    CodeText meaning = family->meaning;
    meaning.code = is_in_family(*family, code) ? code : decimal;
    return meaning;
}

std::string code_to_text(const CodeText& code, const ReportOptions& options) {
    const Page page{options};
    std::string text = fmt::format("{}  ({}){}{}\n", code.code, page.word("code_kind." + code.kind),
                                   code.name.empty() ? "" : "  ", code.name);
    const auto add = [&](std::string_view label, const std::string& words) {
        text += words.empty() ? words : page.lines("  ", fmt::format("{}{}", label, words), 2);
    };
    add("", code.text);
    add(page.word("code_page.to_do"), code.advice);
    add(page.word("code_page.source"), code.source);
    return fitted(text, options.columns);
}

}  // namespace opdebug::report
