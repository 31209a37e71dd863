// The lists of the page on API dumps: the first bad call of each rank, other culprits, all findings.
#include "report/pages/pages.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "api_culprits/exchanges.hpp"
#include "report/text/answer_words.hpp"
#include "report/text/page.hpp"
#include "report/text/text_table.hpp"

namespace opdebug::report {
namespace {

constexpr std::size_t kRanksShown = 64;

using Number = std::optional<std::uint64_t>;
using Findings = std::vector<const ApiFinding*>;

/// A rank or process in a step of a run.
using RankStep = std::tuple<std::string, Number, Number, Number>;

/// Which findings are first culprits.
class FirstCulprits {
public:
    explicit FirstCulprits(const ApiReport& report) {
        for (const ApiFinding& finding : report.first) {
            known_.emplace(finding.file, finding.position);
        }
    }
    bool contain(const ApiFinding& finding) const { return known_.contains({finding.file, finding.position}); }

private:
    std::set<std::pair<std::string_view, std::uint64_t>> known_;
};

/// Values that a program writes on purpose and overflows without a bad result are no bad calls.
bool is_bad_call(const ApiFinding& finding) {
    return finding.verdict != ApiVerdict::deliberate && finding.verdict != ApiVerdict::process;
}

bool is_inherited(const ApiFinding& finding) {
    return finding.verdict == ApiVerdict::inherited || finding.verdict == ApiVerdict::absorbed ||
           finding.verdict == ApiVerdict::deliberate;
}

/// The first bad call of each rank, step and run: a first culprit, else the earliest in its file.
std::map<RankStep, const ApiFinding*> first_of_ranks(const ApiReport& report) {
    const FirstCulprits first(report);
    const bool has_runs = has_remark("several_runs", report);
    const auto order_of = [&first](const ApiFinding& finding) {
        const bool is_saved_value = finding.api.ends_with(".debug");  // of another file than the calls
        return std::tuple(!first.contain(finding), is_saved_value, finding.position);
    };
    std::map<RankStep, const ApiFinding*> ranks;
    for (const ApiFinding& finding : report.findings) {
        if (!is_bad_call(finding) && !first.contain(finding)) {
            continue;
        }
        const ApiFinding*& shown = ranks[{has_runs ? api_culprits::root_of_run(finding.file) : std::string(),
                                          finding.step, finding.rank, finding.rank ? std::nullopt : finding.process}];
        shown = shown == nullptr || order_of(finding) < order_of(*shown) ? &finding : shown;
    }
    return ranks;
}

/// Those of the steps in which the first culprits are, or of the chosen steps. Earliest first.
Findings chosen_ranks(const ApiReport& report, const ScanFilter& filter) {
    std::set<Number> steps;
    for (const ApiFinding& finding : report.first) {
        steps.insert(finding.step);
    }
    const FirstCulprits first(report);
    Findings chosen;
    for (const auto& [rank, finding] : first_of_ranks(report)) {
        const bool is_of_step = !filter.steps.empty() || steps.contains(finding->step);
        if (is_of_step && matches(filter, *finding)) {
            chosen.push_back(finding);
        }
    }
    std::stable_sort(chosen.begin(), chosen.end(), [&first](const ApiFinding* a, const ApiFinding* b) {
        return std::tuple(a->step, !first.contain(*a), a->position) <
               std::tuple(b->step, !first.contain(*b), b->position);
    });
    return chosen;
}

struct Lists : Page {
    const ApiReport& report;
    const ApiPageOptions& list;
};

std::string reason_of(const ApiFinding& finding, const Lists& lists) {
    const Language language = lists.language();
    return finding.from_rank && !lists.options.verbose ? lists.phrase("api_page.from", {{"rank", *finding.from_rank}})
                                                       : printable_shortened(finding.because_in(language), language);
}

/// Names are short and reasons have what the other columns leave, unless the page has all details.
std::string table_of(const Findings& findings, bool names_steps, const Lists& lists) {
    const std::size_t columns = lists.options.columns;
    const bool names_runs = has_remark("several_runs", lists.report);
    const bool is_verbose = lists.options.verbose;
    const std::vector<TextColumn> table_columns{
        {lists.word("api_page.run")},
        {lists.word("api_page.step"), true},
        {lists.word("api_page.rank"), true},
        {lists.word("api_page.position"), true},
        {lists.word("api_page.api")},
        {lists.word("api_page.verdict")},
        {lists.word("api_page.reason"), false, is_verbose ? nullptr : shorten_end}};
    const auto row_of = [&](const ApiFinding* const finding) {
        const std::string name = printable_shortened(finding->api, lists.language());
        const std::string run = names_runs ? printable(api_culprits::root_of_run(finding->file)) : std::string();
        return TextRow{{is_verbose ? run : shorten_path(run, columns / 4),
                        names_steps && finding->step ? fmt::to_string(*finding->step) : std::string(),
                        finding->rank      ? fmt::to_string(*finding->rank)
                        : finding->process ? fmt::format("{} {}", lists.word("api_page.process"), *finding->process)
                                           : std::string(),
                        fmt::to_string(finding->position), is_verbose ? name : shorten_middle(name, columns * 2 / 5),
                        std::string(api_verdict_label(finding->verdict, lists.language())), reason_of(*finding, lists)},
                       {}};
    };
    return text_table(table_columns, mapped(findings, row_of), columns).text();
}

/// Whether all ranks were read and judged in the same step: otherwise nothing is known of ranks without a finding.
bool is_whole(const ApiReport& report) {
    return report.complete && report.failures.empty() && report.counts.steps < 2 &&
           !has_remark("no_statistics", report) && !has_remark("values_of_a_slice", report) &&
           std::none_of(report.diagnostics.begin(), report.diagnostics.end(),
                        [](const Diagnostic& remark) { return remark.severity == Severity::error; });
}

/// How many ranks have no bad call in the step: of one run only, whose ranks are all known.
std::string clean_ranks_line(const Findings& ranks, const Lists& lists) {
    const std::uint64_t all = lists.report.counts.ranks;
    const bool is_filtered = !lists.list.filter.ranks.empty() || !lists.list.filter.op.empty();
    if (is_filtered || !is_whole(lists.report) || has_remark("several_runs", lists.report) || ranks.size() >= all) {
        return {};
    }
    return fmt::format("  {}\n", lists.phrase("api_page.clean_ranks", {{"count", all - ranks.size()}}));
}

std::string ranks_text(Findings ranks, const Lists& lists) {
    const bool is_known = ranks.size() == 1 && FirstCulprits(lists.report).contain(*ranks.front());
    if (ranks.empty() || (is_known && lists.report.counts.ranks < 2)) {
        return {};
    }
    const Number step = ranks.front()->step;
    const bool is_one_step = ranks.back()->step == step;
    std::string text = lists.heading(is_one_step && step ? lists.phrase("api_page.of_ranks_step", {{"step", *step}})
                                                         : std::string(lists.word("api_page.of_ranks")));
    const std::string clean = is_one_step ? clean_ranks_line(ranks, lists) : std::string();
    const std::size_t shown = lists.list.all ? ranks.size() : std::min(ranks.size(), kRanksShown);
    const std::size_t more = ranks.size() - shown;
    ranks.resize(shown);
    text += table_of(ranks, !is_one_step, lists);
    return text + (more == 0 ? clean : fmt::format("  {}\n", lists.phrase("api_page.more_ranks", {{"count", more}})));
}

/// Other culprits, unless all findings are chosen.
std::string findings_text(const Findings& ranks, const Lists& lists) {
    const std::set<const ApiFinding*> listed(ranks.begin(), ranks.end());
    const FirstCulprits first(lists.report);
    Findings findings;
    for (const ApiFinding& finding : lists.report.findings) {
        const bool is_other = !is_inherited(finding) && !first.contain(finding) && !listed.contains(&finding);
        if ((lists.list.all || is_other) && matches(lists.list.filter, finding)) {
            findings.push_back(&finding);
        }
    }
    if (findings.empty()) {
        return {};
    }
    const std::size_t count = findings.size();
    findings.resize(lists.list.all ? count : std::min(count, lists.list.top));
    const std::string_view title = lists.word(lists.list.all ? "api_page.findings" : "api_page.others");
    const std::string shown = lists.phrase("api_page.shown", {{"shown", findings.size()}, {"count", count}});
    return "\n" + lists.with_label(title, lists.bold(title), "", shown) + table_of(findings, true, lists);
}

}  // namespace

std::string api_lists_text(const ApiReport& report, const ApiPageOptions& options) {
    const Lists lists{{options.report}, report, options};
    const Findings ranks = chosen_ranks(report, options.filter);
    const std::string text = ranks_text(ranks, lists) + findings_text(ranks, lists);
    const bool none_fits = text.empty() && ranks.empty() && !report.findings.empty() && !report.first.empty();
    return none_fits ? fmt::format("\n{}\n", lists.word("api_page.none_chosen")) : text;
}

}  // namespace opdebug::report
