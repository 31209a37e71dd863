// An examination for people.
#include <fmt/format.h>

#include <opdebug/report.hpp>

#include "report/labels.hpp"

namespace opdebug {
inline namespace v0 {
namespace {

/// The words around the findings; the findings themselves are English, as all remarks are.
struct Words {
    const char *set, *source, *nothing, *summary;
};
constexpr Words kEnglish{"set", "source", "nothing is missing, as far as can be seen\n",
                         "{} errors, {} warnings, {} remarks\n"};
constexpr Words kChinese{"设置", "来源", "未发现缺失\n", "{} 个错误，{} 个警告，{} 条说明\n"};

std::string finding_to_text(const DoctorFinding& finding, const report::Labels& labels, const Words& words) {
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
    const Words& words = options.language == Language::chinese ? kChinese : kEnglish;
    std::string text;
    for (const Severity severity : {Severity::error, Severity::warning, Severity::info}) {
        for (const DoctorFinding& finding : doctor.findings) {
            text += finding.severity == severity ? finding_to_text(finding, labels, words) : "";
        }
    }
    if (doctor.count(Severity::error) + doctor.count(Severity::warning) == 0) {
        text += words.nothing;
    }
    return text + fmt::format(fmt::runtime(words.summary), doctor.count(Severity::error),
                              doctor.count(Severity::warning), doctor.count(Severity::info));
}

}  // namespace v0
}  // namespace opdebug
