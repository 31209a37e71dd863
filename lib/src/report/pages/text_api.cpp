// The report on API dumps as a page for people: the answer, one line for each rank, lists.
#include "report/pages/pages.hpp"

#include <algorithm>
#include <tuple>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include <opdebug/api.hpp>
#include <opdebug/report.hpp>

#include "embedded/api_next_steps_data.hpp"
#include "json/document.hpp"

#include "report/text/answer_words.hpp"
#include "report/text/joined_lists.hpp"
#include "report/text/numbers_and_times.hpp"
#include "report/text/page.hpp"
#include "report/text/text_table.hpp"

namespace opdebug::report {
namespace {

constexpr std::size_t kFirstShown = 2;  ///< with all details: kFirstDetailed
constexpr std::size_t kFirstDetailed = 8;
constexpr std::size_t kFailuresShown = 20;
constexpr std::size_t kFramesShown = 4;

std::string remark_line(const Diagnostic& remark, const Page& page) {
    return page.lines(fmt::format("  {} [{}]", page.word(Page::severity_word(remark.severity)), printable(remark.code)),
                      " " + printable_shortened(remark.message_in(page.language()), page.language()), 4);
}

std::string number(const std::optional<double>& value) {
    return value ? fmt::to_string(*value) : std::string();
}

std::string value_table(const ApiFinding& finding, const Page& page) {
    if (finding.values.empty()) {
        return {};
    }
    const std::vector<TextColumn> columns{{page.word("api_page.value")},     {page.word("api_page.type")},
                                          {page.word("api_page.shape")},     {page.word("api_page.max"), true},
                                          {page.word("api_page.min"), true}, {page.word("api_page.state")}};
    const auto row_of = [](const ApiFindingValue& shown) {
        const ApiValue& value = shown.value;
        return TextRow{{fmt::format("{} {}", to_string(value.kind), printable(value.index)), printable(value.dtype),
                        fmt::format("[{}]", fmt::join(value.shape, ",")), number(value.max), number(value.min),
                        std::string(to_string(shown.state))},
                       {}};
    };
    return text_table(columns, mapped(finding.values, row_of), page.options.columns).text();
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

std::string stack_lines(const ApiFinding& finding, bool any_unread, const Page& page) {
    const ReportOptions& options = page.options;
    if (finding.stack.empty()) {
        return fmt::format("  {}{}{}\n", page.word("api_page.stack"), page.word("page.colon"),
                           page.word(any_unread ? "api_page.unread_stack" : "api_page.no_stack"));
    }
    return fmt::format("  {}\n", page.word("api_page.stack")) +
           page.first_lines(finding.stack, kFramesShown,
                            [&options](const std::string& frame) { return frame_line(frame, options); });
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

/// A culprit. One call between ranks is one, though each of its ranks has a finding.
struct Culprit {
    const ApiFinding* finding = nullptr;
    std::vector<std::uint64_t> ranks;
};

std::vector<Culprit> culprits_of(const std::vector<ApiFinding>& first) {
    const auto key_of = [](const ApiFinding& finding) {
        return std::tie(finding.step, finding.api, finding.verdict, finding.because);
    };
    std::vector<Culprit> culprits;
    for (const ApiFinding& finding : first) {
        const bool is_exchanged = finding.verdict == ApiVerdict::in_collective && finding.rank;
        const auto same = std::find_if(culprits.begin(), culprits.end(), [&](const Culprit& one) {
            return is_exchanged && one.finding->rank && key_of(*one.finding) == key_of(finding);
        });
        Culprit& culprit = same == culprits.end() ? culprits.emplace_back(Culprit{&finding, {}}) : *same;
        if (finding.rank) {
            culprit.ranks.push_back(*finding.rank);
        }
    }
    return culprits;
}

std::string location_of(const Culprit& culprit, const Page& page) {
    const ApiFinding& finding = *culprit.finding;
    const std::vector<std::uint64_t>& ranks = culprit.ranks;
    const std::string rank = ranks.size() > 1  ? fmt::format("ranks {}", show_numbers(ranks))
                             : finding.rank    ? fmt::format("rank {}", *finding.rank)
                             : finding.process ? fmt::format("{} {}", page.word("api_page.process"), *finding.process)
                                               : std::string(page.word("api_page.unknown_rank"));
    return finding.step ? fmt::format("{}  step {}", rank, *finding.step) : rank;
}

std::string culprit_text(const ApiFinding& finding, const ApiReport& report, const Page& page) {
    const Language language = page.language();
    std::string text =
        page.lines(fmt::format("  {}{}", api_verdict_label(finding.verdict, language), page.word("page.colon")),
                   printable_shortened(finding.because_in(language), language), 4);
    text += fmt::format("  {}\n", page.phrase("api_page.order", {{"position", finding.position}}));
    text += page.lines(fmt::format("  {}", page.word("page.to_do")), api_next_step(finding, language), 4);
    text += "\n" + value_table(finding, page);
    text += stack_lines(finding, has_unread_stack(finding, report), page);
    const std::string_view file = page.word("api_page.file");
    text += fmt::format("  {}{}\n", file, page.path(finding.file, page.options.columns - 2 - display_columns(file)));
    for (const Diagnostic& remark : finding.remarks) {
        text += page.options.verbose || !is_detail(remark) ? remark_line(remark, page) : std::string();
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
std::string first_heading(const ApiReport& report, std::size_t count, const Page& page) {
    if (count == 1) {
        return std::string(page.word("api_page.first"));
    }
    const bool are_exchanged = std::all_of(report.first.begin(), report.first.end(), [](const ApiFinding& finding) {
        return finding.verdict == ApiVerdict::in_collective;
    });
    const std::string_view why = has_remark("several_runs", report) ? "api_page.of_runs"
                                 : are_exchanged                    ? "api_page.of_exchange"
                                                                    : "api_page.unordered";
    return page.phrase("api_page.several", {{"count", count}, {"why", remarks::phrase(why)}});
}

std::string first_text(const ApiReport& report, const Page& page, bool with_heading) {
    if (report.first.empty()) {
        const std::string_view none = has_judged_none(report)                   ? "api_page.none_judged"
                                      : has_remark("values_of_a_slice", report) ? "api_page.none_in_slice"
                                                                                : "api_page.none";
        return fmt::format("{}\n", page.word(none));
    }
    const std::vector<Culprit> culprits = culprits_of(report.first);
    const std::string heading = first_heading(report, culprits.size(), page);
    const bool is_one = culprits.size() == 1;
    std::string text = is_one ? std::string() : page.red(heading) + "\n";
    const std::size_t shown = std::min(culprits.size(), page.options.verbose ? kFirstDetailed : kFirstShown);
    for (std::size_t i = 0; i < shown; ++i) {
        const ApiFinding& finding = *culprits[i].finding;
        const std::string name = printable_shortened(finding.api, page.language());
        if (!is_one) {
            text += "\n" + two_sides(name, location_of(culprits[i], page), page.options.columns);
        } else if (with_heading) {
            text += page.with_label(heading, page.red(heading), "   " + name, location_of(culprits[i], page));
        }
        text += culprit_text(finding, report, page);
    }
    const std::size_t more = culprits.size() - shown;
    return text + (page.options.verbose ? page.left_out(more) : page.more(more));
}

std::string failures_text(const ApiReport& report, const Page& page) {
    std::string text = report.failures.empty() ? std::string() : page.heading(page.word("api_page.failures"));
    const std::size_t shown = std::min(report.failures.size(), kFailuresShown);
    for (std::size_t i = 0; i < shown; ++i) {
        text += "  " + failure_to_text(report.failures[i], page.options);
    }
    return text + page.left_out(report.failures.size() - shown);
}

}  // namespace

std::string api_next_step(const ApiFinding& finding, Language language) {
    // The file is part of the library and checked by its tests.
    static const nlohmann::json steps = json_stage::parse_data(embedded::api_next_steps_files().front().text);
    const auto fits = [&finding](const nlohmann::json& row) {
        const bool made_it = finding.verdict == ApiVerdict::born_here || finding.verdict == ApiVerdict::saturated;
        return row.contains("verdict") ? row["verdict"] == to_string(finding.verdict)
               : row.contains("code")
                   ? std::any_of(finding.remarks.begin(), finding.remarks.end(),
                                 [&row](const Diagnostic& remark) { return row["code"] == remark.code; })
                   : made_it && finding.api.find(row["part_of_name"].get<std::string>()) != std::string::npos;
    };
    for (const char* const list : {"remarks", "calls", "verdicts"}) {
        for (const nlohmann::json& row : steps[list]) {
            if (fits(row)) {
                return row["next"][language == Language::chinese ? "zh" : "en"];
            }
        }
    }
    return {};
}

bool has_remark(std::string_view code, const ApiReport& report) {
    return std::any_of(report.diagnostics.begin(), report.diagnostics.end(),
                       [code](const Diagnostic& remark) { return remark.code == code; });
}

std::string api_answer_text(const ApiReport& report, const ApiPageOptions& options, bool heading) {
    const Page page{options.report};
    const std::string incomplete =
        report.complete ? std::string() : fmt::format("{}\n\n", page.word("api_page.incomplete"));
    return fitted(
        incomplete + first_text(report, page, heading) + api_lists_text(report, options) + failures_text(report, page),
        options.report.columns);
}

std::string api_end_text(const ApiReport& report, const std::vector<Diagnostic>& remarks,
                         const ApiPageOptions& options) {
    const Page page{options.report};
    std::string text = remarks.empty() ? std::string() : page.heading(page.word("page.remarks"));
    for (const Diagnostic& remark : remarks) {
        text += remark_line(remark, page);
    }
    text += "\n" + page.phrase("api_page.counts", {{"calls", report.counts.entries},
                                                   {"files", report.counts.files},
                                                   {"steps", report.counts.steps},
                                                   {"ranks", report.counts.ranks}});
    const bool are_all_shown = options.all || report.findings.size() == report.first.size();
    text += are_all_shown ? std::string() : page.phrase("api_page.all", {{"count", report.findings.size()}});
    return fitted(text + "\n", options.report.columns);
}

}  // namespace opdebug::report

std::string opdebug::api_report_to_text(const ApiReport& report, const ApiPageOptions& options) {
    return report::api_answer_text(report, options) + report::api_end_text(report, report.diagnostics, options);
}
