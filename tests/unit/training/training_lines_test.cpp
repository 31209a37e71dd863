// Lines that mislead: bars of other work, repeated messages, epochs, cut lines. Each case states its answer.
#include <doctest/doctest.h>

#include <string>
#include <vector>

#include <fmt/format.h>

#include "training/training.hpp"

using namespace opdebug::training;

namespace {

std::vector<Run> runs_in(const std::string& text) {
    TrainingFile file;
    return runs_of_text(text, "train.log", file);
}

/// "clean all_finite 1-100": verdict and rule of the only run, and its steps.
std::string answer(const std::string& text) {
    const std::vector<Run> runs = runs_in(text);
    if (runs.size() != 1) {
        return fmt::format("{} runs", runs.size());
    }
    const Finding& first = runs.front().findings.front();
    return fmt::format("{} {} {}-{}", to_string(first.verdict), first.rule,
                       runs.front().series.first_step().value_or(0), runs.front().series.last_step().value_or(0));
}

std::string bar(int step, int total) {
    return fmt::format("\r {}%|#  | {}/{} [00:05<00:00, 1.00s/it]", 100 * step / total, step, total);
}

std::string trainer(const std::string& loss) {
    return fmt::format("\r{{'loss': {}, 'grad_norm': 0.5, 'learning_rate': 1e-05, 'epoch': 0.4}}\n", loss);
}

/// `text` for each step from `first` to `last`, with this distance.
template <class Line>
std::string each_step(int first, int last, Line line, int distance = 1) {
    std::string text;
    for (int step = first; step <= last; step += distance) {
        text += line(step);
    }
    return text;
}

std::string megatron(int step, const std::string& columns) {
    return fmt::format(" iteration {}/ 5000 |{} number of skipped iterations: 0 | number of nan iterations: 0 |\n",
                       step, columns);
}

}  // namespace

TEST_CASE("training lines: only the bar of training numbers its lines") {
    const auto step = [](int k) { return bar(k, 100) + trainer(k > 60 ? "nan" : "1.0"); };
    const std::string map = "Map: 100%|##########| 52002/52002 [00:05<00:00, 9000 examples/s]\n";
    const std::vector<Run> mapped = runs_in(map + each_step(1, 100, step));
    REQUIRE(mapped.size() == 1);
    CHECK(mapped.front().findings.front().step == 61);
    CHECK(mapped.front().series.steps.size() == 100);

    const std::string evaluation = bar(1, 500) + bar(300, 500) + bar(500, 500) + "\n";
    const auto good = [](int k) { return bar(k, 100) + trainer("1.0"); };
    CHECK(answer(each_step(1, 50, good) + evaluation + each_step(51, 100, good)) == "clean all_finite 1-100");

    // The first line takes 500 from another bar; the line after it is not united with it.
    CHECK(answer(evaluation + trainer("1.0") + trainer("nan") + each_step(3, 100, good)).rfind("clean", 0) ==
          std::string::npos);
}

namespace {

/// A line of ms-swift; the gradient norm of `skipped` is Inf.
std::string swift(int step, int skipped) {
    return fmt::format("{{'loss': 2.5, 'grad_norm': {}, 'global_step/max_steps': '{}/100'}}\n",
                       step == skipped ? "inf" : "1.0", step);
}

constexpr auto kFall = "Gradient overflow. Skipping step\nLoss scaler reducing loss scale to 32768.0\n";

}  // namespace

TEST_CASE("training lines: a restart from one step before keeps its skip") {
    for (const int last : {42, 45}) {
        const std::vector<Run> runs = runs_in(each_step(1, last, [](int k) { return swift(k, 0); }) + kFall +
                                              each_step(41, 79, [](int k) { return swift(k, 41); }));
        REQUIRE(runs.size() == 2);
        CHECK(runs[1].series.resumed_at == 41);
        CHECK(runs[1].series.steps.front().skipped == 1U);
        CHECK(runs[1].counts.nan == 0);
    }
    // Also if its only line is the last one.
    const std::vector<Run> cut = runs_in(each_step(1, 42, [](int k) { return swift(k, 0); }) + swift(41, 41));
    REQUIRE(cut.size() == 2);
    CHECK(cut[1].series.format == "Hugging Face Trainer");
    CHECK_FALSE(cut[1].series.guessed);
    // A second line of the same step with the same values, or without values, is no restart.
    CHECK(answer(each_step(1, 40, [](int k) { return swift(k, 0); }) + swift(40, 0)) == "clean all_finite 1-40");
}

