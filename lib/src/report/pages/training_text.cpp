// The report on training logs as a page for people: the answer first.
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "remarks/diagnose.hpp"
#include "report/pages/pages.hpp"
#include "report/text/code_texts.hpp"
#include "report/text/page.hpp"

namespace opdebug::report {
namespace {

using training::Finding;
using training::Run;
using training::Step;
using training::Verdict;

constexpr std::size_t kMargin = 6;

struct TrainingPage : Page {
    const std::vector<CodeText> codes = code_texts(options.language);

    /// The meaning of a verdict, and what to do.
    const CodeText* meaning(std::string_view verdict) const { return find_code(codes, "training", verdict); }
    std::string indented(std::string_view text) const { return lines(std::string(kMargin, ' '), text, kMargin); }
};

std::string_view title_of(Verdict verdict, const TrainingPage& page) {
    return page.word(fmt::format("training_verdict.{}", to_string(verdict)));
}

/// "797", "791-800".
std::string steps_text(std::uint64_t last, std::uint64_t steps) {
    return steps > 1 ? fmt::format("{}-{}", last - std::min(last, steps - 1), last) : std::to_string(last);
}

/// "step 797", "step 791-800".
std::string step_text(const Finding& finding, const TrainingPage& page) {
    return finding.step ? page.phrase("training_page.step", {{"steps", steps_text(*finding.step, finding.steps)}})
                        : std::string();
}

/// "since step 797". Empty if the finding is no fault, or its step is not known.
std::string since_text(const Finding& finding, const TrainingPage& page) {
    const std::string step = step_text(finding, page);
    return finding.verdict < Verdict::undecided && !step.empty()
               ? fmt::format("{}{}", page.word("training_page.since"), step)
               : std::string();
}

/// The verdict with its file, after blanks. A path that is too long has no middle.
std::string head_of_run(const Run& run, std::size_t indent, const TrainingPage& page) {
    const Finding& first = run.findings.front();
    const std::string_view title = title_of(first.verdict, page);
    const std::string since = since_text(first, page);
    std::string end = run.series.rank ? fmt::format("   rank {}", *run.series.rank) : "";
    end += since.empty() ? "" : "   " + since;
    constexpr std::size_t kShortestPath = 16;
    const std::size_t used = indent + display_columns(title) + 2 + display_columns(end);
    const std::size_t room = page.options.columns > used ? page.options.columns - used : 0;
    return std::string(indent, ' ') + (first.verdict < Verdict::undecided ? page.red(title) : page.bold(title)) + "  " +
           shorten_middle(printable(run.series.file), std::max(room, kShortestPath)) + end + "\n";
}

std::string location_of_run(const Run& run, const TrainingPage& page) {
    const training::Series& series = run.series;
    const std::uint64_t lost = series.missing + series.damaged;
    std::string text = series.format;
    const auto add = [&](bool is_there, std::string_view id, remarks::Fields fields) {
        text += is_there ? "   " + page.phrase(id, fields) : std::string();
    };
    add(series.guessed, "training_page.guessed", {});
    add(series.first_step().has_value(), "training_page.steps",
        {{"first", series.first_step().value_or(0)}, {"last", series.last_step().value_or(0)}});
    add(series.steps_counted, "training_page.counted", {});
    add(series.interval > 1, "training_page.interval", {{"interval", series.interval}});
    add(series.resumed_at.has_value(), "training_page.resumed", {{"step", series.resumed_at.value_or(0)}});
    add(series.parts > 1, "training_page.part", {{"part", series.part}, {"parts", series.parts}});
    add(lost != 0, "training_page.lost", {{"count", lost}});
    return page.lines("  ", text, 4);
}

std::string why_of(const Run& run, const TrainingPage& page) {
    const CodeText* const code = page.meaning(to_string(run.findings.front().verdict));
    std::string text = "\n" + page.lines(page.word("page.why"), code == nullptr ? "" : code->text, kMargin);
    for (const Finding& finding : run.findings) {
        const bool is_first = &finding == &run.findings.front();
        const std::string since = since_text(finding, page);
        const std::string also = is_first ? ""
                                          : fmt::format("{}{}{}{}", title_of(finding.verdict, page),
                                                        since.empty() ? "" : " ", since, page.word("page.colon"));
        text += page.indented(fmt::format("{}{} [{}]", also, finding.because.in(page.language()), finding.rule));
    }
    return text;
}

/// The first step with a scale, and steps at which it changed.
std::vector<const Step*> steps_of_scales(const std::vector<Step>& steps) {
    std::vector<const Step*> scales;
    for (const Step& step : steps) {
        if (step.scale && step.step && (scales.empty() || *scales.back()->scale != *step.scale)) {
            scales.push_back(&step);
        }
    }
    return scales;
}

/// The length of a bar grows by one with each doubling.
std::size_t bar_length(double scale) {
    return static_cast<std::size_t>(std::min(scale >= 1 ? std::log2(scale) + 1 : 0, 40.0));
}

/// One row for each scale, or for several of them on a short page: "=" up to the lowest scale, "-" to the highest.
std::string scale_chart(const Run& run, const TrainingPage& page) {
    constexpr std::size_t kMostRows = 14;
    const std::vector<const Step*> scales = steps_of_scales(run.series.steps);
    if (scales.empty()) {
        return {};
    }
    const std::size_t count = scales.size(), rows = page.options.verbose ? count : std::min(kMostRows, count);
    const std::string counted =
        rows == count ? std::string() : "   " + page.phrase("training_page.changes", {{"count", count - 1}});
    std::string text = fmt::format("\n{}{}\n", page.bold("Loss scale"), counted);
    for (std::size_t row = 0; row < rows; ++row) {
        const auto begin = scales.begin() + static_cast<std::ptrdiff_t>(row * count / rows);
        const auto end = scales.begin() + static_cast<std::ptrdiff_t>((row + 1) * count / rows);
        const auto [low, high] = std::minmax_element(
            begin, end, [](const Step* one, const Step* other) { return *one->scale < *other->scale; });
        const std::size_t lowest = bar_length(*(*low)->scale), highest = bar_length(*(*high)->scale);
        const std::string range = *(*low)->scale == *(*high)->scale ? training::show_scale(*(*high)->scale)
                                                                    : training::show_scale(*(*low)->scale) + "-" +
                                                                          training::show_scale(*(*high)->scale);
        text += fmt::format("  {} {:>8}  {:>12}  {}{}\n", page.word("training_page.step_of_row"), *(*begin)->step,
                            range, std::string(lowest, '='), std::string(highest - lowest, '-'));
    }
    return text;
}

std::string counts_of_run(const training::Counts& counts, const TrainingPage& page) {
    const LocalizedText skips =
        counts.skips_known || counts.is_least
            ? remarks::phrase(counts.is_least ? "training_counts_least" : "training_counts_skips",
                              {{"skipped", counts.skipped}, {"start", counts.skipped_at_start}})
            : remarks::phrase("training_counts_no_skips");
    const LocalizedText all = remarks::phrase("training_counts", {{"steps", counts.steps},
                                                                  {"lines", counts.lines},
                                                                  {"skips", skips},
                                                                  {"falls", counts.falls},
                                                                  {"growths", counts.growths},
                                                                  {"nan", counts.nan}});
    return page.heading(page.word("training_page.counts")) + page.lines("  ", all.in(page.language()), 2);
}

std::string bench_of(const TrainingReport& report, const TrainingPage& page) {
    if (!report.comparison) {
        return {};
    }
    const training::BenchComparison& one = *report.comparison;
    std::string text = fmt::format("\n{}   {}\n", page.bold(page.word("training_page.bench")), to_string(one.rule));
    if (const CodeText* const code = page.meaning(to_string(one.rule))) {
        text += page.indented(code->text);
    }
    text += page.indented(one.because.in(page.language()));
    if (one.rule == training::BenchRule::more_often) {
        text += page.indented(page.word(one.is_strong ? "training_page.strong" : "training_page.weak"));
    }
    if (one.problem_step) {
        text += page.indented(
            page.phrase("training_page.problem_step", {{"steps", steps_text(*one.problem_step, one.problem_steps)}}));
    }
    if (one.falls_only_here || one.falls_on_both) {
        text +=
            page.indented(page.word(one.falls_on_both ? "training_page.both_sink" : "training_page.only_here_sinks"));
    }
    return text;
}

std::string other_runs(const TrainingReport& report, const Run& decides, const TrainingPage& page) {
    constexpr std::size_t kMostRuns = 20;
    std::string text;
    std::size_t shown = 0;
    for (const Run& run : report.logs.runs) {
        if (&run == &decides) {
            continue;
        }
        if (++shown <= kMostRuns || page.options.verbose) {
            text += head_of_run(run, 2, page);
        }
    }
    text = page.part("training_page.other_runs", text);
    return shown <= kMostRuns || page.options.verbose ? text : text + page.more(shown - kMostRuns);
}

}  // namespace

std::string training_head(const TrainingReport& report, const ReportOptions& options) {
    const TrainingPage page{{options}};
    const Run* const run = deciding_run(report.logs);
    return run == nullptr ? std::string() : head_of_run(*run, 2, page);
}

std::string training_to_text(const TrainingReport& report, const ReportOptions& options) {
    const TrainingPage page{{options}};
    const Run* const run = deciding_run(report.logs);
    if (run == nullptr) {
        return {};
    }
    std::string text = head_of_run(*run, 0, page) + location_of_run(*run, page) + why_of(*run, page) +
                       scale_chart(*run, page) + counts_of_run(run->counts, page) + bench_of(report, page) +
                       other_runs(report, *run, page);
    const CodeText* const code = page.meaning(to_string(run->findings.front().verdict));
    if (code != nullptr && !code->advice.empty()) {
        text += fmt::format("\n{}\n", page.word("page.next")) + page.lines("  ", code->advice, 2);
    }
    return fitted(text, options.columns);
}

}  // namespace opdebug::report
