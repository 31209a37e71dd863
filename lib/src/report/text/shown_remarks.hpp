// The remarks that the first screen shows in short: lib/data/report/first_screen.json is the table of them.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <opdebug/dump.hpp>
#include <opdebug/locate.hpp>
#include <opdebug/report.hpp>

namespace opdebug::report {

/// A row of the table. "reason": why the operator is unknown; the first that fits counts. "warning": what makes an
/// answer doubtful. "failure": the task did not only overflow.
struct ShownRemark {
    std::string code, shows;
    std::string unless;        ///< another code that states the same with more detail
    LocalizedText text, next;  ///< no text: the remark's own message, which has values
};

const std::vector<ShownRemark>& shown_remarks();

bool has_remark(const Dump& dump, const Location& location, std::string_view code);

/// What limits the answer, in short, most important first.
struct AnswerLimits {
    std::string failure, failure_next;  ///< empty: no line reports that the task failed
    std::vector<std::string> warnings;
    std::vector<std::string_view> codes;  ///< of the remarks that these texts state
};

/// `reason`: the code of the remark that the page states already.
AnswerLimits limits_of_answer(const Dump& dump, const Location& location, std::string_view reason, Language language);

/// "  ! TEXT", a line for each of the first; the failure is not among them.
std::string warnings_text(const std::vector<std::string>& warnings, const ReportOptions& options);

}  // namespace opdebug::report
