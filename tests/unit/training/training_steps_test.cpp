// The training step of an overflow by the times of step lines.
#include <doctest/doctest.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "training/step_times.hpp"

#include "text.hpp"

using namespace opdebug::training;
using opdebug::test::contains;

namespace {

/// 2026-03-04 02:00:00 UTC, which is 10:00:00 in the zone of the logs below.
constexpr std::uint64_t kTen = 1'772'589'600'000'000;
constexpr std::uint64_t kSecond = 1'000'000;
constexpr int kZone = 8 * 60;

/// A step of a minute: step N ends N minutes after ten o'clock.
Step timed_step(std::uint64_t number, bool is_skipped, std::uint64_t minute) {
    Step step;
    step.step = number;
    step.time = fmt::format("2026-03-04 {:02}:{:02}:00", 10 + minute / 60, minute % 60);
    step.loss = 1.5;
    step.skipped = is_skipped ? 1U : 0U;
    return step;
}

Series timed_series(std::uint64_t last, const std::vector<std::uint64_t>& skipped) {
    Series series;
    for (std::uint64_t number = 1; number <= last; ++number) {
        series.steps.push_back(
            timed_step(number, std::find(skipped.begin(), skipped.end(), number) != skipped.end(), number));
    }
    return series;
}

Run timed_run(std::uint64_t last, const std::vector<std::uint64_t>& skipped) {
    return judge(timed_series(last, skipped));
}

OverflowTime at(std::uint64_t seconds, std::optional<std::uint64_t> rank = {}) {
    return {kTen + seconds * kSecond, rank};
}

/// The step of an overflow in the zone that the user gave.
TrainingStep in_zone(const std::vector<Run>& runs, const OverflowTime& overflow) {
    const StepTimes times(runs);
    return times.step_of(overflow, times.align({overflow}, kZone, 0));
}

constexpr std::uint64_t kInStep30 = 29 * 60 + 30;

}  // namespace

TEST_CASE("training steps: the step whose line comes next, and whether it was skipped") {
    const TrainingStep skipped = in_zone({timed_run(50, {30})}, at(kInStep30));
    CHECK(skipped.alignment == Alignment::by_time);
    CHECK(skipped.step == 30);
    CHECK(skipped.steps == 1);
    CHECK(skipped.skipped == true);
    const TrainingStep applied = in_zone({timed_run(50, {30})}, at(kInStep30 - 60));
    CHECK(applied.step == 29);
    CHECK(applied.skipped == false);
}

TEST_CASE("training steps: near a line both steps are possible, because clocks differ") {
    for (const std::uint64_t seconds : {30U * 60 - 5, 30U * 60, 30U * 60 + 6}) {
        CAPTURE(seconds);
        const TrainingStep both = in_zone({timed_run(50, {30})}, at(seconds));
        CHECK(both.step == 31);
        CHECK(both.steps == 2);
        CHECK_FALSE(both.skipped.has_value());
    }
    CHECK(in_zone({timed_run(50, {30})}, at(30 * 60 + 7)).skipped == false);
    const TrainingStep alike = in_zone({timed_run(50, {30, 31})}, at(30 * 60));
    CHECK(alike.steps == 2);
    CHECK(alike.skipped == true);
}

TEST_CASE("training steps: the zone of this machine, and whether others fit") {
    const StepTimes one_hour({timed_run(50, {30})});
    CHECK(one_hour.align({at(kInStep30)}, std::nullopt, kZone).alignment == Alignment::by_time);
    // In four hours of a log, the overflow is inside in other zones, too.
    const StepTimes four_hours({timed_run(240, {30})});
    const StepAlignment assumed = four_hours.align({at(kInStep30)}, std::nullopt, kZone);
    CHECK(assumed.alignment == Alignment::assumed);
    CHECK(contains(assumed.because.en, "--utc-offset"));
    CHECK(four_hours.step_of(at(kInStep30), assumed).alignment == Alignment::assumed);
    CHECK(four_hours.step_of(at(kInStep30), assumed).step == 30);
    CHECK_FALSE(four_hours.step_of(at(kInStep30), assumed).skipped.has_value());  // step 30 + 60 was applied
    CHECK(four_hours.align({at(kInStep30)}, kZone, 0).alignment == Alignment::by_time);
}

