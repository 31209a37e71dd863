// The page of a scan, and its section on API dumps.
#include "report/html/scan_html.hpp"

#include <algorithm>
#include <deque>
#include <iterator>

#include <fmt/format.h>

#include <opdebug/version.hpp>

#include "embedded/report_data.hpp"
#include "report/html/html_table.hpp"
#include "report/pages/text_api.hpp"
#include "report/text/labels.hpp"

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

namespace {

std::string_view embedded_text(std::string_view name) {
    for (const embedded::File& file : embedded::report_files()) {
        if (file.name == name) {
            return file.text;
        }
    }
    return {};
}

std::string title(const ScanPage& page) {
    return html(scan_title(page, page.options.report.language));
}

std::string inputs(const ScanPage& page) {
    std::string items;
    for (const std::string& input : page.scan.inputs) {
        items += fmt::format("<li class=\"file\">{}</li>\n", html(input));
    }
    return items;
}

std::string notice(const ScanPage& page) {
    if (page.scan.complete) {
        return {};
    }
    return fmt::format(
        "<p class=\"notice\" role=\"note\">{}</p>\n",
        in_both_languages(scan_labels_in(Language::english).incomplete, scan_labels_in(Language::chinese).incomplete));
}

/// A part of the page with its heading; empty parts are left out.
std::string section(std::string_view id, std::string_view english, std::string_view chinese,
                    const std::string& content) {
    if (content.empty()) {
        return {};
    }
    return fmt::format("<section aria-labelledby=\"{0}-heading\">\n<h2 id=\"{0}-heading\">{1}</h2>\n{2}</section>\n",
                       id, in_both_languages(english, chinese), content);
}

using Entries = std::vector<const ScanEntry*>;

std::string dumps(const ScanPage& page, const Entries& timeline) {
    const std::string rows = html_overflows(timeline, page.options.report.tensors);
    return page.options.all
               ? section("dumps", "Dumps, in order of step, then time", "dump（先按 step、再按时间排列）", rows)
               : section("dumps", "Overflowed dumps, in order of step, then time",
                         "溢出的 dump（先按 step、再按时间排列）", rows);
}

/// What stands for {{name}} in the template.
struct Part {
    std::string_view name;
    std::string (*text)(const ScanPage& page, const Entries& timeline);
};

constexpr Part kParts[] = {
    {"language",
     [](const ScanPage& page, const Entries&) -> std::string {
         return page.options.report.language == Language::chinese ? "zh" : "en";
     }},
    {"style", [](const ScanPage&, const Entries&) { return std::string(embedded_text("page.css")); }},
    {"script", [](const ScanPage&, const Entries&) { return std::string(embedded_text("page.js")); }},
    {"title", [](const ScanPage& page, const Entries&) { return title(page); }},
    {"inputs", [](const ScanPage& page, const Entries&) { return inputs(page); }},
    {"notice", [](const ScanPage& page, const Entries&) { return notice(page); }},
    {"summary", [](const ScanPage& page, const Entries&) { return html_summary(page); }},
    {"first", [](const ScanPage& page,
                 const Entries&) { return section("first", "First overflow", "首个溢出", html_first(page)); }},
    {"api",
     [](const ScanPage& page, const Entries&) { return section("api", "API dumps", "API dump", html_api(page)); }},
    {"chains",
     [](const ScanPage& page, const Entries&) {
         return section("chains", "Chains of overflows, with the first bad value that the dumps show",
                        "溢出链，以及 dump 中可见的首个异常值（原因为英文）", html_chains(page.chains));
     }},
    {"chart", [](const ScanPage&,
                 const Entries& timeline) { return section("chart", "Timeline", "时间线", html_chart(timeline)); }},
    {"groups",
     [](const ScanPage& page, const Entries&) { return section("groups", "Groups", "分组", html_groups(page)); }},
    {"dumps", dumps},
    {"failures",
     [](const ScanPage& page, const Entries&) {
         return section("failures", "Failures", "失败（原因为英文）", html_failures(page));
     }},
    {"remarks",
     [](const ScanPage& page, const Entries&) {
         return section("remarks", "Remarks on the scan", "关于本次扫描的说明（英文）", html_remarks(page));
     }},
    {"version", [](const ScanPage&, const Entries&) { return html(version()); }},
};

std::string part(std::string_view name, const ScanPage& page, const Entries& timeline) {
    const auto* const known = std::find_if(std::begin(kParts), std::end(kParts),
                                           [name](const Part& candidate) { return candidate.name == name; });
    return known != std::end(kParts) ? known->text(page, timeline) : std::string();
}

/// The dumps of the timeline; those of other reports are kept in `read`.
Entries timeline_of(const ScanPage& page, std::deque<ScanEntry>& read) {
    if (page.entries != nullptr) {
        return timeline_of(*page.entries, page.options);
    }
    Entries timeline;
    TimelineChoice choice(page.options);
    each_entry(page, [&](const ScanEntry& entry) {
        if (choice.takes(entry)) {
            timeline.push_back(&read.emplace_back(entry));
        }
        return !choice.is_full();
    });
    return timeline;
}

}  // namespace

void scan_html(const ScanPage& page, const TextSink& sink) {
    std::deque<ScanEntry> read;
    const Entries timeline = timeline_of(page, read);
    std::string_view rest = embedded_text("page.html");
    for (std::size_t start = rest.find("{{"); start != std::string_view::npos; start = rest.find("{{")) {
        const std::size_t end = rest.find("}}", start);
        if (end == std::string_view::npos || !sink(rest.substr(0, start))) {
            return;
        }
        const std::string text = part(rest.substr(start + 2, end - start - 2), page, timeline);
        if (!text.empty() && !sink(text)) {
            return;
        }
        rest.remove_prefix(end + 2);
    }
    sink(rest);
}

}  // namespace opdebug::report

std::optional<opdebug::Error> opdebug::ScanReport::write_html(const TextSink& sink) const {
    report::scan_html(report::page_of(*contents_), sink);
    return std::nullopt;
}
