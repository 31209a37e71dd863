// The rule of 50 steps: bad steps here and in the benchmark.
#include <doctest/doctest.h>

#include <set>

#include "training/training.hpp"

using namespace opdebug::training;

namespace {

/// A run whose steps 1 to `last` are good, except NaN or skipped ones.
Run run_of(std::uint64_t last, const std::set<std::uint64_t>& nan, const std::set<std::uint64_t>& skipped = {}) {
    Series series;
    series.begins_at_start = true;
    for (std::uint64_t number = 1; number <= last; ++number) {
        Step step;
        step.step = number;
        step.loss = nan.count(number) != 0 ? std::nan("") : 1.5;
        step.skipped = skipped.count(number);
        step.scale = 1024;
        series.steps.push_back(step);
    }
    return judge(std::move(series));
}

std::set<std::uint64_t> every(std::uint64_t distance, std::uint64_t first, std::uint64_t last) {
    std::set<std::uint64_t> steps;
    for (std::uint64_t step = first; step <= last; step += distance) {
        steps.insert(step);
    }
    return steps;
}

}  // namespace

TEST_CASE("training comparison: each rule") {
    const auto rule_of = [](const Run& here, const Run& there) {
        return std::string(to_string(compare(here, there).rule));
    };
    CHECK(rule_of(run_of(100, {60}), run_of(100, {})) == "here_only");
    CHECK(rule_of(run_of(100, {}), run_of(100, {60})) == "there_only");
    CHECK(rule_of(run_of(100, {}), run_of(100, {})) == "neither");
    CHECK(rule_of(run_of(100, {60}), run_of(50, {})) == "bench_too_short");
    CHECK(rule_of(run_of(100, {60, 70}), run_of(100, {61, 71})) == "alike");
    CHECK(rule_of(run_of(100, every(5, 50, 100)), run_of(100, {50, 51})) == "more_often");
}

TEST_CASE("training comparison: steps with an unknown state are not called good") {
    Run hidden = run_of(100, {});
    hidden.series.steps[59].loss.reset();
    hidden.series.steps[59].loss_hidden = true;
    CHECK(compare(hidden, run_of(100, {})).rule == BenchRule::no_common_steps);
}

TEST_CASE("training comparison: the run that decides, and its steps before a restart") {
    const auto logs_of = [](Run first, Run second, std::uint64_t resumed_at) {
        second.series.steps.erase(second.series.steps.begin(),
                                  second.series.steps.begin() + static_cast<std::ptrdiff_t>(resumed_at - 1));
        second.series.resumed_at = resumed_at;
        TrainingLogs logs;
        logs.runs = {std::move(first), judge(std::move(second.series))};
        return logs;
    };
    const TrainingLogs aborted = logs_of(run_of(8, {}), run_of(300, {}, {100}), 1);
    CHECK(deciding_run(aborted) == &aborted.runs[1]);
    const TrainingLogs again = logs_of(run_of(600, {590}), run_of(1000, {}), 551);
    CHECK(deciding_run(again) == &again.runs[1]);
    CHECK(whole_run(again, again.runs[1]).counts.steps == 1000);
    CHECK(whole_run(again, again.runs[1]).counts.nan == 0);
    const TrainingLogs ended = logs_of(run_of(600, {590}), run_of(595, {}), 591);  // 5 lines
    CHECK(deciding_run(ended) == &ended.runs[0]);
    TrainingLogs ranks;
    ranks.runs = {run_of(60, {49}), run_of(49, {44})};
    CHECK(deciding_run(ranks) == &ranks.runs[1]);
}

TEST_CASE("training comparison: problem step, window and strength") {
    const BenchComparison only = compare(run_of(100, {60, 70}), run_of(100, {}));
    CHECK(only.problem_step == 60);
    CHECK(only.here == 2);
    CHECK(only.common == 100);
    CHECK_FALSE(only.counts_skips);

    // 11 here, 2 there in steps 50 to 99: the bound for 2 is 9. Step 50 is bad on both sides, 55 only here.
    const BenchComparison strong = compare(run_of(200, every(5, 50, 100)), run_of(200, {50, 51}));
    CHECK(strong.window_first == 50);
    CHECK(strong.window_here == 10);
    CHECK(strong.window_there == 2);
    CHECK(strong.is_strong);
    CHECK(strong.problem_step == 55);

    // 4 here, 1 there: 3 more and twice as many, but below the bound of 7.
    const BenchComparison weak = compare(run_of(200, {50, 60, 70, 80}), run_of(200, {60}));
    CHECK(weak.rule == BenchRule::more_often);
    CHECK_FALSE(weak.is_strong);
    CHECK(weak.problem_step == 50);
}

TEST_CASE("training comparison: skipped steps if neither side has NaN, without the initial phase") {
    const BenchComparison skips = compare(run_of(100, {}, {1, 2, 3, 60}), run_of(100, {}, {1}));
    CHECK(skips.counts_skips);
    CHECK(skips.rule == BenchRule::here_only);
    CHECK(skips.here == 1);
    CHECK(skips.problem_step == 60);
}

namespace {

/// A run with a line for each 10 steps.
Run tens(std::uint64_t last, const std::set<std::uint64_t>& nan, std::uint64_t skipped) {
    Run run = run_of(last / 10, nan);
    for (Step& step : run.series.steps) {
        step.step = *step.step * 10;
        step.steps = 10;
        step.skipped = skipped;
    }
    return judge(std::move(run.series));
}

}  // namespace

TEST_CASE("training comparison: lines of intervals") {
    const BenchComparison nan = compare(tens(1000, {80}, 0), tens(1000, {}, 0));
    CHECK(nan.rule == BenchRule::here_only);
    CHECK(nan.problem_step == 800);
    CHECK(nan.problem_steps == 10);
    CHECK(nan.common == 100);
    CHECK(compare(tens(500, {}, 5), tens(500, {}, 1)).rule == BenchRule::more_often);
    // Lines of other intervals are not compared.
    CHECK(compare(run_of(1000, {795}), tens(1000, {}, 0)).rule == BenchRule::no_common_steps);
    CHECK(compare(run_of(995, {993}), tens(990, {}, 0)).rule == BenchRule::bench_too_short);
}