TEST_CASE("training steps: a zone that does not fit is not used") {
    const StepTimes times({timed_run(50, {})});
    const StepAlignment other_zone = times.align({at(kInStep30)}, std::nullopt, 0);
    CHECK(other_zone.alignment == Alignment::unknown);
    CHECK(other_zone.inside == 0);
    CHECK(other_zone.overflows == 1);
    CHECK(contains(other_zone.because.en, "Only UTC+08:00 fits: set --utc-offset +08:00"));
    CHECK_FALSE(times.step_of(at(kInStep30), other_zone).skipped.has_value());
    CHECK(times.align({at(kInStep30)}, 0, kZone).alignment == Alignment::unknown);
    const StepAlignment other_day = times.align({at(3 * 86'400)}, kZone, kZone);
    CHECK(other_day.alignment == Alignment::unknown);
    CHECK_FALSE(times.step_of(at(3 * 86'400), other_day).skipped.has_value());
}

TEST_CASE("training steps: nine of ten overflows inside are enough, half of them in a known zone") {
    const StepTimes times({timed_run(50, {})});
    const auto overflows_with = [](std::size_t outside) {
        std::vector<OverflowTime> overflows(10, at(kInStep30));
        std::fill_n(overflows.begin(), outside, at(3 * 86'400));
        return overflows;
    };
    CHECK(times.align(overflows_with(1), std::nullopt, kZone).fits);
    CHECK_FALSE(times.align(overflows_with(2), std::nullopt, kZone).fits);
    const StepAlignment half = times.align(overflows_with(5), kZone, 0);
    CHECK(half.alignment == Alignment::by_time);
    CHECK_FALSE(times.step_of(at(3 * 86'400), half).skipped.has_value());
    CHECK(times.step_of(at(kInStep30), half).step == 30);
    CHECK(times.align(overflows_with(6), kZone, 0).alignment == Alignment::unknown);
}

TEST_CASE("training steps: a log without times has an answer where all its steps are alike") {
    const auto skipped_without_times = [](const std::vector<std::uint64_t>& skipped) {
        Series series = timed_series(3, skipped);
        for (Step& step : series.steps) {
            step.time.clear();
        }
        return in_zone({judge(series)}, at(0)).skipped;
    };
    CHECK(skipped_without_times({}) == false);
    CHECK(skipped_without_times({1, 2, 3}) == true);
    CHECK_FALSE(skipped_without_times({2}).has_value());
}

TEST_CASE("training steps: an overflow of a rank uses the log of this rank") {
    std::vector<Run> runs{timed_run(50, {30}), timed_run(50, {})};
    runs[0].series.rank = 0;
    runs[1].series.rank = 1;
    CHECK(in_zone(runs, at(kInStep30, 0)).skipped == true);
    CHECK(in_zone(runs, at(kInStep30, 1)).skipped == false);
    CHECK(in_zone(runs, at(kInStep30, 7)).step == 30);
    CHECK_FALSE(in_zone(runs, at(kInStep30, 7)).skipped.has_value());
}

TEST_CASE("training steps: runs with other steps at the same time have no common answer") {
    Run other = timed_run(50, {});
    for (Step& step : other.series.steps) {
        step.step = *step.step + 5000;
    }
    const TrainingStep none = in_zone({timed_run(50, {}), other}, at(kInStep30));
    CHECK_FALSE(none.step.has_value());
    CHECK_FALSE(none.skipped.has_value());
}

TEST_CASE("training steps: a missing line leaves a gap") {
    Run run = timed_run(50, {31});
    run.series.steps.erase(run.series.steps.begin() + 29);
    CHECK_FALSE(in_zone({run}, at(kInStep30)).step.has_value());
    CHECK_FALSE(in_zone({run}, at(kInStep30 + 60)).step.has_value());
    CHECK(in_zone({run}, at(kInStep30 + 120)).step == 32);
}

TEST_CASE("training steps: a pause between two lines leaves a gap") {
    Series series = timed_series(50, {});
    series.steps.push_back(timed_step(51, true, 150));
    CHECK_FALSE(in_zone({judge(series)}, at(100 * 60)).step.has_value());
}

TEST_CASE("training steps: where the clock of the log goes back, both times are possible") {
    Series series = timed_series(50, {30});
    for (std::uint64_t number = 51; number <= 100; ++number) {
        series.steps.push_back(timed_step(number, false, number - 30));
    }
    const TrainingStep none = in_zone({judge(series)}, at(kInStep30));
    CHECK_FALSE(none.step.has_value());
    CHECK_FALSE(none.skipped.has_value());
    CHECK(in_zone({judge(series)}, at(60 * 60 + 30)).step == 91);
}

TEST_CASE("training steps: an interval of several steps") {
    Series series = timed_series(20, {});
    series.interval = 5;
    for (Step& step : series.steps) {
        step.step = *step.step * 5;
        step.steps = 5;
    }
    series.steps[9].skipped = 1;
    series.steps[10].skipped = 5;
    const TrainingStep some = in_zone({judge(series)}, at(9 * 60 + 30));
    CHECK(some.step == 50);
    CHECK(some.steps == 5);
    CHECK_FALSE(some.skipped.has_value());
    CHECK(in_zone({judge(series)}, at(10 * 60 + 30)).skipped == true);
}

TEST_CASE("training steps: skips that are not sure are not known") {
    using Change = void (*)(Series&);
    const Change changes[] = {[](Series& series) { series.guessed = true; },
                              [](Series& series) { series.ranks_disagree = true; },
                              [](Series& series) {
                                  series.skips_by_events = true;
                                  series.damaged = 1;
                              }};
    for (const Change change : changes) {
        Series series = timed_series(50, {30});
        change(series);
        const TrainingStep step = in_zone({judge(series)}, at(kInStep30));
        CHECK(step.step == 30);
        CHECK_FALSE(step.skipped.has_value());
    }
}

TEST_CASE("training steps: forms of times") {
    for (const char* form : {"2026-03-04T10:{:02}:00.000500", "2026-03-04 10:{:02}:00,5", "2026-03-04 10:{:02}:00"}) {
        Run run = timed_run(5, {});
        for (Step& step : run.series.steps) {
            step.time = fmt::format(fmt::runtime(form), *step.step);
        }
        CAPTURE(form);
        CHECK(in_zone({run}, at(150)).step == 3);
    }
}

TEST_CASE("training steps: times that are none") {
    Run run = timed_run(5, {});
    run.series.steps[2].time = "10:00:30";
    CHECK_FALSE(in_zone({run}, at(150)).step.has_value());
    CHECK(in_zone({run}, at(270)).step == 5);
    const StepTimes times({timed_run(5, {})});
    const StepAlignment alignment = times.align({at(150), {UINT64_MAX, {}}}, kZone, 0);
    CHECK(alignment.overflows == 1);
    CHECK_FALSE(times.step_of({UINT64_MAX, {}}, alignment).step.has_value());
}
