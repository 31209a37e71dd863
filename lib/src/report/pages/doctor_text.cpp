// An examination for people.
#include <fmt/format.h>

#include <opdebug/report.hpp>

#include "report/text/labels.hpp"

namespace opdebug {
inline namespace v0 {
namespace {

/// The words around the findings; the findings themselves are English, as all remarks are.
struct DoctorWords {
    const char *set, *source, *nothing, *summary;
    const char* plural;
};
constexpr DoctorWords kEnglish{"set", "source", "nothing is missing, as far as can be seen\n",
                               "{} error{}, {} warning{}, {} remark{}\n", "s"};
constexpr DoctorWords kChinese{"设置", "来源", "未发现缺失\n", "{}{} 个错误，{}{} 个警告，{}{} 条说明\n", ""};

std::string summary_of(const DoctorReport& doctor, const DoctorWords& words) {
    const std::uint64_t errors = doctor.count(Severity::error), warnings = doctor.count(Severity::warning),
                        remarks = doctor.count(Severity::info);
    const auto ending = [&words](std::uint64_t count) { return count == 1 ? "" : words.plural; };
    return fmt::format(fmt::runtime(words.summary), errors, ending(errors), warnings, ending(warnings), remarks,
                       ending(remarks));
}

std::string finding_to_text(const DoctorFinding& finding, const report::Labels& labels, const DoctorWords& words) {
    std::string text = fmt::format("{} [{}] {}\n", report::severity_label(finding.severity, labels), finding.code,
                                   printable(finding.message));
    if (!finding.setting.empty()) {
        text += fmt::format("    {}: {}\n", words.set, printable(finding.setting));
    }
    return text + fmt::format("    {}: {}\n", words.source, finding.source);
}

}  // namespace

std::string doctor_to_text(const DoctorReport& doctor, const ReportOptions& options) {
    const report::Labels& labels = report::labels_in(options.language);
    const DoctorWords& words = options.language == Language::chinese ? kChinese : kEnglish;
    std::string text;
    for (const Severity severity : {Severity::error, Severity::warning, Severity::info}) {
        for (const DoctorFinding& finding : doctor.findings) {
            text += finding.severity == severity ? finding_to_text(finding, labels, words) : "";
        }
    }
    if (doctor.count(Severity::error) + doctor.count(Severity::warning) == 0) {
        text += words.nothing;
    }
    return text + summary_of(doctor, words);
}

}  // namespace v0
}  // namespace opdebug
