// The comparison with a benchmark as a page for people: the answer first.
#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "remarks/diagnose.hpp"
#include "report/pages/pages.hpp"
#include "report/text/page.hpp"
#include "report/text/text_table.hpp"

namespace opdebug::report {
namespace {

using api_pairs::BenchComparison;
using api_pairs::Break;
using api_pairs::StepPair;
using remarks::phrase;

constexpr std::size_t kBreaksShown = 3;

struct BenchPage : Page {
    std::string line(std::size_t indent, const LocalizedText& text) const {
        return lines(std::string(indent, ' '), printable(text.in(options.language)), indent + 2);
    }
    std::string_view bench_word(std::string_view name) const { return word(fmt::format("bench_word.{}", name)); }
};

std::string needed_lines(const std::vector<LocalizedText>& needed, std::size_t indent, const BenchPage& page) {
    std::string text;
    for (const LocalizedText& one : needed) {
        text += page.line(indent, phrase("bench_page.needed", {{"what", one}}));
    }
    return text;
}

LocalizedText problem_words(const BenchComparison& bench) {
    const std::string id = fmt::format("bench_page.{}", to_string(bench.rule));
    const StepPair* const problem = bench.problem ? &bench.steps[*bench.problem] : nullptr;
    const std::string step = problem != nullptr && problem->step ? fmt::to_string(*problem->step) : "-";
    const LocalizedText weak = bench.is_strong ? LocalizedText{} : phrase("bench_page.weak");
    return phrase(id, {{"step", step},
                       {"here", bench.bad_here},
                       {"there", bench.bad_there},
                       {"window", bench.window},
                       {"weak", weak}});
}

std::string number_or_dash(const std::optional<double>& value) {
    return value ? fmt::format("{:.6g}", *value) : "-";
}

std::string value_line(const Break& one, const BenchPage& page) {
    if (one.outputs.empty()) {
        return {};
    }
    const api_pairs::ValuePair& value = one.outputs.front();
    return page.line(4, phrase("bench_page.value", {{"here_max", number_or_dash(value.here.max)},
                                                    {"here_min", number_or_dash(value.here.min)},
                                                    {"there_max", number_or_dash(value.there.max)},
                                                    {"there_min", number_or_dash(value.there.min)}}));
}

std::string break_text(const Break& one, const BenchPage& page) {
    const std::string place = fmt::format("step {}  rank {}", one.step ? fmt::to_string(*one.step) : "-",
                                          one.rank ? fmt::to_string(*one.rank) : "-");
    const bool is_weak = !one.is_strong && one.kind != api_pairs::BreakKind::not_known;
    const LocalizedText weak = is_weak ? phrase("bench_page.weak_break") : LocalizedText{};
    const std::string what =
        fmt::format("  {}   {}{}", printable(one.api), page.bench_word(to_string(one.kind)), weak.in(page.language()));
    std::string text = two_sides(what, place, page.options.columns);
    text += page.line(4, one.because) + value_line(one, page);
    if (!one.partner.empty() && (one.partner != one.api || one.by_order)) {
        text += page.line(4, phrase("bench_page.partner",
                                    {{"api", one.partner},
                                     {"how", one.by_order ? phrase("bench_page.partner.by_order") : LocalizedText{}}}));
    }
    text += page.line(
        4, phrase("bench_page.matters", {{"word", phrase(fmt::format("bench_word.{}", to_string(one.matters)))},
                                         {"because", one.matters_because}}));
    return text + needed_lines(one.needed, 4, page);
}

/// "0-3, 5".
std::string ranges_of(const std::vector<const StepPair*>& steps) {
    std::vector<std::uint64_t> known;
    for (const StepPair* const one : steps) {
        if (one->step) {
            known.push_back(*one->step);
        }
    }
    const std::string unknown = known.size() == steps.size() ? "" : "-";
    const std::string ranges = number_ranges(known, ", ", known.size());
    return unknown + (unknown.empty() || ranges.empty() ? "" : ", ") + ranges;
}

/// One line for each outcome.
std::string outcome_lines(const BenchComparison& bench, const BenchPage& page) {
    std::vector<std::pair<std::string, std::vector<const StepPair*>>> outcomes;
    for (const StepPair& step : bench.steps) {
        const std::string word(
            page.bench_word(fmt::format("{}{}", to_string(step.outcome), step.same_call ? ".same" : "")));
        auto place =
            std::find_if(outcomes.begin(), outcomes.end(), [&word](const auto& one) { return one.first == word; });
        place = place == outcomes.end() ? outcomes.insert(place, {word, {}}) : place;
        place->second.push_back(&step);
    }
    std::string text;
    for (const auto& [word, steps] : outcomes) {
        text += page.line(2, phrase("bench_page.steps", {{"word", word}, {"steps", ranges_of(steps)}}));
    }
    return text;
}

std::string names_line(std::string_view id, const std::vector<std::string>& names, const BenchPage& page) {
    return names.empty() ? std::string()
                         : page.line(2, phrase(id, {{"names", fmt::format("{}", fmt::join(names, ", "))}}));
}

}  // namespace

std::string bench_to_text(const BenchComparison& bench, const ReportOptions& options) {
    const BenchPage page{{options}};
    std::string text = fmt::format("{}\n", page.bold(page.word("bench_page.title")));
    text += page.line(2, problem_words(bench)) + needed_lines(bench.needed, 2, page);
    text += page.first_lines(bench.breaks, kBreaksShown, [&page](const Break& one) { return break_text(one, page); });
    text += outcome_lines(bench, page);
    text += page.line(2, phrase("bench_page.pairs", {{"paired", bench.pairs.paired},
                                                     {"here", bench.pairs.only_here},
                                                     {"there", bench.pairs.only_there},
                                                     {"not", bench.pairs.not_comparable}}));
    text += names_line("bench_page.only_here", bench.only_here, page);
    text += names_line("bench_page.only_there", bench.only_there, page);
    for (const Diagnostic& remark : bench.diagnostics) {
        text += page.line(2, {fmt::format("{} [{}]", remark.message, remark.code),
                              fmt::format("{} [{}]", remark.message_in(Language::chinese), remark.code)});
    }
    return text + "\n";
}

}  // namespace opdebug::report
