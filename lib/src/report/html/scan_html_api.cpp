#include "report/html/scan_html_api.hpp"

#include <fmt/format.h>

#include "report/html/html_table.hpp"
#include "report/html/html_text.hpp"
#include "report/pages/text_scan_api.hpp"
#include "report/text/labels_api.hpp"

namespace opdebug::report {
namespace {

std::string in_pre(const ScanApi& api, ReportOptions options, Language language) {
    options.language = language;
    const char* const name = language == Language::chinese ? "zh" : "en";
    return fmt::format("<pre class=\"{0}\" lang=\"{0}\">{1}</pre>\n", name,
                       html_lines(scan_api_culprits(api, options)));
}

std::string call_cells(const ApiFinding& finding) {
    const ApiLabels &english = api_labels_in(Language::english), &chinese = api_labels_in(Language::chinese);
    return fmt::format("{}{}{}{}{}{}{}", keyed_cell("call", in_both_languages(english.call, chinese.call)),
                       number_cell(finding.position), time_cell(std::nullopt), text_cell(finding.api, "name"),
                       keyed_cell(to_string(finding.verdict),
                                  in_both_languages(api_verdict_label(finding.verdict, Language::english),
                                                    api_verdict_label(finding.verdict, Language::chinese))),
                       text_cell(finding.because, "message"), text_cell(finding.file, "file"));
}

std::string dump_cells(const KernelOverflow& overflow, const ApiTie* tie) {
    const ApiLabels &english = api_labels_in(Language::english), &chinese = api_labels_in(Language::chinese);
    const std::string named = show_operator(overflow.operator_name, overflow.operator_type);
    const std::string level = tie == nullptr ? in_both_languages(english.not_tied, chinese.not_tied)
                                             : in_both_languages(api_tie_label(tie->level, Language::english),
                                                                 api_tie_label(tie->level, Language::chinese));
    return fmt::format("{}{}{}{}{}{}{}", keyed_cell("dump", in_both_languages(english.dump, chinese.dump)),
                       number_cell(std::nullopt), time_cell(overflow.timestamp_us),
                       text_cell(named.empty() ? printable(overflow.kernel) : named, "name"),
                       keyed_cell(tie == nullptr ? "" : to_string(tie->level), level),
                       text_cell(tie == nullptr ? std::string() : tie->api + ": " + tie->because, "message"),
                       text_cell(overflow.file, "file"));
}

std::string rows_of(const ScanApi& api, std::size_t& all) {
    std::string rows;
    for (const ApiTimeline& timeline : api.timeline) {
        for (const ApiTimelineEntry& entry : timeline.entries) {
            if (all++ < kMostRows) {
                rows += fmt::format("<tr>{}{}{}</tr>\n", number_cell(timeline.step), number_cell(timeline.rank),
                                    entry.finding ? call_cells(api.report->findings[*entry.finding])
                                                  : dump_cells(api.overflows[*entry.overflow],
                                                               entry.tie ? &api.ties[*entry.tie] : nullptr));
            }
        }
    }
    return rows;
}

}  // namespace

std::string html_api(const ScanPage& page) {
    if (page.api == nullptr) {
        return {};
    }
    std::string text = in_pre(*page.api, page.options.report, Language::english) +
                       in_pre(*page.api, page.options.report, Language::chinese);
    std::size_t all = 0;
    const std::string rows = rows_of(*page.api, all);
    if (!rows.empty()) {
        text += fmt::format("<h3>{}</h3>\n", in_both_languages(api_labels_in(Language::english).timeline,
                                                               api_labels_in(Language::chinese).timeline));
        text += table("api-timeline",
                      heading_cells({{"Step", "Step"},
                                     {"Rank", "Rank"},
                                     {"Kind", "类别"},
                                     {"Position", "序号"},
                                     {"Time (UTC)", "时间 (UTC)"},
                                     {"Call or operator", "调用或算子"},
                                     {"Verdict or tie", "结论或关联"},
                                     {"Because", "原因（英文）"},
                                     {"File", "文件"}}),
                      rows) +
                left_out(all);
    }
    if (!page.api->diagnostics.empty()) {
        text += remark_list(page.api->diagnostics);
    }
    return text;
}

}  // namespace opdebug::report
