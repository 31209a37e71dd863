// What `doctor` examined: a checklist for people, the most severe first, and the document "opdebug.doctor/1".
#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <opdebug/report.hpp>

#include "report/json/json_writer.hpp"
#include "report/text/page.hpp"

namespace opdebug::report {

namespace {

constexpr std::size_t kIndent = 4;
constexpr Severity kSeverities[] = {Severity::error, Severity::warning, Severity::info};  // the most severe first

struct Checklist : Page {
    const DoctorReport& report;

    const std::string& in_language(const std::string& english, const std::string& chinese) const {
        return options.language == Language::chinese ? chinese : english;
    }
    std::string indented(std::string_view text, std::size_t more_indent = 0) const {
        return lines(std::string(kIndent, ' '), text, kIndent + more_indent);
    }
};

std::string heading_of(const Checklist& list) {
    const std::uint64_t problems = list.report.count(Severity::error), warnings = list.report.count(Severity::warning);
    std::vector<std::string> parts;
    if (problems != 0) {
        parts.push_back(list.red(list.phrase("doctor_page.problems", {{"count", problems}})));
    }
    if (warnings != 0) {
        parts.push_back(list.bold(list.phrase("doctor_page.warnings", {{"count", warnings}})));
    }
    if (parts.empty()) {
        parts.emplace_back(list.word("doctor_page.nothing"));
    }
    if (!list.report.passed.empty()) {
        parts.push_back(list.phrase("doctor_page.passed", {{"count", list.report.passed.size()}}));
    }
    const bool has_more = !list.options.verbose && !list.report.findings.empty();
    return fmt::format("{}{}\n", fmt::join(parts, list.word("page.comma")),
                       has_more ? list.word("doctor_page.more") : "");
}

/// The findings, the most severe first.
std::vector<const DoctorFinding*> findings_of(const DoctorReport& report) {
    std::vector<const DoctorFinding*> findings;
    for (const Severity severity : kSeverities) {
        for (const DoctorFinding& finding : report.findings) {
            if (finding.severity == severity) {
                findings.push_back(&finding);
            }
        }
    }
    return findings;
}

/// The examined subjects, those with the most severe findings first.
std::vector<std::string> subjects_of(const DoctorReport& report) {
    std::vector<std::string> subjects;
    const auto add = [&subjects](const std::string& subject) {
        if (std::find(subjects.begin(), subjects.end(), subject) == subjects.end()) {
            subjects.push_back(subject);
        }
    };
    for (const DoctorFinding* const finding : findings_of(report)) {
        add(finding->subject);
    }
    for (const DoctorFinding& check : report.passed) {
        add(check.subject);
    }
    std::for_each(report.paths.begin(), report.paths.end(), add);
    return subjects;
}

/// "  ✗ rank_3/mapping.csv: TEXT"; the path is left out if the heading has it.
std::string line_of(const std::string& mark, const DoctorFinding& finding, std::string_view text,
                    const Checklist& list) {
    const std::string below = finding.subject + (finding.subject.ends_with('/') ? "" : "/");
    std::string place;
    if (finding.path != finding.subject && !finding.path.empty()) {
        const bool is_below = !finding.subject.empty() && finding.path.starts_with(below);
        const std::string shown = is_below ? finding.path.substr(below.size()) : finding.path;
        place = fmt::format("{}{}", list.path(shown, list.options.columns / 2), list.word("page.colon"));
    }
    return fmt::format("  {} {}", mark, list.indented(place + printable(text)).substr(kIndent));
}

std::string lines_of(const DoctorFinding& finding, const Checklist& list) {
    const bool is_verbose = list.options.verbose;
    const std::string mark = finding.severity == Severity::error     ? list.red("✗")
                             : finding.severity == Severity::warning ? list.bold("!")
                                                                     : list.dim("·");
    const std::string& setting = list.in_language(finding.setting, finding.setting_zh);
    std::string text = line_of(mark, finding,
                               is_verbose ? list.in_language(finding.message, finding.message_zh)
                                          : list.in_language(finding.summary, finding.summary_zh),
                               list);
    text += setting.empty() ? "" : list.indented("→ " + printable(setting), 2);
    if (is_verbose) {
        text += list.indented(fmt::format("{}{} [{}]", list.word("doctor_page.source"),
                                          list.in_language(finding.source, finding.source_zh), finding.code),
                              2);
    }
    return text;
}

}  // namespace
}  // namespace opdebug::report

std::string opdebug::doctor_to_text(const DoctorReport& doctor, const ReportOptions& options) {
    const report::Checklist list{{options}, doctor};
    std::string text = heading_of(list);
    for (const std::string& subject : report::subjects_of(doctor)) {
        text += list.heading(subject.empty() ? std::string(list.word("doctor_page.environment"))
                                             : list.path(subject, options.columns));
        const std::size_t begin = text.size();
        for (const DoctorFinding* const finding : report::findings_of(doctor)) {
            text += finding->subject == subject ? lines_of(*finding, list) : "";
        }
        for (const DoctorFinding& check : doctor.passed) {
            const std::string& summary = list.in_language(check.summary, check.summary_zh);
            text += check.subject == subject ? line_of(list.dim("✓"), check, summary, list) : "";
        }
        if (text.size() == begin) {
            text += fmt::format("  {} {}\n", list.dim("✓"), list.word("doctor_page.nothing"));
        }
    }
    return report::fitted(text, options.columns);
}

std::string opdebug::doctor_to_json(const DoctorReport& doctor, const ReportOptions& options) {
    return report::JsonWriter::document("opdebug.doctor/1", options, [&](report::JsonWriter& json) {
        json.member("paths", doctor.paths);
        json.member("environment_examined", doctor.environment_examined);
        json.member("counts", [&] {
            json.member("dumps", doctor.counts.dumps);
            json.member("op_dumps", doctor.counts.op_dumps);
            json.member("logs", doctor.counts.logs);
            json.member("api_dumps", doctor.counts.api_dumps);
            json.member("settings", doctor.counts.settings);
        });
        json.objects("findings", doctor.findings, [&](const DoctorFinding& finding) {
            json.member("severity", finding.severity);
            json.member("code", finding.code);
            json.member("message", finding.message);
            json.member("message_zh", finding.message_zh);
            json.text_member("setting", finding.setting);
            json.member("source", finding.source);
            json.text_member("path", finding.path);
        });
        json.member("complete", doctor.complete);
    });
}