TEST_CASE("training lines: a second training does not hide the NaN of the first") {
    const auto training = [](int last, int bad) {
        return each_step(1, last, [bad](int k) {
            return fmt::format("steps: {} loss: {} iter time (s): 1.2\n", k, k >= bad ? "nan" : "2.3");
        });
    };
    TrainingLogs logs;
    logs.runs = runs_in(training(60, 40) + training(90, 99) + training(90, 20));
    REQUIRE(logs.runs.size() == 3);
    CHECK(deciding_run(logs) == &logs.runs[0]);
    CHECK(logs.runs[0].findings.front().step == 40U);
    CHECK(whole_run(logs, logs.runs[0]).counts.nan == 21);
    CHECK(logs.runs[1].series.part == 2);
    CHECK(logs.runs[1].series.parts == 3);
    logs.runs = runs_in(training(60, 99) + training(90, 20));
    CHECK(deciding_run(logs) == &logs.runs[1]);
}

TEST_CASE("training lines: an evaluation is no step") {
    const std::string evaluation = "evaluating step 3, loss: nan\neval steps: 3 loss: nan iter time (s): 1.2\n";
    CHECK(answer(each_step(1, 40, [&evaluation](int k) {
              return fmt::format("steps: {} loss: 2.3 iter time (s): 1.2\n", k) + (k % 20 == 0 ? evaluation : "");
          })) == "clean all_finite 1-40");
    CHECK(answer(each_step(1, 40, [](int k) {
              return fmt::format("step {} loss: 2.3, val_loss: nan\nvalidation at step {}, loss: nan\n", k, k);
          })) == "clean all_finite 1-40");
}

TEST_CASE("training lines: the late line of another process is no skip of the next step") {
    const auto with_late = [](bool prints_steps) {
        return each_step(1, 60, [prints_steps](int k) {
            const std::string line = (k == 25 ? kFall : "") + swift(k, 25);
            return prints_steps ? line + line : line + (k == 25 ? kFall : "");
        });
    };
    for (const bool prints_steps : {false, true}) {
        const Run run = runs_in(with_late(prints_steps)).front();
        CHECK(run.counts.skipped == 1);
        CHECK(run.series.steps[25].skipped == 0U);
        CHECK(to_string(run.findings.front().verdict) == "probing");
    }
    // The same scale much later: no process is so late, so the scale grew without a line.
    const auto again = [](int k) { return (k == 25 || k == 70 ? kFall : "") + swift(k, 25); };
    const Run run = runs_in(each_step(1, 100, again)).front();
    CHECK(to_string(run.findings.front().verdict) == "probing");
    CHECK(run.counts.skipped == 2);
    CHECK(run.counts.falls == 2);
}

TEST_CASE("training lines: a repeated scale after a step line is uncertain") {
    const auto step = [](int k) {
        const int scale = 65536 >> std::min(std::max(k - 20, 0), 9);
        const std::string fall =
            fmt::format("Gradient overflow.  Skipping step, loss scaler 0 reducing loss scale to {}.0\n", scale);
        return (k > 20 ? fall : "") + fmt::format("{{'loss': 1.2, 'global_step/max_steps': '{}/900'}}\n", k);
    };
    const std::vector<Run> runs = runs_in(each_step(1, 200, step));
    REQUIRE(runs.size() == 1);
    CHECK(runs.front().counts.skipped == 9);  // those that changed the scale; the others may be late lines
    CHECK_FALSE(runs.front().series.steps[29].skipped);
    CHECK(runs.front().counts.falls == 9);
    CHECK(to_string(runs.front().findings.front().verdict) == "sinking");
}

