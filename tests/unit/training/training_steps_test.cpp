// The training step of an overflow by the times of step lines.
#include <doctest/doctest.h>

#include <algorithm>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "training/step_times.hpp"

using namespace opdebug::training;

namespace {

/// 2026-03-04 02:00:00 UTC, which is 10:00:00 in the zone of the logs below.
constexpr std::uint64_t kTen = 1'772'589'600'000'000;
constexpr std::uint64_t kSecond = 1'000'000;
constexpr int kZone = 8 * 60;

/// Steps 1 to `last`, of ten seconds each: step N ends N * 10 seconds after ten o'clock.
Run run_of(std::uint64_t last, const std::vector<std::uint64_t>& skipped, std::optional<std::uint64_t> rank = {}) {
    Series series;
    series.rank = rank;
    for (std::uint64_t number = 1; number <= last; ++number) {
        const std::uint64_t seconds = number * 10;
        Step step;
        step.step = number;
        step.time = fmt::format("2026-03-04 {:02}:{:02}:{:02}", 10 + seconds / 3600, seconds / 60 % 60, seconds % 60);
        step.loss = 1.5;
        step.skipped = std::find(skipped.begin(), skipped.end(), number) != skipped.end() ? 1U : 0U;
        series.steps.push_back(step);
    }
    return judge(std::move(series));
}

OverflowTime at(std::uint64_t seconds, std::optional<std::uint64_t> rank = {}) {
    return {kTen + seconds * kSecond, rank};
}

}  // namespace

TEST_CASE("training steps: the step whose line comes next, and whether it was skipped") {
    const StepTimes times({run_of(60, {30})});
    const StepAlignment alignment = times.align({at(25), at(295), at(595)}, std::nullopt);
    CHECK(alignment.utc_offset_minutes == kZone);
    CHECK(alignment.inside == 3);
    const TrainingStep skipped = times.step_of(at(295), alignment);
    CHECK(skipped.is_by_time);
    CHECK(skipped.step == 30);
    CHECK(skipped.steps == 1);
    CHECK(skipped.skipped == true);
    CHECK(times.step_of(at(285), alignment).step == 29);
    CHECK(times.step_of(at(285), alignment).skipped == false);
}

TEST_CASE("training steps: within a second of a line both steps are possible") {
    const StepTimes times({run_of(60, {30})});
    const StepAlignment alignment = times.align({at(300)}, kZone);
    const TrainingStep both = times.step_of(at(300), alignment);
    CHECK(both.step == 31);
    CHECK(both.steps == 2);
    CHECK_FALSE(both.skipped.has_value());
    CHECK(times.step_of(at(200), alignment).skipped == false);
}

TEST_CASE("training steps: before the first line and after the last there is no step") {
    const StepTimes times({run_of(60, {})});
    const StepAlignment alignment = times.align({at(300)}, kZone);
    for (const std::uint64_t seconds : {5U, 700U}) {
        const TrainingStep none = times.step_of(at(seconds), alignment);
        CHECK_FALSE(none.is_by_time);
        CHECK_FALSE(none.step.has_value());
        CHECK_FALSE(none.skipped.has_value());
    }
}

TEST_CASE("training steps: several zones fit a long log, unless the user gives one") {
    const StepTimes times({run_of(1000, {30})});
    const StepAlignment unknown = times.align({at(4000)}, std::nullopt);
    CHECK_FALSE(unknown.utc_offset_minutes.has_value());
    CHECK(unknown.because.en.find("--utc-offset") != std::string::npos);
    CHECK_FALSE(times.step_of(at(4000), unknown).skipped.has_value());
    CHECK(times.step_of(at(295), times.align({at(295)}, kZone)).step == 30);
}

TEST_CASE("training steps: no zone is needed where all steps were applied") {
    const StepTimes times({run_of(1000, {})});
    const TrainingStep any = times.step_of(at(4000), times.align({at(4000)}, std::nullopt));
    CHECK_FALSE(any.step.has_value());
    CHECK(any.skipped == false);
}

TEST_CASE("training steps: a log of another day fits with no zone") {
    const StepTimes times({run_of(60, {30})});
    const StepAlignment none = times.align({at(3 * 86'400)}, std::nullopt);
    CHECK_FALSE(none.utc_offset_minutes.has_value());
    CHECK(none.overflows == 1);
    CHECK_FALSE(times.step_of(at(3 * 86'400), none).skipped.has_value());
}

TEST_CASE("training steps: nine of ten overflows inside are enough, eight are not") {
    const StepTimes times({run_of(60, {})});
    std::vector<OverflowTime> overflows(9, at(300));
    overflows.push_back(at(3 * 86'400));
    CHECK(times.align(overflows, std::nullopt).utc_offset_minutes == kZone);
    overflows.pop_back();
    overflows.back() = overflows.front();
    overflows[0] = overflows[1] = at(3 * 86'400);
    CHECK_FALSE(times.align(overflows, std::nullopt).utc_offset_minutes.has_value());
}

TEST_CASE("training steps: an overflow of a rank uses the log of this rank") {
    const StepTimes times({run_of(60, {30}, 0), run_of(60, {}, 1)});
    const StepAlignment alignment = times.align({at(295)}, kZone);
    CHECK(times.step_of(at(295, 0), alignment).skipped == true);
    CHECK(times.step_of(at(295, 1), alignment).skipped == false);
    CHECK_FALSE(times.step_of(at(295, 7), alignment).skipped.has_value());
}

TEST_CASE("training steps: an interval of several steps") {
    Run run = run_of(20, {});
    for (Step& step : run.series.steps) {
        step.step = *step.step * 5;
        step.steps = 5;
    }
    run.series.steps[9].skipped = 1;
    run.series.steps[10].skipped = 5;
    const StepTimes times({run});
    const StepAlignment alignment = times.align({at(95)}, kZone);
    const TrainingStep some = times.step_of(at(95), alignment);
    CHECK(some.step == 50);
    CHECK(some.steps == 5);
    CHECK_FALSE(some.skipped.has_value());
    CHECK(times.step_of(at(105), alignment).skipped == true);
}

TEST_CASE("training steps: forms of times") {
    for (const char* form : {"2026-03-04T10:00:{:02}.500000", "2026-03-04 10:00:{:02},5", "2026-03-04 10:00:{:02}"}) {
        Run run = run_of(5, {});
        for (Step& step : run.series.steps) {
            step.time = fmt::format(fmt::runtime(form), *step.step * 10);
        }
        CAPTURE(form);
        const StepTimes times({run});
        CHECK(times.step_of(at(25), times.align({at(25)}, kZone)).step == 3);
    }
    Run run = run_of(5, {});
    run.series.steps[2].time = "10:00:30";
    const StepTimes times({run});
    CHECK_FALSE(times.step_of(at(25), times.align({at(25)}, kZone)).step.has_value());
    CHECK(times.step_of(at(45), times.align({at(45)}, kZone)).step == 5);
}
