// How often bad steps occur here and in the benchmark: the rule of 50 steps.
#include <algorithm>
#include <cmath>
#include <iterator>
#include <map>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "embedded/training_data.hpp"
#include "remarks/diagnose.hpp"
#include "training/training.hpp"

namespace opdebug::training {
namespace {

/// Bad steps of a line; empty: unknown.
using Bad = std::optional<std::uint64_t>;
using BadSteps = std::map<std::uint64_t, Bad>;

Bad bad_of(const Step& step, bool counts_skips) {
    if (counts_skips) {
        return step.skipped;
    }
    if (step.has_nan()) {
        return std::max<std::uint64_t>(step.nan_steps, 1);
    }
    const bool is_known = !step.loss_hidden && (step.loss || step.grad_norm || step.skipped == step.steps);
    return is_known && (!is_bad(step.grad_norm) || step.skipped) ? Bad(0) : std::nullopt;
}

BadSteps bad_steps(const Run& run, bool counts_skips) {
    BadSteps steps;
    for (std::size_t i = run.start_end; i < run.series.steps.size(); ++i) {
        const Step& step = run.series.steps[i];
        if (step.step) {
            steps.emplace(*step.step, bad_of(step, counts_skips));
        }
    }
    return steps;
}

struct Pair {
    std::uint64_t step = 0, here = 0, there = 0;
};

/// Steps that both logs have, with a known state.
std::vector<Pair> common_steps(const BadSteps& here, const BadSteps& there) {
    std::vector<Pair> pairs;
    for (const auto& [step, bad] : here) {
        const auto other = there.find(step);
        if (bad && other != there.end() && other->second) {
            pairs.push_back({step, *bad, *other->second});
        }
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

/// Sets the first window of the common steps in which this run has many more bad steps.
bool find_window(const std::vector<Pair>& pairs, BenchComparison& result) {
    for (auto first = pairs.begin(); first != pairs.end(); ++first) {
        if (first->here == 0) {
            continue;
        }
        std::uint64_t here = 0, there = 0;
        auto end = first;
        for (; end != pairs.end() && end->step < first->step + rule("window_steps"); ++end) {
            here += end->here;
            there += end->there;
        }
        if (here >= there + rule("more_often_by") && here >= rule("more_often_factor") * there) {
            result.window_first = first->step;
            result.window_last = std::prev(end)->step;
            result.window_here = here;
            result.window_there = there;
            result.is_strong = is_beyond_chance(here, there);
            const auto problem =
                std::find_if(first, end, [](const Pair& pair) { return pair.here != 0 && pair.there == 0; });
            result.problem_step = problem == end ? std::nullopt : std::optional(problem->step);
            return true;
        }
    }
    return false;
}

bool has_bad(const BadSteps& steps) {
    return std::any_of(steps.begin(), steps.end(), [](const auto& step) { return step.second.value_or(0) != 0; });
}

void decide(const BadSteps& here, const BadSteps& there, BenchComparison& result) {
    const std::vector<Pair> pairs = common_steps(here, there);
    result.common = pairs.size();
    result.here = sum_of(pairs, &Pair::here);
    result.there = sum_of(pairs, &Pair::there);
    const auto first_bad =
        std::find_if(here.begin(), here.end(), [](const auto& step) { return step.second.value_or(0) != 0; });
    const bool ends_before = first_bad != here.end() && !there.empty() && there.rbegin()->first < first_bad->first;
    if (ends_before) {
        result.rule = BenchRule::bench_too_short;
    } else if (pairs.empty()) {
        result.rule = BenchRule::no_common_steps;
    } else if (result.here == 0) {
        result.rule = result.there == 0 ? BenchRule::neither : BenchRule::there_only;
    } else if (result.there == 0) {
        result.rule = BenchRule::here_only;
        result.problem_step =
            std::find_if(pairs.begin(), pairs.end(), [](const Pair& pair) { return pair.here != 0; })->step;
    } else {
        result.rule = find_window(pairs, result) ? BenchRule::more_often : BenchRule::alike;
    }
}

LocalizedText because_of(const BenchComparison& result) {
    const LocalizedText what = remarks::phrase(result.counts_skips ? "training_bench_skips" : "training_bench_nan");
    const std::uint64_t step = result.problem_step.value_or(0);
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

const std::vector<std::uint64_t>& even_bound() {
    static const auto bound = nlohmann::json::parse(embedded::training_files().back().text)
                                  .at("even_bound")
                                  .get<std::vector<std::uint64_t>>();
    return bound;
}

BenchComparison compare(const Run& here, const Run& there) {
    BenchComparison result;
    BadSteps of_here = bad_steps(here, false), of_there = bad_steps(there, false);
    result.counts_skips =
        !has_bad(of_here) && !has_bad(of_there) && here.counts.skips_known && there.counts.skips_known;
    if (result.counts_skips) {
        of_here = bad_steps(here, true);
        of_there = bad_steps(there, true);
    }
    decide(of_here, of_there, result);
    const auto sinks = [](const Run& run) {
        return std::any_of(run.findings.begin(), run.findings.end(),
                           [](const Finding& finding) { return finding.verdict == Verdict::sinking; });
    };
    result.falls_on_both = sinks(here) && sinks(there);
    result.falls_only_here = sinks(here) && !sinks(there) && there.findings.front().verdict >= Verdict::probing;
    result.because = because_of(result);
    return result;
}

}  // namespace opdebug::training