TEST_CASE("training lines: several messages of skips in an interval decide nothing") {
    const auto step = [](int k) {
        std::string text;
        for (int i = 0; i < 9 && k >= 200; ++i) {
            text += "Gradient norm is not finite: nan\n";
        }
        return text + fmt::format(
                          "epoch: 0, step: {}, loss: 1.1, grad_norm: 1.0, learning_rate: 1e-05, total_steps: "
                          "900\n",
                          k);
    };
    CHECK(answer(each_step(10, 500, step, 10)) == "undecided skips_uncertain 10-500");
    const auto numbered = [](int k) { return fmt::format("Grad overflow on iteration: {}\n", k); };
    CHECK(runs_in(each_step(1, 100, numbered)).front().counts.skipped == 100);
    CHECK(runs_in(each_step(1, 100, [&](int k) { return numbered(k) + numbered(k); })).front().counts.skipped == 100);
}

TEST_CASE("training lines: DeepSpeed's total counts before its messages") {
    const auto step = [](int k) {
        const std::string event =
            "[deepspeed] OVERFLOW! Rank 0 Skipping step. Attempted loss scale: 2048, reducing to "
            "1024\n";
        return (k == 100 ? event : "") +
               fmt::format("[Rank 0] step={}, skipped={}, lr=[5e-05]\n", k, k < 100 ? 0 : (k - 90) / 2);
    };
    const std::vector<Run> runs = runs_in(each_step(10, 500, step, 10));
    CHECK(runs.front().counts.skipped == 205);  // 5 in each of 41 intervals
    CHECK(to_string(runs.front().findings.front().verdict) == "undecided");
    CHECK(answer(each_step(
              10, 500, [](int k) { return fmt::format("[Rank 0] step={}, skipped=0, lr=[5e-05]\n", k); }, 10)) ==
          "undecided no_values 10-500");
}

TEST_CASE("training lines: a loss that is absent, 0 or negative is not called NaN") {
    const auto no_values = [](int k) { return megatron(k, ""); };
    CHECK(answer(each_step(1, 40, no_values)) == "undecided no_values 1-40");
    const auto negative = [](int k) {
        return megatron(k, k < 50 ? " lm loss: 6.0E-01 | grad norm: 1.2 |" : " grad norm: 1.2 |");
    };
    CHECK(answer(each_step(1, 100, negative)) == "undecided loss_hidden_once 1-100");
    const auto zero = [](int k) {
        return fmt::format("{{\"current_steps\": {}, \"total_steps\": 900, \"loss\": {}}}\n", k, k < 30 ? 1.2 : 0.0);
    };
    CHECK(answer(each_step(1, 100, zero)) == "undecided loss_hidden_once 1-100");
    CHECK(answer("\xEF\xBB\xBF" + each_step(1, 29, zero)) == "clean all_finite 1-29");
}

TEST_CASE("training lines: a clean stretch ends each kind of sinking") {
    const auto low = [](int k) {
        return fmt::format(" iteration {}/ 2000 |{} loss scale: {:.1f} | number of skipped iterations: {} |\n", k,
                           k > 2 ? " lm loss: 6.0 | grad norm: 1.0 |" : "", k == 1 ? 64.0 : 32.0, k > 2 ? 0 : 1);
    };
    CHECK(answer(each_step(1, 100, low)) == "probing recovered 1-100");
    const auto half = [](int k) {
        const bool skipped = k > 50 && k <= 53;
        return fmt::format(" iteration {}/ 2000 |{} loss scale: {:.1f} | number of skipped iterations: {} |\n", k,
                           skipped ? "" : " lm loss: 6.0 | grad norm: 1.0 |",
                           k <= 50   ? 4.0
                           : k == 51 ? 2.0
                           : k == 52 ? 1.0
                                     : 0.5,
                           skipped ? 1 : 0);
    };
    CHECK(answer(each_step(1, 102, half)) == "sinking below_one 1-102");
    CHECK(answer(each_step(1, 200, half)) == "probing recovered 1-200");
}

