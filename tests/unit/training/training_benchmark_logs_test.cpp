// Logs of this run and of a benchmark: facts that their formats do not contain decide nothing.
#include <doctest/doctest.h>

#include <functional>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "temporary_directory.hpp"
#include "training/training.hpp"

using namespace opdebug::training;
using opdebug::test::TemporaryDirectory;
using opdebug::test::write_file;

namespace {

std::string each_line(int first, int last, const std::function<std::string(int)>& line) {
    std::string text;
    for (int step = first; step <= last; ++step) {
        text += line(step);
    }
    return text;
}

std::string sound_line(int step) {
    return fmt::format(
        " iteration {}/ 5000 | lm loss: 6.0E+00 | loss scale: 1.0 | grad norm: 1.5 | number of skipped "
        "iterations: 0 | number of nan iterations: 0 |\n",
        step);
}

std::string stop_line(int step) {
    return fmt::format(
        "RuntimeError: Rank 14, node n03, device 6, iteration {}: Unexpected result nan (message='found NaN in local "
        "grad norm for bucket #0 in backward pass before data-parallel communication collective')\n",
        step);
}

/// A line of Transformers. Without a bar the steps are counted.
std::string trainer_line(int step, bool has_bar) {
    return (has_bar ? fmt::format(" 1%|#  | {}/1000 [00:10<1:00,  1.0s/it]", step) : "") +
           "{'loss': 1.5, 'grad_norm': 0.5, 'learning_rate': 1e-05, 'epoch': 0.1}\n";
}

/// MindFormers prints each tenth step.
std::string tenth_line(int line, bool overflow, double scale) {
    return fmt::format(
        "{{ Epoch:[  1/  2], step:[  {}/  900], loss: 8.4, per_step_time: 7ms, overflow cond: {}, loss_scale: {:.1f}, "
        "global_norm: [{}]\n",
        line * 10, overflow ? "True" : "False", scale, overflow ? "inf" : "4.1");
}

Run run_in(const std::string& text) {
    TrainingFile file;
    std::vector<Run> runs = runs_of_text(text, "train.log", file);
    REQUIRE(runs.size() == 1);
    return std::move(runs.front());
}

BenchComparison compared(const std::string& here, const std::string& there) {
    return compare(run_in(here), run_in(there));
}

}  // namespace

TEST_CASE("training benchmark: a stop because of NaN is a bad step without a line") {
    const std::string stopped = each_line(1, 30, sound_line) + stop_line(31);
    const BenchComparison only = compared(stopped, each_line(1, 60, sound_line));
    CHECK(only.rule == BenchRule::here_only);
    CHECK(only.problem_step == 31);
    CHECK(compared(stopped, each_line(1, 24, sound_line)).rule == BenchRule::bench_too_short);
    CHECK(compared(stopped, stopped).rule == BenchRule::alike);
    CHECK(compared(each_line(1, 60, sound_line), stopped).rule == BenchRule::there_only);
}

TEST_CASE("training benchmark: a NaN loss of the initial phase is no good step") {
    const auto start = [](bool has_nan) {
        return each_line(1, 16, [has_nan](int step) {
            return fmt::format(
                " iteration {}/ 5000 | loss scale: {:.1f} | number of skipped iterations: 1 | number of nan "
                "iterations: {} |\n",
                step, std::pow(2, 16 - step), has_nan && step == 3 ? 1 : 0);
        });
    };
    const std::string nan = start(true) + each_line(17, 60, sound_line),
                      sound = start(false) + each_line(17, 60, sound_line);
    CHECK(compared(nan, sound).rule == BenchRule::no_common_steps);
    CHECK(compared(sound, sound).rule == BenchRule::neither);
}

TEST_CASE("training benchmark: a stop at a gradient that is not finite leaves the step unknown") {
    const std::string stopped =
        each_line(1, 30, sound_line) +
        "RuntimeError: The total norm of order 2.0 for gradients from `parameters` is non-finite, so it cannot be "
        "clipped.\n";
    CHECK(compared(stopped, each_line(1, 60, sound_line)).rule == BenchRule::no_common_steps);
}

