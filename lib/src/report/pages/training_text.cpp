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
#include "report/text/labels.hpp"
#include "report/text/text_table.hpp"

namespace opdebug::report {
namespace {

using training::Finding;
using training::Run;
using training::Step;
using training::Verdict;

constexpr std::size_t kMargin = 6;

struct TrainingPage {
    const ReportOptions& options;
    const Labels& labels;
    const std::vector<CodeText> codes;
    Style style;

    std::string_view say(std::string_view english, std::string_view chinese) const {
        return options.language == Language::chinese ? chinese : english;
    }
    /// The meaning of a verdict, and what to do.
    const CodeText* meaning(std::string_view verdict) const {
        const auto code = std::find_if(codes.begin(), codes.end(), [verdict](const CodeText& one) {
            return one.kind == "training" && one.code == verdict;
        });
        return code == codes.end() ? nullptr : &*code;
    }
    std::string indented(std::string_view text) const {
        return wrapped(std::string(kMargin, ' '), text, kMargin, options.columns);
    }
};

std::string title_of(Verdict verdict, const TrainingPage& page) {
    constexpr std::pair<std::string_view, std::string_view> kTitles[] = {{"NAN LOSS", "LOSS 为 NaN"},
                                                                         {"SINKING SCALE", "SCALE 持续下降"},
                                                                         {"STATIC SCALE HIT", "静态 SCALE 溢出"},
                                                                         {"UNDECIDED", "无法判断"},
                                                                         {"PROBING", "正常试探"},
                                                                         {"CLEAN", "正常"}};
    const auto& [english, chinese] = kTitles[static_cast<std::size_t>(verdict)];
    return std::string(page.say(english, chinese));
}

/// "797", "791-800".
std::string steps_text(std::uint64_t last, std::uint64_t steps) {
    return steps > 1 ? fmt::format("{}-{}", last - std::min(last, steps - 1), last) : std::to_string(last);
}

/// "step 797", "step 791-800".
std::string step_text(const Finding& finding, const TrainingPage& page) {
    return finding.step ? fmt::format("{} {}{}", page.say("step", "第"), steps_text(*finding.step, finding.steps),
                                      page.say("", " 步"))
                        : std::string();
}

/// "since step 797". Empty if the finding is no fault, or its step is not known.
std::string since_text(const Finding& finding, const TrainingPage& page) {
    const std::string step = step_text(finding, page);
    return finding.verdict < Verdict::undecided && !step.empty() ? fmt::format("{}{}", page.say("since ", "始于"), step)
                                                                 : std::string();
}

/// The verdict with its file, after blanks. A path that is too long has no middle.
std::string head_of_run(const Run& run, std::size_t indent, const TrainingPage& page) {
    const Finding& first = run.findings.front();
    const std::string title = title_of(first.verdict, page), since = since_text(first, page);
    std::string end = run.series.rank ? fmt::format("   rank {}", *run.series.rank) : "";
    end += since.empty() ? "" : "   " + since;
    constexpr std::size_t kShortestPath = 16;
    const std::size_t used = indent + display_columns(title) + 2 + display_columns(end);
    const std::size_t room = page.options.columns > used ? page.options.columns - used : 0;
    return std::string(indent, ' ') +
           (first.verdict < Verdict::undecided ? page.style.red(title) : page.style.bold(title)) + "  " +
           shorten_middle(printable(run.series.file), std::max(room, kShortestPath)) + end + "\n";
}

std::string location_of_run(const Run& run, const TrainingPage& page) {
    const training::Series& series = run.series;
    std::string text = series.format;
    text += series.guessed ? page.say("   guessed format", "   推测的格式") : "";
    if (series.first_step()) {
        text += fmt::format("   {} {}-{}", page.say("steps", "步"), *series.first_step(), *series.last_step());
    }
    text += series.steps_counted ? page.say("   steps counted, not printed", "   步号由计数得出") : "";
    text += series.interval > 1 ? fmt::format("   {} {}", page.say("interval", "间隔"), series.interval) : "";
    text += series.resumed_at ? fmt::format("   {} {}", page.say("resumed at", "恢复于"), *series.resumed_at) : "";
    text += series.parts > 1 ? fmt::format(fmt::runtime(page.say("   part {} of {} of this log: the steps begin again",
                                                                 "   本日志的步号会重新开始：此为第 {} 段，共 {} 段")),
                                           series.part, series.parts)
                             : "";
    const std::uint64_t lost = series.missing + series.damaged;
    text += lost != 0 ? fmt::format("   {} {}", page.say("lines missing or damaged:", "缺失或损坏的行："), lost) : "";
    return wrapped("  ", text, 4, page.options.columns);
}

std::string why_of(const Run& run, const TrainingPage& page) {
    const CodeText* const code = page.meaning(to_string(run.findings.front().verdict));
    std::string text =
        "\n" + wrapped(page.labels.why, code == nullptr ? "" : code->text, kMargin, page.options.columns);
    for (const Finding& finding : run.findings) {
        const bool is_first = &finding == &run.findings.front();
        const std::string since = since_text(finding, page);
        const std::string also = is_first ? ""
                                          : fmt::format("{}{}{}{}", title_of(finding.verdict, page),
                                                        since.empty() ? "" : " ", since, page.labels.colon);
        text += page.indented(fmt::format("{}{} [{}]", also, finding.because.in(page.options.language), finding.rule));
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
    const std::string counted = rows == count
                                    ? std::string()
                                    : fmt::format(fmt::runtime(page.say("   ({} changes, several in a row; -v: each)",
                                                                        "   （共 {} 次变化，每行多次；-v 逐次显示）")),
                                                  count - 1);
    std::string text = fmt::format("\n{}{}\n", page.style.bold("Loss scale"), counted);
    for (std::size_t row = 0; row < rows; ++row) {
        const auto begin = scales.begin() + static_cast<std::ptrdiff_t>(row * count / rows);
        const auto end = scales.begin() + static_cast<std::ptrdiff_t>((row + 1) * count / rows);
        const auto [low, high] = std::minmax_element(
            begin, end, [](const Step* one, const Step* other) { return *one->scale < *other->scale; });
        const std::size_t lowest = bar_length(*(*low)->scale), highest = bar_length(*(*high)->scale);
        const std::string range = *(*low)->scale == *(*high)->scale ? training::show_scale(*(*high)->scale)
                                                                    : training::show_scale(*(*low)->scale) + "-" +
                                                                          training::show_scale(*(*high)->scale);
        text += fmt::format("  {} {:>8}  {:>12}  {}{}\n", page.say("step", "步"), *(*begin)->step, range,
                            std::string(lowest, '='), std::string(highest - lowest, '-'));
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
    return fmt::format("\n{}\n", page.style.bold(page.say("Counts", "计数"))) +
           wrapped("  ", all.in(page.options.language), 2, page.options.columns);
}

std::string bench_of(const TrainingReport& report, const TrainingPage& page) {
    if (!report.comparison) {
        return {};
    }
    const training::BenchComparison& one = *report.comparison;
    std::string text = fmt::format("\n{}   {}\n", page.style.bold(page.say("Benchmark", "标杆")), to_string(one.rule));
    if (const CodeText* const code = page.meaning(to_string(one.rule))) {
        text += page.indented(code->text);
    }
    text += page.indented(one.because.in(page.options.language));
    if (one.rule == training::BenchRule::more_often) {
        text += page.indented(one.is_strong ? page.say("strong: beyond chance (5 %)", "强：超出偶然（5 %）")
                                            : page.say("weak: chance may explain it", "弱：可能出于偶然"));
    }
    if (one.problem_step) {
        text += page.indented(fmt::format("{}{}", page.say("problem step: ", "问题步："),
                                          steps_text(*one.problem_step, one.problem_steps)));
    }
    if (one.falls_only_here || one.falls_on_both) {
        text += page.indented(one.falls_on_both ? page.say("the scale sinks on both sides", "两侧的 scale 都持续下降")
                                                : page.say("the scale sinks only here", "只有本次的 scale 持续下降"));
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
    text = text.empty() ? text : fmt::format("\n{}\n{}", page.style.bold(page.say("Other runs", "其他运行")), text);
    return shown <= kMostRuns || page.options.verbose ? text : text + page.labels.more(shown - kMostRuns);
}

}  // namespace

std::string training_head(const TrainingReport& report, const ReportOptions& options) {
    const TrainingPage page{options, labels_in(options.language), code_texts(options.language), Style(options)};
    const Run* const run = deciding_run(report.logs);
    return run == nullptr ? std::string() : head_of_run(*run, 2, page);
}

std::string training_to_text(const TrainingReport& report, const ReportOptions& options) {
    const TrainingPage page{options, labels_in(options.language), code_texts(options.language), Style(options)};
    const Run* const run = deciding_run(report.logs);
    if (run == nullptr) {
        return {};
    }
    std::string text = head_of_run(*run, 0, page) + location_of_run(*run, page) + why_of(*run, page) +
                       scale_chart(*run, page) + counts_of_run(run->counts, page) + bench_of(report, page) +
                       other_runs(report, *run, page);
    const CodeText* const code = page.meaning(to_string(run->findings.front().verdict));
    if (code != nullptr && !code->advice.empty()) {
        text += fmt::format("\n{}\n", page.labels.next) + wrapped("  ", code->advice, 2, options.columns);
    }
    return fitted(text, options.columns);
}

}  // namespace opdebug::report
