// Texts of findings with values.
#include "doctor/checks.hpp"

#include <algorithm>
#include <array>
#include <span>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "embedded/doctor_data.hpp"
#include "json/document.hpp"
#include "remarks/diagnose.hpp"
#include "remarks/word.hpp"

namespace opdebug::doctor {
namespace {

/// The texts of an entry of the data file. `message`: "message" of a finding, "text" of a check without a fault.
FindingText text_of(const nlohmann::json& entry, const std::string& message) {
    const auto words = [&entry](const std::string& name) {
        return LocalizedText{entry.value(name, ""), entry.value(name + "_zh", "")};
    };
    const std::string severity = entry.value("severity", "info");
    return {severity == "error"     ? Severity::error
            : severity == "warning" ? Severity::warning
                                    : Severity::info,
            words(message), words("setting"), words("source")};
}

/// The first sentence, without its full stop. `full_stop`: ". " or "。".
std::string first_sentence(std::string_view text, std::string_view full_stop) {
    const std::size_t end = std::min(text.find(full_stop), text.size());
    text = text.substr(0, end);
    text.remove_suffix(text.ends_with('.') ? 1 : 0);
    return std::string(text);
}

DoctorFinding finding_of(const FindingText& text, std::string_view code, const std::string& path, Values values) {
    const auto filled = [&](const LocalizedText& words) {
        const auto in = [&](Language language) {
            const std::string with_values =
                remarks::filled(words.in(language), std::span(values.begin(), values.size()), language);
            return remarks::filled(with_values, std::array{remarks::Field("path", path)}, language);
        };
        return LocalizedText{in(Language::english), in(Language::chinese)};
    };
    const LocalizedText message = filled(text.message), setting = filled(text.setting);
    const LocalizedText summary =
        filled({first_sentence(text.message.en, ". "), first_sentence(text.message.zh, "。")});
    return {text.severity, std::string(code), message.en,     setting.en, text.source.en, path,
            message.zh,    setting.zh,        text.source.zh, {},         summary.en,     summary.zh};
}

}  // namespace

DoctorTexts doctor_texts() {
    const nlohmann::json document = json_stage::parse_data(embedded::doctor_files().front().text);
    DoctorTexts texts;
    for (const nlohmann::json& entry : document.at("findings")) {
        texts.findings.emplace(entry.at("code").get<std::string>(), text_of(entry, "message"));
    }
    for (const nlohmann::json& entry : document.at("passed")) {
        texts.passed.emplace(entry.at("check").get<std::string>(), text_of(entry, "text"));
    }
    return texts;
}

void Findings::add(std::string_view code, const std::string& path, Values values, std::optional<Severity> severity) {
    DoctorFinding finding = finding_of(texts_.findings[std::string(code)], code, path, values);
    finding.severity = severity.value_or(finding.severity);
    finding.subject = subject_;
    findings_.push_back(std::move(finding));
}

void Findings::pass(std::string_view check, const std::string& path, Values values) {
    passed_.push_back(finding_of(texts_.passed[std::string(check)], check, path, values));
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