TEST_CASE("training lines: the last line without its end") {
    const auto step = [](int k) {
        return fmt::format("iteration: {} | lm loss: {} | grad norm: 1.0\n", k, k == 30 ? "nan" : "1.0");
    };
    std::string text = each_step(1, 30, step);
    text.pop_back();
    CHECK(answer(text) == "nan_loss loss_printed 1-30");
    text = each_step(1, 29, step);
    text.pop_back();
    CHECK(answer(text) == "undecided last_line_cut 1-28");
    text = each_step(1, 15, step) + std::string(10, '\0') + each_step(16, 29, step);
    CHECK(answer(text) == "clean all_finite 1-29");
}

TEST_CASE("training lines: epochs") {
    const auto loss = [](int epoch, int k) { return fmt::format("epoch: {} step: {}, loss is 2.3\n", epoch, k); };
    const auto epochs = [&loss](int last) {
        return each_step(1, last,
                         [&loss](int e) { return each_step(1, 50, [&loss, e](int k) { return loss(e, k); }); });
    };
    const std::vector<Run> restarted = runs_in(epochs(3) + epochs(2));
    REQUIRE(restarted.size() == 2);
    CHECK(restarted[0].series.last_step() == 150);
    CHECK(restarted[1].series.last_step() == 100);
    CHECK(to_string(restarted[1].findings.front().verdict) == "clean");

    std::string two_processes;  // the second is one line late
    for (int i = 0; i < 150; ++i) {
        two_processes += loss(i / 50 + 1, i % 50 + 1) + (i == 0 ? "" : loss((i - 1) / 50 + 1, (i - 1) % 50 + 1));
    }
    CHECK(answer(two_processes) == "clean all_finite 1-150");

    const auto veomni = [](int i) {
        return fmt::format(
            "\rEpoch {}/3:  12%|#2 | {}/100 [10:00<73:20,  5.00s/it, total_loss: 2.31, grad_norm: 1.0, lr: "
            "0.00]",
            (i - 1) / 100 + 1, (i - 1) % 100 + 1);
    };
    CHECK(answer(each_step(1, 200, veomni) + "\n") == "clean all_finite 1-200");
    const auto guess = [](int i) { return fmt::format("Epoch: {} Iter: {} loss: 1.0\n", i / 60 + 1, i % 60); };
    CHECK(answer(each_step(0, 119, guess)) == "clean all_finite 0-119");
}

TEST_CASE("training lines: processes") {
    const auto loss = [](int k, const char* value) { return fmt::format("epoch: 1 step: {}, loss is {}\n", k, value); };
    const std::vector<Run> two =
        runs_in(each_step(1, 40, [&loss](int k) { return loss(k, "1.0") + loss(k, k == 30 ? "nan" : "1.0"); }));
    CHECK(two.front().findings.front().line == 60);
    const std::vector<Run> local = runs_in(each_step(1, 40, [](int k) {
        return fmt::format("[default7]: iteration: {} | lm loss: 1.0 |\n[default3]: iteration: {} | lm loss: 1.0 |\n",
                           k, k);
    }));
    REQUIRE(local.size() == 2);
    CHECK_FALSE(local.front().series.rank);
}

TEST_CASE("training lines: a stop without a number is in the steps after the last line") {
    const auto step = [](int k) { return megatron(k, " lm loss: 6.0E-01 | grad norm: 1.2 |"); };
    const std::string stop = "AssertionError: Rank 2: found NaN in local grad norm in backward pass\n";
    const Finding each = runs_in(each_step(1, 40, step) + stop).front().findings.front();
    CHECK(each.step == 41);
    CHECK(each.steps == 1);
    const Finding tenth = runs_in(each_step(10, 400, step, 10) + stop).front().findings.front();
    CHECK(tenth.step == 410);
    CHECK(tenth.steps == 10);
}
