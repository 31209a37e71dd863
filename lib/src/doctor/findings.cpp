// Texts of findings with values.
#include "doctor/checks.hpp"

#include <algorithm>
#include <array>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "embedded/doctor_data.hpp"
#include "json/data_file.hpp"
#include "json/node.hpp"
#include "remarks/diagnose.hpp"

namespace opdebug::doctor {
namespace {

constexpr std::string_view kSchema = "opdebug.doctor_findings/1";

/// A string that may be empty.
std::string text_or_nothing(const json_stage::Node& node, const nlohmann::json& value) {
    return value.is_string() && value.get_ref<const std::string&>().empty() ? std::string() : node.text();
}

/// The texts of a finding in the language of that key ending.
FindingWords read_words(const json_stage::Node& node, const nlohmann::json& value, const std::string& ending,
                        const json_stage::Fault& fault) {
    FindingWords words;
    words.message = node.member("message" + ending).text();
    words.source = node.member("source" + ending).text();
    const json_stage::Node setting = node.member("setting" + ending);
    if (!fault.found()) {
        words.setting = text_or_nothing(setting, value["setting" + ending]);
    }
    return words;
}

FindingTexts read_findings(const json_stage::Node& root, const nlohmann::json& document, json_stage::Fault& fault) {
    FindingTexts texts;
    std::size_t index = 0;
    for (const json_stage::Node& item : root.member("findings").some_items()) {
        item.only({"code", "severity", "message", "setting", "source", "message_zh", "setting_zh", "source_zh"});
        FindingText text;
        text.severity = std::array{Severity::info, Severity::warning,
                                   Severity::error}[item.member("severity").choice({"info", "warning", "error"})];
        const nlohmann::json& value = document["findings"][index];
        text.english = read_words(item, value, "", fault);
        text.chinese = read_words(item, value, "_zh", fault);
        if (!texts.emplace(item.member("code").identifier(), text).second) {
            item.member("code").report("the code is already that of another finding", "give each finding its own");
        }
        ++index;
    }
    return texts;
}

FindingTexts read_passed(const json_stage::Node& root) {
    FindingTexts texts;
    for (const json_stage::Node& item : root.member("passed").some_items()) {
        item.only({"check", "text", "text_zh"});
        FindingText text;
        text.english.message = item.member("text").text();
        text.chinese.message = item.member("text_zh").text();
        if (!texts.emplace(item.member("check").identifier(), text).second) {
            item.member("check").report("the name is already that of another check", "give each check its own");
        }
    }
    return texts;
}

DoctorTexts read_texts(const nlohmann::json& document, json_stage::Fault& fault) {
    const json_stage::Node root(document, "", fault);
    root.only({"schema", "findings", "passed"});
    if (root.member("schema").text() != kSchema) {
        root.member("schema").report("the schema is another one", fmt::format("write \"{}\"", kSchema));
    }
    return {read_findings(root, document, fault), read_passed(root)};
}

/// The first sentence, without its full stop. `full_stop`: ". " or "。".
std::string_view first_sentence(std::string_view text, std::string_view full_stop) {
    const std::size_t end = std::min(text.find(full_stop), text.size());
    text = text.substr(0, end);
    text.remove_suffix(text.ends_with('.') ? 1 : 0);
    return text;
}

DoctorFinding finding_of(const FindingText& text, std::string_view code, const std::string& path, Values values) {
    const auto with_path = [&](std::string_view words, Language language = Language::english) {
        return filled(filled(words, values, language), {{"path", path}});
    };
    DoctorFinding finding;
    finding.severity = text.severity;
    finding.code = code;
    finding.path = path;
    finding.message = with_path(text.english.message);
    finding.setting = with_path(text.english.setting);
    finding.source = text.english.source;
    finding.message_zh = with_path(text.chinese.message, Language::chinese);
    finding.setting_zh = with_path(text.chinese.setting, Language::chinese);
    finding.source_zh = text.chinese.source;
    finding.summary = with_path(first_sentence(text.english.message, ". "));
    finding.summary_zh = with_path(first_sentence(text.chinese.message, "。"), Language::chinese);
    return finding;
}

/// Without a text for the code: only the code.
DoctorFinding finding_of(const FindingTexts& texts, std::string_view code, const std::string& path, Values values) {
    const auto known = texts.find(code);
    return finding_of(known == texts.end() ? FindingText() : known->second, code, path, values);
}

DoctorTexts embedded_texts() {
    const embedded::File& file = embedded::doctor_files().front();
    // Tests of the library check this file.
    Result<DoctorTexts> texts = read_doctor_texts(std::string(file.name), std::string(file.text));
    return texts ? std::move(*texts) : DoctorTexts();
}

}  // namespace

Result<DoctorTexts> read_doctor_texts(const std::string& name, const std::string& text) {
    return json_stage::read_data_file(name, text, read_texts);
}

std::string filled(std::string_view text, Values values, Language language) {
    std::string result;
    while (!text.empty()) {
        const std::size_t brace = text.find('{');
        result += text.substr(0, brace);
        if (brace == std::string_view::npos) {
            break;
        }
        text.remove_prefix(brace);
        const std::size_t end = text.find('}');
        std::string_view name = text.substr(1, end == std::string_view::npos ? 0 : end - 1);
        const bool is_number = name.ends_with('#');
        name.remove_suffix(is_number ? 1 : 0);
        bool known = false;
        for (const remarks::Field& field : values) {
            if (field.name == name && end != std::string_view::npos) {
                const std::string& value = field.text.en;
                const std::string translated = language != Language::chinese ? std::string()
                                               : field.text.zh.empty()       ? remarks::in_chinese(value)
                                                                             : field.text.zh;
                result += is_number ? value.substr(0, value.find(' ')) : translated.empty() ? value : translated;
                text.remove_prefix(end + 1);
                known = true;
                break;
            }
        }
        if (!known) {
            result += '{';
            text.remove_prefix(1);
        }
    }
    return result;
}

Findings::Findings() : texts_(embedded_texts()) {}

void Findings::add(std::string_view code, const std::string& path, Values values, std::optional<Severity> severity) {
    DoctorFinding finding = finding_of(texts_.findings, code, path, values);
    finding.severity = severity.value_or(finding.severity);
    finding.subject = subject_;
    findings_.push_back(std::move(finding));
}

void Findings::pass(std::string_view check, const std::string& path, Values values) {
    passed_.push_back(finding_of(texts_.passed, check, path, values));
    passed_.back().subject = subject_;
}

std::size_t Findings::faults() const noexcept {
    return static_cast<std::size_t>(std::count_if(findings_.begin(), findings_.end(), [](const DoctorFinding& finding) {
        return finding.severity != Severity::info;
    }));
}

void Findings::move_to(DoctorReport& report) {
    report.findings = std::move(findings_);
    report.passed = std::move(passed_);
}

std::string show_bytes(std::uint64_t bytes) {
    constexpr std::array kUnits{"bytes", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};
    auto number = static_cast<double>(bytes);
    std::size_t unit = 0;
    for (; number >= 1024 && unit + 1 < kUnits.size(); ++unit) {
        number /= 1024;
    }
    return unit == 0 ? fmt::format("{} {}", bytes, kUnits[0]) : fmt::format("{:.1f} {}", number, kUnits[unit]);
}

}  // namespace opdebug::doctor
