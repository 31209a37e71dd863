// How often bad steps occur here and in the benchmark: the rule of 50 steps.
#include <algorithm>
#include <iterator>
#include <optional>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "remarks/diagnose.hpp"
#include "training/training.hpp"

namespace opdebug::training {
namespace {

/// Bad steps of a line; empty: unknown.
using Bad = std::optional<std::uint64_t>;

/// The steps of a line.
struct Range {
    std::uint64_t first = 0, last = 0;
    Bad bad;
    bool is_bad() const { return bad.value_or(0) != 0; }
};

Bad bad_of(const Step& step, bool counts_skips) {
    if (counts_skips) {
        return step.last_skipped ? Bad(*step.last_skipped ? 1U : 0U) : step.skipped;
    }
    if (step.has_nan()) {
        return std::max<std::uint64_t>(step.nan_steps, 1);
    }
    const bool is_known = !step.loss_hidden && (step.loss || step.grad_norm || step.skipped == step.steps);
    return is_known && (!is_bad(step.grad_norm) || step.skipped || step.last_skipped) ? Bad(0) : std::nullopt;
}

/// The last step of the initial phase; 0: none.
std::uint64_t end_of_start(const Run& run) {
    return run.start_end == 0 ? 0 : run.series.steps[run.start_end - 1].step.value_or(0);
}

/// A stop because of NaN is a bad step, another stop an unknown one. Their steps often have no line.
void add_stops(const Series& series, std::vector<Range>& ranges) {
    for (const Mark& mark : series.marks) {
        const bool is_nan = mark.kind == Mark::Kind::nan_stop;
        if (!(is_nan || mark.kind == Mark::Kind::stop) || !(mark.step || mark.after)) {
            continue;
        }
        const std::uint64_t after = mark.after.value_or(0), step = mark.step.value_or(after + series.interval);
        const auto range = std::find_if(ranges.begin(), ranges.end(),
                                        [step](const Range& one) { return one.first <= step && step <= one.last; });
        if (range != ranges.end()) {
            range->bad = is_nan ? std::max<std::uint64_t>(range->bad.value_or(0), 1) : range->bad;
        } else if (ranges.empty() || step > ranges.back().last) {
            const bool is_next = mark.after && step > after && step - after <= series.interval;
            ranges.push_back(
                {is_next ? after + 1 : step, is_next ? after + series.interval : step, is_nan ? Bad(1) : std::nullopt});
        }
    }
}

/// The lines after the initial phase, with steps above `after`. Skips may be known of the printed steps only.
std::vector<Range> ranges_of(const Run& run, bool counts_skips, std::uint64_t after) {
    std::vector<Range> ranges;
    for (std::size_t i = run.start_end; i < run.series.steps.size(); ++i) {
        const Step& step = run.series.steps[i];
        if (step.step && (ranges.empty() || *step.step > ranges.back().last)) {
            const bool is_one = counts_skips && step.last_skipped;
            const std::uint64_t before = is_one ? 0 : std::min(*step.step, step.steps - 1);
            const Range range{*step.step - before, *step.step, bad_of(step, counts_skips)};
            if (after == 0 || range.first > after) {
                ranges.push_back(range);
            }
        }
    }
    if (!counts_skips) {
        add_stops(run.series, ranges);
    }
    return ranges;
}

/// Whether the log shows of some steps that they were skipped, or that they were not.
bool shows_skips(const Run& run) {
    return std::any_of(run.series.steps.begin(), run.series.steps.end(),
                       [](const Step& step) { return step.skipped || step.last_skipped; });
}

bool shows_scale(const Run& run) {
    return shows_skips(run) || std::any_of(run.series.steps.begin(), run.series.steps.end(),
                                           [](const Step& step) { return step.scale.has_value(); });
}

/// The same steps in both logs.
struct Pair {
    std::uint64_t first = 0, last = 0;
    std::uint64_t here = 0, there = 0;
    std::optional<Range> problem;  ///< the first bad range here
};

/// The lines of the same steps in both logs, with a known state.
std::vector<Pair> common_ranges(const std::vector<Range>& here, const std::vector<Range>& there) {
    std::vector<Pair> pairs;
    for (auto a = here.begin(), b = there.begin(); a != here.end() && b != there.end();) {
        if (a->last != b->last) {
            ++(a->last < b->last ? a : b);
            continue;
        }
        if (a->first == b->first && a->bad && b->bad) {
            pairs.push_back({a->first, a->last, *a->bad, *b->bad, a->is_bad() ? std::optional(*a) : std::nullopt});
        }
        ++a;
        ++b;
    }
    return pairs;
}

std::uint64_t sum_of(const std::vector<Pair>& pairs, std::uint64_t Pair::*side) {
    std::uint64_t sum = 0;
    for (const Pair& pair : pairs) {
        sum += pair.*side;
    }
    return sum;
}

/// Whether `here` of `here` + `there` is more than chance explains.
bool is_beyond_chance(std::uint64_t here, std::uint64_t there) {
    const std::vector<std::uint64_t>& bound = even_bound();
    return there < bound.size() && here >= bound[there];
}

void set_problem(const Range& problem, BenchComparison& result) {
    result.problem_step = problem.last;
    result.problem_steps = problem.last - problem.first + 1;
}

/// Sets the first window of the common steps in which this run has many more bad steps.
bool find_window(const std::vector<Pair>& pairs, BenchComparison& result) {
    for (auto first = pairs.begin(); first != pairs.end(); ++first) {
        if (first->here == 0) {
            continue;
        }
        std::uint64_t here = 0, there = 0;
        auto end = first;
        for (; end != pairs.end() && end->last < first->first + rule("window_steps"); ++end) {
            here += end->here;
            there += end->there;
        }
        if (here >= there + rule("more_often_by") && here >= rule("more_often_factor") * there) {
            result.window_first = first->first;
            result.window_last = std::prev(end)->last;
            result.window_here = here;
            result.window_there = there;
            result.is_strong = is_beyond_chance(here, there);
            const auto problem =
                std::find_if(first, end, [](const Pair& pair) { return pair.here != 0 && pair.there == 0; });
            if (problem != end) {
                set_problem(*problem->problem, result);
            }
            return true;
        }
    }
    return false;
}

std::vector<Range>::const_iterator first_bad_of(const std::vector<Range>& ranges) {
    return std::find_if(ranges.begin(), ranges.end(), [](const Range& range) { return range.is_bad(); });
}

bool has_bad(const std::vector<Range>& ranges) {
    return first_bad_of(ranges) != ranges.end();
}

bool are_known(const std::vector<Range>& ranges) {
    return std::all_of(ranges.begin(), ranges.end(), [](const Range& range) { return range.bad.has_value(); });
}

void decide(const std::vector<Range>& here, const std::vector<Range>& there, BenchComparison& result) {
    const std::vector<Pair> pairs = common_ranges(here, there);
    result.common = pairs.size();
    result.here = sum_of(pairs, &Pair::here);
    result.there = sum_of(pairs, &Pair::there);
    const auto first_bad = first_bad_of(here);
    const bool ends_before = first_bad != here.end() && !there.empty() && there.back().last < first_bad->first;
    const bool is_first_compared =
        first_bad == here.end() || std::any_of(pairs.begin(), pairs.end(), [first_bad](const Pair& pair) {
            return pair.problem && pair.problem->first == first_bad->first;
        });
    if (ends_before) {
        result.rule = BenchRule::bench_too_short;
    } else if (pairs.empty() || (!is_first_compared && (result.here == 0 || result.there != 0))) {
        result.rule = BenchRule::no_common_steps;
    } else if (result.here == 0) {
        result.rule = result.there == 0 ? BenchRule::neither : BenchRule::there_only;
    } else if (result.there == 0) {
        result.rule = BenchRule::here_only;
        set_problem(*first_bad, result);
    } else {
        result.rule = find_window(pairs, result) ? BenchRule::more_often : BenchRule::alike;
    }
}

/// Whether there are bad steps that are not compared: NaN in the initial phase, or skips between printed steps.
bool may_hide_bad(const Run& run, bool counts_skips) {
    const auto start = run.series.steps.begin(), end = start + static_cast<std::ptrdiff_t>(run.start_end);
    return (counts_skips && run.counts.is_least) ||
           std::any_of(start, end, [](const Step& step) { return step.has_nan(); });
}

/// Whether the compared steps are all good, and no others are bad, or skipped where only NaN counts.
bool is_without_bad(const Run& run, const std::vector<Range>& ranges, bool counts_skips) {
    const bool has_other_skips = !counts_skips && run.counts.skipped > run.counts.skipped_at_start;
    return are_known(ranges) && !has_other_skips && !may_hide_bad(run, counts_skips);
}

LocalizedText because_of(const BenchComparison& result) {
    const LocalizedText what = remarks::phrase(result.counts_skips ? "training_bench_skips" : "training_bench_nan");
    const std::uint64_t last = result.problem_step.value_or(0);
    const std::string step = result.problem_steps > 1 ? fmt::format("{}-{}", last + 1 - result.problem_steps, last)
                                                      : fmt::format("{}", last);
    switch (result.rule) {
        case BenchRule::here_only:
            return remarks::phrase("training_bench_here_only",
                                   {{"what", what}, {"here", result.here}, {"common", result.common}, {"step", step}});
        case BenchRule::more_often:
            return remarks::phrase("training_bench_more_often", {{"what", what},
                                                                 {"first", result.window_first},
                                                                 {"last", result.window_last},
                                                                 {"here", result.window_here},
                                                                 {"there", result.window_there}});
        case BenchRule::alike:
            return remarks::phrase(
                "training_bench_alike",
                {{"what", what}, {"here", result.here}, {"there", result.there}, {"common", result.common}});
        case BenchRule::there_only:
            return remarks::phrase("training_bench_there_only",
                                   {{"what", what}, {"there", result.there}, {"common", result.common}});
        case BenchRule::neither: return remarks::phrase("training_bench_neither", {{"common", result.common}});
        case BenchRule::bench_too_short: return remarks::phrase("training_bench_too_short");
        case BenchRule::no_common_steps: return remarks::phrase("training_bench_no_common");
    }
    return {};
}

}  // namespace

std::string_view to_string(BenchRule rule) noexcept {
    constexpr std::string_view kNames[] = {"here_only", "more_often",      "alike",          "there_only",
                                           "neither",   "bench_too_short", "no_common_steps"};
    return kNames[static_cast<std::size_t>(rule)];
}

BenchComparison compare(const Run& here, const Run& there) {
    BenchComparison result;
    std::vector<Range> of_here = ranges_of(here, false, 0), of_there = ranges_of(there, false, 0);
    const bool is_nan_known = are_known(of_here) && are_known(of_there);
    result.counts_skips = !has_bad(of_here) && !has_bad(of_there) && shows_skips(here) && shows_skips(there);
    if (result.counts_skips) {
        const std::uint64_t start = std::max(end_of_start(here), end_of_start(there));
        of_here = ranges_of(here, true, start);
        of_there = ranges_of(there, true, start);
    }
    if (here.series.steps_counted != there.series.steps_counted) {
        of_here.clear();  // a counted line is another step than a printed number
    }
    decide(of_here, of_there, result);
    if ((result.rule == BenchRule::neither && !(is_nan_known && is_without_bad(here, of_here, result.counts_skips) &&
                                                is_without_bad(there, of_there, result.counts_skips))) ||
        (result.rule == BenchRule::there_only && !is_without_bad(here, of_here, result.counts_skips)) ||
        (result.rule == BenchRule::here_only && may_hide_bad(there, result.counts_skips))) {
        result.rule = BenchRule::no_common_steps;
        result.problem_step.reset();
        result.problem_steps = 1;
    }
    const auto sinks = [](const Run& run) {
        return std::any_of(run.findings.begin(), run.findings.end(),
                           [](const Finding& finding) { return finding.verdict == Verdict::sinking; });
    };
    result.falls_on_both = sinks(here) && sinks(there);
    result.falls_only_here =
        sinks(here) && !sinks(there) && there.findings.front().verdict >= Verdict::probing && shows_scale(there);
    result.because = because_of(result);
    return result;
}

}  // namespace opdebug::training
