// The report on API dumps as a page for people.
#include <algorithm>
#include <tuple>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <opdebug/api.hpp>
#include <opdebug/report.hpp>

#include "api_culprits/timelines.hpp"
#include "report/pages/text_api.hpp"
#include "report/text/api_next_step.hpp"
#include "report/text/labels.hpp"
#include "report/text/printable.hpp"
#include "report/text/text_table.hpp"

namespace opdebug {
inline namespace v0 {
namespace {

constexpr std::size_t kFirstShown = 8;
constexpr std::size_t kFindingsShown = 20;
constexpr std::size_t kFailuresShown = 20;
constexpr std::size_t kFramesShown = 12;

struct ApiWords {
    const report::ApiLabels& api;
    const report::Labels& common;
    Language language;
};

ApiWords words_in(Language language) {
    return {report::api_labels_in(language), report::labels_in(language), language};
}

std::string place_of(const ApiFinding& finding, const ApiWords& words) {
    std::string text = finding.step ? fmt::format("step {}, ", *finding.step) : std::string();
    return text + (finding.rank      ? fmt::format("rank {}", *finding.rank)
                   : finding.process ? fmt::format("{} {}", words.api.process, *finding.process)
                                     : std::string(words.api.unknown_rank));
}

std::string remark_line(const Diagnostic& remark, const ApiWords& words) {
    return fmt::format("  {} [{}] {}\n", report::severity_label(remark.severity, words.common), printable(remark.code),
                       report::printable_shortened(remark.message_in(words.language), words.language));
}

std::string number(const std::optional<double>& value) {
    return value ? fmt::to_string(*value) : std::string();
}

std::string value_table(const ApiFinding& finding, const ApiWords& words) {
    if (finding.values.empty()) {
        return {};
    }
    const std::vector<report::TextColumn> columns{
        {std::string(words.api.value)},     {std::string(words.api.type)},      {std::string(words.api.shape)},
        {std::string(words.api.max), true}, {std::string(words.api.min), true}, {std::string(words.api.state)}};
    std::vector<report::TextRow> rows;
    for (const ApiFindingValue& shown : finding.values) {
        const ApiValue& value = shown.value;
        rows.push_back({{fmt::format("{} {}", to_string(value.kind), printable(value.index)), printable(value.dtype),
                         fmt::format("[{}]", fmt::join(value.shape, ",")), number(value.max), number(value.min),
                         std::string(to_string(shown.state))},
                        {}});
    }
    const report::TextTable table = report::text_table(columns, rows);
    return fmt::format("\n{}{}", table.heading, fmt::join(table.rows, ""));
}

/// msprobe's frames: "File x.py, line 3, in f, \n source": the source stands on a line of its own.
std::string frame_lines(std::string_view frame) {
    std::string text;
    std::string_view indent = "    ";
    while (!frame.empty()) {
        const std::size_t end = std::min(frame.find('\n'), frame.size());
        std::string_view line = frame.substr(0, end);
        frame.remove_prefix(std::min(end + 1, frame.size()));
        while (!line.empty() && (line.front() == ' ' || line.front() == '\t')) {
            line.remove_prefix(1);
        }
        while (!line.empty() && !frame.empty() && (line.back() == ' ' || line.back() == ',')) {
            line.remove_suffix(1);
        }
        text += line.empty() ? std::string() : fmt::format("{}{}\n", indent, printable(line));
        indent = "      ";
    }
    return text;
}

std::string stack_lines(const ApiFinding& finding, bool any_unread, const ApiWords& words) {
    if (finding.stack.empty()) {
        return fmt::format("\n  {}: {}\n", words.api.stack, any_unread ? words.api.unread_stack : words.api.no_stack);
    }
    std::string text = fmt::format("\n  {}\n", words.api.stack);
    for (std::size_t i = 0; i < std::min(finding.stack.size(), kFramesShown); ++i) {
        text += frame_lines(finding.stack[i]);
    }
    const std::size_t more = finding.stack.size() - std::min(finding.stack.size(), kFramesShown);
    return more == 0 ? text : text + fmt::format("    {}\n", fmt::format(fmt::runtime(words.api.more_format), more));
}

/// Whether a stack of the finding's dump could not be read.
bool has_unread_stack(const ApiFinding& finding, const ApiReport& report) {
    const std::string_view folder = std::string_view(finding.file).substr(0, finding.file.rfind('/') + 1);
    return std::any_of(report.diagnostics.begin(), report.diagnostics.end(), [folder](const Diagnostic& told) {
        return told.code == std::string_view("stacks_unread") && told.message.find(folder) != std::string::npos;
    });
}

std::string culprit(const ApiFinding& finding, const ApiReport& report, const ApiWords& words) {
    std::string text =
        fmt::format("\n{}  ({})\n", report::printable_shortened(finding.api, words.language), place_of(finding, words));
    text += fmt::format("  {}  {}: {}\n", words.api.verdict, report::api_verdict_label(finding.verdict, words.language),
                        report::printable_shortened(finding.because, words.language));
    text += fmt::format("  {}  {}, {}\n", words.api.file, printable(finding.file),
                        fmt::format(fmt::runtime(words.api.position_format), finding.position));
    text += value_table(finding, words);
    text += stack_lines(finding, has_unread_stack(finding, report), words);
    if (!finding.remarks.empty()) {
        text += "\n";
    }
    for (const Diagnostic& remark : finding.remarks) {
        text += remark_line(remark, words);
    }
    const std::string_view next = report::api_next_step(finding, words.language);
    return next.empty() ? text : text + fmt::format("\n  {}: {}\n", words.api.next, next);
}

bool has_remark(std::string_view code, const ApiReport& report) {
    return std::any_of(report.diagnostics.begin(), report.diagnostics.end(),
                       [code](const Diagnostic& remark) { return remark.code == code; });
}

/// No call was read, or none that has statistics: nothing is known of bad values.
bool has_judged_none(const ApiReport& report) {
    const auto without_statistics =
        std::count_if(report.diagnostics.begin(), report.diagnostics.end(),
                      [](const Diagnostic& told) { return told.code == std::string_view("no_statistics"); });
    return report.counts.entries == 0 || static_cast<std::uint64_t>(without_statistics) >= report.counts.files;
}

/// Culprits of several runs were never compared, those in one call between ranks need no order.
std::string first_heading(const ApiReport& report, const ApiWords& words) {
    if (report.first.size() == 1) {
        return std::string(words.api.first);
    }
    const bool are_of_runs = has_remark("several_runs", report);
    const bool are_exchanged = std::all_of(report.first.begin(), report.first.end(), [](const ApiFinding& finding) {
        return finding.verdict == ApiVerdict::in_collective;
    });
    return fmt::format(fmt::runtime(are_of_runs     ? words.api.first_of_runs
                                    : are_exchanged ? words.api.first_of_exchange
                                                    : words.api.first_of_several),
                       report.first.size());
}

std::string first_part(const ApiReport& report, const ApiWords& words) {
    if (report.first.empty()) {
        return fmt::format("\n{}\n", has_judged_none(report)                   ? words.api.none_judged
                                     : has_remark("values_of_a_slice", report) ? words.api.none_in_slice
                                                                               : words.api.none);
    }
    std::string text = "\n" + first_heading(report, words) + "\n";
    for (std::size_t i = 0; i < std::min(report.first.size(), kFirstShown); ++i) {
        text += culprit(report.first[i], report, words);
    }
    const std::size_t more = report.first.size() - std::min(report.first.size(), kFirstShown);
    return more == 0 ? text : text + fmt::format("\n  {}\n", fmt::format(fmt::runtime(words.api.more_format), more));
}

std::string findings_part(const ApiReport& report, const ApiWords& words) {
    if (report.findings.empty()) {
        return {};
    }
    std::vector<report::TextColumn> columns{{std::string(words.api.step), true},
                                            {std::string(words.api.rank), true},
                                            {std::string(words.api.position), true},
                                            {std::string(words.api.verdict_of_rows)},
                                            {std::string(words.api.api)},
                                            {std::string(words.api.because)}};
    const bool names_runs = has_remark("several_runs", report);
    if (names_runs) {
        columns.insert(columns.begin(), {std::string(words.api.run)});
    }
    std::vector<report::TextRow> rows;
    for (std::size_t i = 0; i < std::min(report.findings.size(), kFindingsShown); ++i) {
        const ApiFinding& finding = report.findings[i];
        rows.push_back(
            {{finding.step ? fmt::to_string(*finding.step) : std::string(),
              finding.rank      ? fmt::to_string(*finding.rank)
              : finding.process ? fmt::format("{} {}", words.api.process, *finding.process)
                                : std::string(),
              fmt::to_string(finding.position), std::string(report::api_verdict_label(finding.verdict, words.language)),
              report::printable_shortened(finding.api, words.language),
              report::printable_shortened(finding.because, words.language)},
             {}});
        if (names_runs) {
            std::vector<std::string>& cells = rows.back().cells;
            cells.insert(cells.begin(), printable(api_culprits::root_of_run(finding.file)));
        }
    }
    const report::TextTable table = report::text_table(columns, rows);
    std::string text = fmt::format("\n{} ({})\n{}{}", words.api.findings, report.findings.size(), table.heading,
                                   fmt::join(table.rows, ""));
    const std::size_t more = report.findings.size() - rows.size();
    return more == 0 ? text : text + fmt::format("  {}\n", fmt::format(fmt::runtime(words.api.more_format), more));
}

std::string failures_part(const ApiReport& report, const ApiWords& words, const ReportOptions& options) {
    std::string text = report.failures.empty() ? std::string() : fmt::format("\n{}\n", words.api.failures);
    for (std::size_t i = 0; i < std::min(report.failures.size(), kFailuresShown); ++i) {
        text += "  " + failure_to_text(report.failures[i], options);
    }
    const std::size_t more = report.failures.size() - std::min(report.failures.size(), kFailuresShown);
    return more == 0 ? text : text + fmt::format("  {}\n", fmt::format(fmt::runtime(words.api.more_format), more));
}

}  // namespace

std::string api_report_to_text(const ApiReport& report, const ReportOptions& options) {
    const ApiWords words = words_in(options.language);
    std::string text = fmt::format(fmt::runtime(words.api.title_format), report::api_counts_text(report, options));
    text += report.complete ? "\n" : fmt::format("\n{}\n", words.api.incomplete);
    text += first_part(report, words);
    text += findings_part(report, words);
    text += failures_part(report, words, options);
    if (!report.diagnostics.empty()) {
        text += fmt::format("\n{}\n", words.api.remarks);
    }
    for (const Diagnostic& remark : report.diagnostics) {
        text += remark_line(remark, words);
    }
    return text;
}

}  // namespace v0
}  // namespace opdebug

namespace opdebug::report {

std::string api_counts_text(const ApiReport& report, const ReportOptions& options) {
    const ApiLabels& words = api_labels_in(options.language);
    const auto& [calls, files, steps, ranks] =
        std::tie(report.counts.entries, report.counts.files, report.counts.steps, report.counts.ranks);
    return fmt::format(fmt::runtime(words.counts_format), calls, words.calls.of(calls), files, words.files.of(files),
                       steps, words.steps.of(steps), ranks, words.ranks.of(ranks));
}

std::string api_first_text(const ApiReport& report, const ReportOptions& options) {
    return first_part(report, words_in(options.language));
}

std::string api_failures_text(const ApiReport& report, const ReportOptions& options) {
    return failures_part(report, words_in(options.language), options);
}

}  // namespace opdebug::report
