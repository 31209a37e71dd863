// What `doctor` examined, as a checklist for people: the most severe first.
#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include <opdebug/report.hpp>

#include "report/text/text_table.hpp"

namespace opdebug {
inline namespace v0 {
namespace {

constexpr std::size_t kIndent = 4;

struct DoctorWords {
    std::string_view environment, colon, comma, source, nothing, more;
    std::string_view problem, problems, warning, warnings, passed_one, passed;  ///< formats: how many
};

constexpr DoctorWords kEnglish{.environment = "Environment",
                               .colon = ": ",
                               .comma = ", ",
                               .source = "source: ",
                               .nothing = "nothing is missing, as far as can be examined",
                               .more = "   (-v: explanations, sources, codes)",
                               .problem = "{} problem",
                               .problems = "{} problems",
                               .warning = "{} warning",
                               .warnings = "{} warnings",
                               .passed_one = "{} check passed",
                               .passed = "{} checks passed"};
constexpr DoctorWords kChinese{.environment = "环境变量",
                               .colon = "：",
                               .comma = "，",
                               .source = "出处：",
                               .nothing = "未发现缺失",
                               .more = "   （-v 显示说明、出处与代码）",
                               .problem = "{} 个问题",
                               .problems = "{} 个问题",
                               .warning = "{} 个警告",
                               .warnings = "{} 个警告",
                               .passed_one = "{} 项通过",
                               .passed = "{} 项通过"};

class Checklist {
public:
    Checklist(const DoctorReport& report, const ReportOptions& options)
        : report_(report),
          options_(options),
          style_(options),
          is_chinese_(options.language == Language::chinese),
          words_(is_chinese_ ? kChinese : kEnglish) {}

    std::string text() const {
        std::string text = heading();
        for (const std::string& subject : subjects()) {
            text +=
                "\n" +
                style_.bold(subject.empty() ? std::string(words_.environment) : shown_path(subject, options_.columns)) +
                "\n";
            const std::size_t begin = text.size();
            for (const Severity severity : {Severity::error, Severity::warning, Severity::info}) {
                for (const DoctorFinding& finding : report_.findings) {
                    text += finding.subject == subject && finding.severity == severity ? lines_of(finding) : "";
                }
            }
            for (const DoctorFinding& check : report_.passed) {
                text += check.subject == subject
                            ? line(style_.dim("✓"), check, in_language(check.summary, check.summary_zh))
                            : "";
            }
            if (text.size() == begin) {
                text += fmt::format("  {} {}\n", style_.dim("✓"), words_.nothing);
            }
        }
        return text;
    }

private:
    const std::string& in_language(const std::string& english, const std::string& chinese) const {
        return is_chinese_ ? chinese : english;
    }

    std::string shown_path(const std::string& path, std::size_t columns) const {
        const std::string printed = printable(path);
        return options_.verbose ? printed : report::shorten_path(printed, columns);
    }

    std::string heading() const {
        const auto counted = [](std::uint64_t count, std::string_view one, std::string_view many) {
            return fmt::format(fmt::runtime(count == 1 ? one : many), count);
        };
        const std::uint64_t problems = report_.count(Severity::error), warnings = report_.count(Severity::warning);
        std::vector<std::string> parts;
        if (problems != 0) {
            parts.push_back(style_.red(counted(problems, words_.problem, words_.problems)));
        }
        if (warnings != 0) {
            parts.push_back(style_.bold(counted(warnings, words_.warning, words_.warnings)));
        }
        if (parts.empty()) {
            parts.emplace_back(words_.nothing);
        }
        if (!report_.passed.empty()) {
            parts.push_back(counted(report_.passed.size(), words_.passed_one, words_.passed));
        }
        return fmt::format("{}{}\n", fmt::join(parts, words_.comma),
                           options_.verbose || report_.findings.empty() ? "" : words_.more);
    }

    /// The examined subjects, those with the most severe findings first.
    std::vector<std::string> subjects() const {
        std::vector<std::string> subjects;
        const auto add = [&subjects](const DoctorFinding& finding) {
            if (std::find(subjects.begin(), subjects.end(), finding.subject) == subjects.end()) {
                subjects.push_back(finding.subject);
            }
        };
        for (const Severity severity : {Severity::error, Severity::warning, Severity::info}) {
            for (const DoctorFinding& finding : report_.findings) {
                if (finding.severity == severity) {
                    add(finding);
                }
            }
        }
        std::for_each(report_.passed.begin(), report_.passed.end(), add);
        for (const std::string& path : report_.paths) {
            if (std::find(subjects.begin(), subjects.end(), path) == subjects.end()) {
                subjects.push_back(path);
            }
        }
        return subjects;
    }

    /// "  ✗ rank_3/mapping.csv: TEXT"; the path is left out if the heading has it.
    std::string line(const std::string& mark, const DoctorFinding& finding, std::string_view text) const {
        const std::string below = finding.subject + (finding.subject.ends_with('/') ? "" : "/");
        std::string place;
        if (finding.path != finding.subject && !finding.path.empty()) {
            const bool is_below = !finding.subject.empty() && finding.path.starts_with(below);
            const std::string shown = is_below ? finding.path.substr(below.size()) : finding.path;
            place = fmt::format("{}{}", shown_path(shown, options_.columns / 2), words_.colon);
        }
        return fmt::format("  {} {}", mark, indented(place + printable(text)).substr(kIndent));
    }

    std::string indented(std::string_view text, std::size_t more_indent = 0) const {
        return report::wrapped(std::string(kIndent, ' '), text, kIndent + more_indent, options_.columns);
    }

    std::string lines_of(const DoctorFinding& finding) const {
        const std::string mark = finding.severity == Severity::error     ? style_.red("✗")
                                 : finding.severity == Severity::warning ? style_.bold("!")
                                                                         : style_.dim("·");
        const std::string& setting = in_language(finding.setting, finding.setting_zh);
        std::string text = line(mark, finding,
                                options_.verbose ? in_language(finding.message, finding.message_zh)
                                                 : in_language(finding.summary, finding.summary_zh));
        text += setting.empty() ? "" : indented("→ " + printable(setting), 2);
        if (options_.verbose) {
            text += indented(
                fmt::format("{}{} [{}]", words_.source, in_language(finding.source, finding.source_zh), finding.code),
                2);
        }
        return text;
    }

    const DoctorReport& report_;
    const ReportOptions& options_;
    report::Style style_;
    bool is_chinese_;
    const DoctorWords& words_;
};

}  // namespace

std::string doctor_to_text(const DoctorReport& doctor, const ReportOptions& options) {
    return report::fitted(Checklist(doctor, options).text(), options.columns);
}

}  // namespace v0
}  // namespace opdebug
