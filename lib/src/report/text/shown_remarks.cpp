#include "report/text/shown_remarks.hpp"

#include <algorithm>

#include <nlohmann/json.hpp>

#include <opdebug/report.hpp>

#include "embedded/first_screen_data.hpp"
#include "report/text/page.hpp"

namespace opdebug::report {
namespace {

std::vector<ShownRemark> read_shown_remarks() {
    std::vector<ShownRemark> rows;
    const nlohmann::json document = nlohmann::json::parse(embedded::first_screen_files().front().text);
    for (const nlohmann::json& row : document.at("remarks")) {
        rows.push_back({row.at("code"),
                        row.at("shows"),
                        row.value("unless", std::string()),
                        {row.value("en", std::string()), row.value("zh", std::string())},
                        {row.value("next", std::string()), row.value("next_zh", std::string())}});
    }
    return rows;
}

/// A code may have texts of both severities: those of severity info limit nothing.
const Diagnostic* find_warning(const std::vector<Diagnostic>& remarks, std::string_view code) {
    const auto warning = std::find_if(remarks.begin(), remarks.end(), [code](const Diagnostic& remark) {
        return remark.severity != Severity::info && remark.code == code;
    });
    return warning == remarks.end() ? nullptr : &*warning;
}

// A document has one list of diagnostics: read from it, they are the dump's.
const Diagnostic* find_warning(const Dump& dump, const Location& location, std::string_view code) {
    const Diagnostic* const of_location = find_warning(location.diagnostics, code);
    return of_location != nullptr ? of_location : find_warning(dump.diagnostics, code);
}

}  // namespace

const std::vector<ShownRemark>& shown_remarks() {
    static const std::vector<ShownRemark> rows = read_shown_remarks();
    return rows;
}

bool has_remark(const Dump& dump, const Location& location, std::string_view code) {
    return find_warning(dump, location, code) != nullptr;
}

AnswerLimits limits_of_answer(const Dump& dump, const Location& location, std::string_view reason, Language language) {
    AnswerLimits limits;
    for (const ShownRemark& row : shown_remarks()) {
        const Diagnostic* const remark = find_warning(dump, location, row.code);
        const bool is_stated = row.code == reason || (!row.unless.empty() && has_remark(dump, location, row.unless));
        if (row.shows == "reason" || is_stated || remark == nullptr) {
            continue;
        }
        limits.codes.push_back(row.code);
        if (row.shows == "failure") {
            limits.failure = row.text.in(language);
            limits.failure_next = row.next.in(language);
        } else {
            limits.warnings.push_back(row.text.en.empty() ? printable(remark->message_in(language))
                                                          : row.text.in(language));
        }
    }
    return limits;
}

std::string warnings_text(const std::vector<std::string>& warnings, const ReportOptions& options) {
    constexpr std::size_t kShown = 3;
    const Page page{options};
    std::string text;
    const std::size_t shown = std::min(options.verbose ? warnings.size() : kShown, warnings.size());
    for (std::size_t i = 0; i < shown; ++i) {
        text += page.lines("  ! ", warnings[i], 4);
    }
    return text + page.more(warnings.size() - shown);
}

}  // namespace opdebug::report
