// The report on API dumps as a page for people: the answer, one line for each rank, lists.
#include "report/pages/text_api.hpp"

#include <algorithm>
#include <tuple>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <opdebug/api.hpp>
#include <opdebug/report.hpp>

#include "report/text/api_next_step.hpp"
#include "report/text/printable.hpp"
#include "report/text/text_table.hpp"

namespace opdebug::report {
namespace {

constexpr std::size_t kFirstShown = 2;  ///< with all details: kFirstDetailed
constexpr std::size_t kFirstDetailed = 8;
constexpr std::size_t kFailuresShown = 20;
constexpr std::size_t kFramesShown = 4;

template <class... Values>
std::string with_values(std::string_view format, const Values&... values) {
    return fmt::format(fmt::runtime(format), values...);
}

std::string more_line(std::size_t count, const ApiLabels& words) {
    return count == 0 ? std::string() : fmt::format("  {}\n", with_values(words.more_format, count));
}

std::string remark_line(const Diagnostic& remark, const ReportOptions& options) {
    return wrapped(
        fmt::format("  {} [{}]", severity_label(remark.severity, labels_in(options.language)), printable(remark.code)),
        " " + printable_shortened(remark.message_in(options.language), options.language), 4, options.columns);
}

std::string number(const std::optional<double>& value) {
    return value ? fmt::to_string(*value) : std::string();
}

std::string value_table(const ApiFinding& finding, const ReportOptions& options) {
    const ApiLabels& words = api_labels_in(options.language);
    if (finding.values.empty()) {
        return {};
    }
    const std::vector<TextColumn> columns{{std::string(words.value)},     {std::string(words.type)},
                                          {std::string(words.shape)},     {std::string(words.max), true},
                                          {std::string(words.min), true}, {std::string(words.state)}};
    std::vector<TextRow> rows;
    rows.reserve(finding.values.size());
    for (const ApiFindingValue& shown : finding.values) {
        const ApiValue& value = shown.value;
        rows.push_back({{fmt::format("{} {}", to_string(value.kind), printable(value.index)), printable(value.dtype),
                         fmt::format("[{}]", fmt::join(value.shape, ",")), number(value.max), number(value.min),
                         std::string(to_string(shown.state))},
                        {}});
    }
    const TextTable table = text_table(columns, rows, options.columns);
    return table.heading + fmt::format("{}", fmt::join(table.rows, ""));
}

/// One line of a frame of msprobe, which has two: "File x.py, line 3, in f, \n source".
std::string frame_line(std::string_view frame, const ReportOptions& options) {
    constexpr std::string_view kBlank = " \t,";
    std::string text;
    while (!frame.empty()) {
        const std::size_t end = std::min(frame.find('\n'), frame.size());
        std::string_view line = frame.substr(0, end);
        frame.remove_prefix(std::min(end + 1, frame.size()));
        line.remove_prefix(std::min(line.find_first_not_of(" \t"), line.size()));
        while (!line.empty() && !frame.empty() && kBlank.find(line.back()) != std::string_view::npos) {
            line.remove_suffix(1);
        }
        text += line.empty() ? "" : (text.empty() ? "" : ": ") + printable(line);
    }
    return fmt::format("    {}\n", options.verbose ? text : shorten_end(text, options.columns - 4));
}

std::string stack_lines(const ApiFinding& finding, bool any_unread, const ReportOptions& options) {
    const ApiLabels& words = api_labels_in(options.language);
    if (finding.stack.empty()) {
        return fmt::format("  {}{}{}\n", words.stack, words.colon, any_unread ? words.unread_stack : words.no_stack);
    }
    std::string text = fmt::format("  {}\n", words.stack);
    const std::size_t shown = options.verbose ? finding.stack.size() : std::min(finding.stack.size(), kFramesShown);
    for (std::size_t i = 0; i < shown; ++i) {
        text += frame_line(finding.stack[i], options);
    }
    const std::size_t more = finding.stack.size() - shown;
    return more == 0 ? text : text + fmt::format("  {}\n", with_values(words.more_frames_format, more));
}

/// Whether a stack of the finding's dump could not be read.
bool has_unread_stack(const ApiFinding& finding, const ApiReport& report) {
    const std::string_view folder = std::string_view(finding.file).substr(0, finding.file.rfind('/') + 1);
    return std::any_of(report.diagnostics.begin(), report.diagnostics.end(), [folder](const Diagnostic& remark) {
        return remark.code == "stacks_unread" && remark.message.find(folder) != std::string::npos;
    });
}

/// Calls around the culprit that share its values: of interest after the answer.
bool is_detail(const Diagnostic& remark) {
    return remark.code == "last_clean" || remark.code == "feeds" || remark.code == "fed_by";
}

std::string location_of(const ApiFinding& finding, const ApiLabels& words) {
    const std::string rank = finding.rank      ? fmt::format("rank {}", *finding.rank)
                             : finding.process ? fmt::format("{} {}", words.process, *finding.process)
                                               : std::string(words.unknown_rank);
    return finding.step ? fmt::format("{}  step {}", rank, *finding.step) : rank;
}

/// Whether positions of different ranks can be compared.
bool is_ordered(const ApiReport& report) {
    return !has_remark("bad_value_elsewhere", report) && !has_remark("order_unknown", report) &&
           !has_remark("several_runs", report);
}

/// Where it is, and by how many calls it is first.
std::string order_line(const ApiFinding& finding, const ApiReport& report, const ReportOptions& options) {
    const ApiLabels& words = api_labels_in(options.language);
    std::string text = with_values(words.position_format, finding.position);
    if (report.first.size() == 1 && finding.rank && report.counts.ranks > 1 && is_ordered(report)) {
        const std::optional<std::uint64_t> other = first_of_other_ranks(report);
        const std::string reason =
            !other && !is_whole(report) ? std::string()
            : !other                    ? std::string(words.alone)
            : *other > finding.position
                ? with_values(words.before_format.of(*other - finding.position), *other - finding.position)
                : std::string(words.by_calls);
        text += reason.empty() ? std::string() : std::string(words.comma) + reason;
    }
    return wrapped("  ", text, 4, options.columns);
}

std::string culprit(const ApiFinding& finding, const ApiReport& report, const ReportOptions& options) {
    const Language language = options.language;
    const ApiLabels& words = api_labels_in(language);
    std::string text = wrapped(fmt::format("  {}{}", api_verdict_label(finding.verdict, language), words.colon),
                               printable_shortened(finding.because_in(language), language), 4, options.columns);
    text += order_line(finding, report, options);
    text += wrapped(fmt::format("  {}", words.next), api_next_step(finding, language), 4, options.columns);
    text += "\n" + value_table(finding, options);
    text += stack_lines(finding, has_unread_stack(finding, report), options);
    const std::string file = printable(finding.file);
    const std::size_t file_columns = options.columns - 2 - display_columns(words.file);
    text += fmt::format("  {}{}\n", words.file, options.verbose ? file : shorten_path(file, file_columns));
    for (const Diagnostic& remark : finding.remarks) {
        text += options.verbose || !is_detail(remark) ? remark_line(remark, options) : std::string();
    }
    return text;
}

/// No call was read, or none that has statistics: nothing is known of bad values.
bool has_judged_none(const ApiReport& report) {
    const auto without_statistics =
        std::count_if(report.diagnostics.begin(), report.diagnostics.end(),
                      [](const Diagnostic& remark) { return remark.code == "no_statistics"; });
    return report.counts.entries == 0 || static_cast<std::uint64_t>(without_statistics) >= report.counts.files;
}

/// Culprits of several runs were never compared, those in one call between ranks need no order.
std::string first_heading(const ApiReport& report, const ApiLabels& words) {
    if (report.first.size() == 1) {
        return std::string(words.first);
    }
    const bool are_exchanged = std::all_of(report.first.begin(), report.first.end(), [](const ApiFinding& finding) {
        return finding.verdict == ApiVerdict::in_collective;
    });
    return with_values(words.several_format, report.first.size(),
                       has_remark("several_runs", report) ? words.of_runs
                       : are_exchanged                    ? words.of_exchange
                                                          : words.unordered);
}

std::string first_text(const ApiReport& report, const ReportOptions& options, bool with_heading) {
    const ApiLabels& words = api_labels_in(options.language);
    const Style style(options);
    if (report.first.empty()) {
        return fmt::format("{}\n", has_judged_none(report)                   ? words.none_judged
                                   : has_remark("values_of_a_slice", report) ? words.none_in_slice
                                                                             : words.none);
    }
    const std::string heading = first_heading(report, words);
    const bool is_one = report.first.size() == 1;
    std::string text = is_one ? std::string() : style.red(heading) + "\n";
    const std::size_t shown = std::min(report.first.size(), options.verbose ? kFirstDetailed : kFirstShown);
    for (std::size_t i = 0; i < shown; ++i) {
        const ApiFinding& finding = report.first[i];
        if (!is_one || with_heading) {
            const std::string name =
                (is_one ? heading + "   " : "") + printable_shortened(finding.api, options.language);
            const std::string line = two_sides(name, location_of(finding, words), options.columns);
            text += is_one ? style.red(heading) + line.substr(heading.size()) : "\n" + line;
        }
        text += culprit(finding, report, options);
    }
    const std::size_t more = report.first.size() - shown;
    return text + (more == 0 || options.verbose ? more_line(more, words) : labels_in(options.language).more(more));
}

std::string failures_text(const ApiReport& report, const ReportOptions& options) {
    const ApiLabels& words = api_labels_in(options.language);
    std::string text =
        report.failures.empty() ? std::string() : fmt::format("\n{}\n", Style(options).bold(words.failures));
    const std::size_t shown = std::min(report.failures.size(), kFailuresShown);
    for (std::size_t i = 0; i < shown; ++i) {
        text += "  " + failure_to_text(report.failures[i], options);
    }
    return text + more_line(report.failures.size() - shown, words);
}

}  // namespace

bool has_remark(std::string_view code, const ApiReport& report) {
    return std::any_of(report.diagnostics.begin(), report.diagnostics.end(),
                       [code](const Diagnostic& remark) { return remark.code == code; });
}

std::string api_answer_text(const ApiReport& report, const ApiPageOptions& options, bool heading) {
    const std::string incomplete =
        report.complete ? std::string() : fmt::format("{}\n\n", api_labels_in(options.report.language).incomplete);
    return fitted(incomplete + first_text(report, options.report, heading) + api_lists_text(report, options) +
                      failures_text(report, options.report),
                  options.report.columns);
}

std::string api_end_text(const ApiReport& report, const std::vector<Diagnostic>& remarks,
                         const ApiPageOptions& options) {
    const ApiLabels& words = api_labels_in(options.report.language);
    std::string text =
        remarks.empty() ? std::string() : fmt::format("\n{}\n", Style(options.report).bold(words.remarks));
    for (const Diagnostic& remark : remarks) {
        text += remark_line(remark, options.report);
    }
    const auto& [calls, files, steps, ranks] =
        std::tie(report.counts.entries, report.counts.files, report.counts.steps, report.counts.ranks);
    text += "\n" + with_values(words.counts_format, calls, words.calls.of(calls), files, words.files.of(files), steps,
                               words.steps.of(steps), ranks, words.ranks.of(ranks));
    const bool are_all_shown = options.all || report.findings.size() == report.first.size();
    text += are_all_shown ? std::string() : with_values(words.all_format, report.findings.size());
    return fitted(text + "\n", options.report.columns);
}

}  // namespace opdebug::report

namespace opdebug {
inline namespace v0 {

std::string api_report_to_text(const ApiReport& report, const ApiPageOptions& options) {
    return report::api_answer_text(report, options) + report::api_end_text(report, report.diagnostics, options);
}

}  // namespace v0
}  // namespace opdebug