TEST_CASE("training benchmark: counted lines are not compared with printed steps") {
    const auto counted = [](int step) { return trainer_line(step, false); };
    const auto printed = [](int step) { return trainer_line(step, true); };
    const std::string nan = "{'loss': nan, 'grad_norm': nan, 'learning_rate': 1e-05, 'epoch': 0.1}\n";
    CHECK(compared(each_line(1, 30, counted) + nan, each_line(1, 60, printed)).rule == BenchRule::no_common_steps);
    CHECK(compared(each_line(1, 30, counted) + nan, each_line(1, 60, counted)).rule == BenchRule::here_only);
}

TEST_CASE("training benchmark: skips of printed steps are counted, the others are not known") {
    const auto clean = [](int line) { return tenth_line(line, false, 65536); };
    const auto often = [](int line) {
        const bool is_late = line > 20;
        return tenth_line(line, is_late && line <= 25, is_late ? 32768 : 65536);
    };
    const BenchComparison more = compared(each_line(1, 40, often), each_line(1, 40, clean));
    CHECK(more.counts_skips);
    CHECK(more.rule == BenchRule::here_only);
    CHECK(more.here == 5);
    CHECK(more.problem_step == 210);
    CHECK(more.problem_steps == 1);
    // The benchmark skipped a step between two lines: it is not without skips.
    const auto between = [](int line) { return tenth_line(line, false, line > 20 ? 32768 : 65536); };
    CHECK(compared(each_line(1, 40, often), each_line(1, 40, between)).rule == BenchRule::no_common_steps);
}

TEST_CASE("training benchmark: a log without scales does not show that the scale stays") {
    const auto printed = [](int step) { return trainer_line(step, true); };
    const auto sinks = [](int step) {
        return fmt::format("Gradient overflow. Skipping step\nLoss scaler reducing loss scale to {:.1f}\n",
                           65536 / std::pow(2, step - 30)) +
               trainer_line(step, true);
    };
    const std::string sinking = each_line(1, 30, printed) + each_line(31, 50, sinks);
    const BenchComparison unknown = compared(sinking, each_line(1, 50, printed));
    CHECK_FALSE(unknown.falls_only_here);
    CHECK(unknown.rule == BenchRule::no_common_steps);  // skips are not shown either
    CHECK(compared(sinking, each_line(1, 50, sound_line)).falls_only_here);
}

TEST_CASE("training benchmark: a log in several files is one run") {
    const TemporaryDirectory directory;
    const std::string first = write_file(directory / "a.log", each_line(1, 40, sound_line));
    const std::string last = write_file(directory / "b.log", each_line(41, 80, sound_line));
    const TrainingLogs there = read_training_logs({last, first});
    REQUIRE(there.runs.size() == 2);
    const Run whole = whole_run(there, *deciding_run(there));
    CHECK(whole.series.first_step() == 1);
    CHECK(whole.counts.steps == 80);
    CHECK(compare(run_in(each_line(1, 60, sound_line) + stop_line(61)), whole).rule == BenchRule::here_only);
}

TEST_CASE("training benchmark: only the last part of a log goes on in another file, in any order of files") {
    const TemporaryDirectory directory;
    const std::string twice =
        write_file(directory / "a.log", each_line(1, 30, sound_line) + stop_line(31) + each_line(1, 30, sound_line));
    const std::string next = write_file(directory / "b.log", each_line(31, 60, sound_line));
    for (const auto& files : {std::vector{twice, next}, std::vector{next, twice}}) {
        const TrainingLogs logs = read_training_logs(files);
        REQUIRE(logs.runs.size() == 3);
        for (const Run& run : logs.runs) {
            const bool is_discarded = run.series.part != run.series.parts;
            CHECK(whole_run(logs, run).counts.steps == (is_discarded ? 30 : 60));
            CHECK(whole_run(logs, run).series.marks.size() == (is_discarded ? 1 : 0));
        }
    }
}
