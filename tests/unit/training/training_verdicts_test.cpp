// Each rule of the verdicts on a log that is written for it.
#include <doctest/doctest.h>

#include <functional>
#include <string>

#include <fmt/format.h>

#include "training/training.hpp"

#include "text.hpp"

using namespace opdebug::training;
using opdebug::test::contains;

namespace {

/// One line of Megatron-LM. Empty loss or norm: no column.
std::string megatron(int step, const std::string& loss, double scale, const std::string& norm, int skipped,
                     int nan = 0) {
    return fmt::format(
        " iteration {:8}/    5000 | consumed samples: 1 |{} loss scale: {:.1f} |{} number of skipped "
        "iterations: {:3} | number of nan iterations: {:3} |\n",
        step, loss.empty() ? "" : " lm loss: " + loss + " |", scale, norm.empty() ? "" : " grad norm: " + norm + " |",
        skipped, nan);
}

std::string good(int step, double scale) {
    return megatron(step, "6.012345E+00", scale, "1.734", 0);
}

std::string skip(int step, double scale, int nan = 0) {
    return megatron(step, "", scale, "", 1, nan);
}

std::string lines(int first, int last, const std::function<std::string(int)>& line) {
    std::string text;
    for (int step = first; step <= last; ++step) {
        text += line(step);
    }
    return text;
}

std::string goods(int first, int last, double scale) {
    return lines(first, last, [scale](int step) { return good(step, scale); });
}

std::string hf(int step, const std::string& loss, const std::string& norm) {
    return fmt::format(
        " 1%|#  | {}/1000 [00:10<1:00,  1.0s/it]{{'loss': {}, 'grad_norm': {}, 'learning_rate': 1e-05, "
        "'epoch': 0.1}}\n",
        step, loss, norm);
}

std::string hfs(int first, int last) {
    return lines(first, last, [](int step) { return hf(step, "1.5", "0.9"); });
}

std::string fall(double scale) {
    return fmt::format("Gradient overflow. Skipping step\nLoss scaler reducing loss scale to {:.1f}\n", scale);
}

std::vector<Run> runs_of(const std::string& text) {
    TrainingFile file;
    return runs_of_text(text, "train.log", file);
}

struct Case {
    const char* name;
    std::string text;
    const char* verdict;
    const char* rule;
    std::optional<std::uint64_t> step = {};
};

void check(const Case& one) {
    CAPTURE(one.name);
    const std::vector<Run> runs = runs_of(one.text);
    REQUIRE(runs.size() == 1);
    const Finding& first = runs.front().findings.front();
    CHECK(to_string(first.verdict) == one.verdict);
    CHECK(first.rule == one.rule);
    CHECK(!first.because.en.empty());
    CHECK(!first.because.zh.empty());
    CHECK(first.because.en.find('{') == std::string::npos);
    if (one.step) {
        CHECK(first.step == one.step);
    }
}

}  // namespace

TEST_CASE("training verdicts: NaN loss") {
    const auto hidden = [](int step) { return megatron(step, "", 1, "", 0); };
    check({"stop of Megatron",
           goods(1, 30, 1) + "RuntimeError: Rank 14, node n03, device 6, iteration 31: Unexpected result nan "
                             "(message='found NaN in local forward loss calculation')\n",
           "nan_loss", "stop_line", 31});
    check({"stop without step",
           goods(1, 30, 1) + "RuntimeError: Function 'PowBackward0' returned nan values in its 0th output.\n",
           "nan_loss", "stop_line", 31});
    check({"stop in the last line, which is not complete",
           goods(1, 30, 1) + "Function 'PowBackward0' returned nan values in its 0th output.", "nan_loss", "stop_line",
           31});
    check({"printed", hfs(1, 30) + hf(31, "nan", "nan"), "nan_loss", "loss_printed", 31});
    check({"printed in quotes", hfs(1, 30) + hf(31, "'nan'", "'nan'"), "nan_loss", "loss_printed", 31});
    check({"replaced by 0", hfs(1, 30) + hf(31, "0.0", "nan") + hf(32, "0.0", "nan"), "nan_loss", "loss_filtered", 31});
    check({"gradient applied", goods(1, 30, 1) + megatron(31, "5.0E+00", 1, "inf", 0), "nan_loss", "gradient_applied",
           31});
    check({"column gone with a bad norm", goods(1, 30, 1) + megatron(31, "", 1, "nan", 0), "nan_loss",
           "gradient_applied", 31});
    check({"column gone to the end", goods(1, 30, 1) + lines(31, 33, hidden), "nan_loss", "loss_hidden", 31});
    check({"NaN in a skipped step", goods(1, 30, 512) + skip(31, 256, 1) + goods(32, 60, 256), "nan_loss",
           "nan_in_skipped_step", 31});
}

TEST_CASE("training verdicts: a NaN is not claimed without evidence") {
    const auto hidden = [](int step) { return megatron(step, "", 1, "1.5", 0); };
    check({"column gone twice", goods(1, 30, 1) + lines(31, 32, hidden), "undecided", "loss_hidden_once"});
    check({"column came back: the loss was negative", goods(1, 30, 1) + lines(31, 40, hidden) + goods(41, 60, 1),
           "undecided", "loss_hidden_once"});
    check({"bad norm, skip unknown", hfs(1, 30) + hf(31, "1.5", "nan") + hfs(32, 60), "undecided", "skip_unknown"});
    check({"loss 0 and a bad norm where the framework replaces nothing",
           lines(1, 30,
                 [](int step) { return fmt::format("step:{} - actor/pg_loss:0.1 - actor/grad_norm:0.5\n", step); }) +
               "step:31 - actor/pg_loss:0.0 - actor/grad_norm:nan\n",
           "undecided", "skip_unknown"});
    check({"loss 0 before any other loss",
           lines(1, 30, [](int step) { return hf(step, step < 9 ? "0.0" : "0.1", step < 3 ? "nan" : "0.5"); }),
           "undecided", "skip_unknown"});
    check({"loss 0 in a skipped step", hfs(1, 30) + fall(32768) + hf(31, "0.0", "nan") + hfs(32, 60), "probing",
           "recovered"});
    check({"a loss of another name",
           lines(1, 30,
                 [](int step) {
                     return fmt::format(
                         " iteration {}/ 90 | load_balancing_loss: 1.0E+00 | grad norm: 0.0 | number of "
                         "skipped iterations: 0 |\n",
                         step);
                 }),
           "undecided", "main_loss_absent"});
    check({"a batch with Inf is no step", hfs(1, 30) + "Detected inf/nan during batch_number=44\n", "undecided",
           "non_finite_stop"});
    check({"clipping stopped",
           hfs(1, 30) + "RuntimeError: The total norm of order 2.0 for gradients from `parameters` is non-finite, so "
                        "it cannot be clipped.\n",
           "undecided", "non_finite_stop"});
    check({"bad norm of a skipped step", hfs(1, 30) + fall(32768) + hf(31, "1.5", "nan") + hfs(32, 60), "probing",
           "recovered"});
    const auto with_evaluation = [](const char* loss) {
        return lines(1, 60, [loss](int step) {
            return fmt::format("step {} loss 1.5\n", step) +
                   (step % 10 == 0 ? fmt::format("[eval] step {} loss {}\n", step, loss) : "");
        });
    };
    check({"evaluation between the steps", with_evaluation("1.7"), "clean", "all_finite"});
    check({"NaN in the evaluation", with_evaluation("nan"), "clean", "all_finite"});
    const auto with_note = [](const char* note) {
        return lines(
            1, 60, [note](int step) { return fmt::format("{} {} loss {}\n", note, step, step < 40 ? "1.5" : "nan"); });
    };
    check({"a tag with the word test", with_note("[exp-test] epoch 1 step"), "nan_loss", "loss_printed", 40});
    check({"a path with the word test", with_note("/home/u/test/train.py:31 step"), "nan_loss", "loss_printed", 40});
    check({"a host named test", with_note("test-1: step"), "nan_loss", "loss_printed", 40});
    check({"torn line without columns",
           goods(1, 30, 1) + " iteration 31/ 5000 | consumed samples: 1 |\n" + goods(32, 60, 1), "undecided",
           "lines_missing"});
}

TEST_CASE("training verdicts: sinking scale") {
    const auto start = goods(1, 100, 65536);
    const auto falls = [](int count) {
        return lines(101, 100 + count, [](int step) { return skip(step, 65536 / std::pow(2, step - 100)); });
    };
    check({"five falls in a row", start + falls(5), "sinking", "falls_in_window", 101});
    check({"four falls in a row", start + falls(4), "sinking", "falls_in_window", 101});
    check({"three falls in a row, then the end", start + falls(3), "undecided", "ends_after_fall"});
    check({"five falls, then clean", start + falls(5) + goods(106, 300, 2048), "undecided", "skips_in_a_row"});
    check({"below one", start + falls(17), "sinking", "below_one", 101});
    check({"at one, later steps skipped", start + falls(16) + skip(117, 1), "sinking", "minimum", 101});
    check({"at one, after a skip long before",
           goods(1, 19, 131072) + skip(20, 65536) + goods(21, 100, 65536) + falls(16) + skip(117, 1), "sinking",
           "minimum", 101});
    check({"DeepSpeed at its minimum",
           start + "Exception: Current loss scale already at minimum - cannot decrease scale anymore. Exiting run.\n",
           "sinking", "minimum_line", 101});
    check({"long start",
           lines(1, 41, [](int step) { return skip(step, std::pow(2, 60 - step)); }) + goods(42, 80, 1 << 19),
           "sinking", "long_start", 1});
    check({"low start", lines(1, 12, [](int step) { return skip(step, std::pow(2, 16 - step)); }), "sinking",
           "low_start", 1});
    check({"only events, below one", fall(2) + fall(1) + fall(0.5), "sinking", "below_one"});
    check({"only events", fall(32768) + fall(16384) + fall(8192) + fall(4096) + fall(2048) + fall(1024), "undecided",
           "too_few_lines"});
    check({"torch_npu with lines of the Trainer",
           hfs(1, 30) +
               lines(31, 36, [](int step) { return fall(65536 / std::pow(2, step - 30)) + hf(step, "1.5", "inf"); }),
           "sinking", "falls_in_window", 31});
}

TEST_CASE("training verdicts: a scale that falls is not always sinking") {
    const auto autoencoder = [](int step) {
        return fmt::format(
            " iteration {}/ 500 | elapsed time per iteration (s): 1.2 | generator     loss: 4.1E-01 | "
            "loss scale: {:.1f} |\n",
            step, std::pow(2, std::max(16, 32 - step)));
    };
    check({"initial phase of a log without skips", lines(1, 40, autoencoder), "undecided", "skips_uncertain"});
    const auto tens = [](int line) {
        return fmt::format(
            "{{ Epoch:[  1/  2], step:[  {}/  900], loss: 8.4, per_step_time: 7ms, overflow cond: {}, "
            "loss_scale: {:.1f}, global_norm: [{}]\n",
            line * 10, line == 1 ? "True" : "False", std::pow(2, line == 1 ? 22 : 16), line == 1 ? "nan" : "4.1");
    };
    check({"initial phase, each tenth step printed", lines(1, 25, tens), "undecided", "skips_uncertain"});
    check(
        {"a new scale after a restart",
         lines(101, 140, [](int step) { return step < 117 ? skip(step, std::pow(2, 132 - step)) : good(step, 65536); }),
         "probing", "recovered"});
    // DeepSpeed prints no growth: each attempted scale is above the one that the last fall led to.
    const auto grown = [](int line) {
        const int scale = 1 << (12 + line / 3);
        return (line % 3 != 0 ? ""
                              : fmt::format("[deepspeed] OVERFLOW! Rank 0 Skipping step. Attempted loss scale: "
                                            "{}, reducing to {}\n",
                                            2 * scale, scale)) +
               fmt::format("steps: {} loss: 2.3125 iter time (s): 1.2 samples/sec: 13.2\n", line * 10);
    };
    check({"growths without lines", lines(1, 21, grown), "undecided", "ends_after_fall"});
}

TEST_CASE("training verdicts: an overflow that was applied is no skipped step") {
    const Run run = runs_of(lines(1, 40, [](int line) {
                        return std::string(line == 10 ? "overflow, still update, loss scale adjust to 512.0\n" : "") +
                               fmt::format(
                                   "Epoch 1/300, Step {}/900, imgsize (640, 640), loss: 6.5, lbox: 0.21, "
                                   "cur_lr: 0.0001\n",
                                   line * 10);
                    })).front();
    CHECK(run.findings.front().rule == "overflow_applied");
    CHECK(run.counts.skipped == 0);
}

TEST_CASE("training verdicts: static scale, probing, clean") {
    const auto static_skips = [](int step) { return step % 10 == 0 ? skip(step, 1024) : good(step, 1024); };
    check({"three skips, equal scale", lines(1, 30, static_skips), "static_scale_hit", "constant_scale", 10});
    check({"two skips, equal scale", lines(1, 29, static_skips), "undecided", "scale_unknown"});
    check({"DeepSpeed's static scale",
           hfs(1, 30) + "Grad overflow on iteration: 30\nUsing static loss scale of: 1024.0\n", "static_scale_hit",
           "static_line"});
    check({"a skip at the smallest scale in the middle of a run",
           lines(1010, 1050, [](int step) { return step % 10 == 0 ? skip(step, 1) : good(step, 1); }), "undecided",
           "scale_unknown"});
    check({"one fall and clean steps", goods(1, 50, 512) + skip(51, 256) + goods(52, 71, 256), "probing", "recovered",
           51});
    check({"one clean step fewer", goods(1, 50, 512) + skip(51, 256) + goods(52, 70, 256), "undecided",
           "ends_after_fall"});
    check({"growth instead of clean steps", goods(1, 50, 512) + skip(51, 256) + goods(52, 60, 256) + goods(61, 62, 512),
           "probing", "recovered"});
    check({"only the initial phase",
           lines(1, 17, [](int step) { return skip(step, std::pow(2, 32 - step)); }) + goods(18, 40, 32768), "probing",
           "recovered", 1});
    check({"falls with few clean steps between",
           goods(1, 300, 512) + skip(301, 256) + goods(302, 310, 256) + skip(311, 128) + goods(312, 400, 128),
           "undecided", "falls_close"});
    check({"clean", goods(1, 20, 1), "clean", "all_finite"});
    check({"clean, skips unknown", hfs(1, 20), "clean", "all_finite"});
    check({"too short", goods(1, 19, 1), "undecided", "too_few_lines"});
    check({"a line is missing", goods(1, 20, 1) + goods(22, 40, 1), "undecided", "lines_missing"});
    check({"a guess",
           lines(1, 30, [](int step) { return fmt::format("train step {} loss=0.5 loss_scale=1024\n", step); }),
           "clean", "all_finite"});
}

TEST_CASE("training verdicts: ranks, restarts, intervals and spellings of lines") {
    const std::string two_ranks =
        hfs(1, 30) +
        "[rank0]:Loss scaler reducing loss scale to 512.0\n[rank1]:Loss scaler reducing loss scale to 512.0\n" +
        hfs(31, 60);
    CHECK(runs_of(two_ranks).front().counts.skipped == 1);
    CHECK(runs_of(two_ranks).front().counts.falls == 1);
    check({"processes with different scales", hfs(1, 30) + fall(512) + fall(1024) + fall(256) + hfs(31, 60),
           "undecided", "ranks_disagree"});

    const std::vector<Run> restarted = runs_of(goods(1, 50, 512) + goods(41, 90, 512));
    REQUIRE(restarted.size() == 2);
    CHECK_FALSE(restarted[0].series.resumed_at);
    CHECK(restarted[1].series.resumed_at == 41);

    std::string each_rank;
    for (int step = 1; step <= 40; ++step) {
        for (const int rank : {0, 1}) {
            each_rank += fmt::format("[rank{}]:{}", rank,
                                     rank == 1 && step >= 30 ? megatron(step, "", 1, "nan", 0) : good(step, 1));
        }
    }
    const std::vector<Run> ranks = runs_of(each_rank);
    REQUIRE(ranks.size() == 2);
    CHECK(ranks[0].series.rank == 0);
    CHECK(to_string(ranks[0].findings.front().verdict) == "clean");
    CHECK(to_string(ranks[1].findings.front().verdict) == "nan_loss");
    CHECK(ranks[1].findings.front().step == 30);

    std::string interval;
    for (int step = 10; step <= 500; step += 10) {
        interval += megatron(step, "6.0E+00", step < 300 ? 512 : 256, "1.0", step == 300 ? 1 : 0);
    }
    const Run run = runs_of(interval).front();
    CHECK(run.series.interval == 10);
    CHECK(run.counts.steps == 500);
    CHECK(run.counts.skipped == 1);
    CHECK(to_string(run.findings.front().verdict) == "probing");
    CHECK(run.findings.front().steps == 10);

    std::string decorated;
    for (int step = 1; step <= 30; ++step) {
        std::string line = good(step, 1);
        line.pop_back();
        decorated += "\x1b[33m" + line + "\x1b[0m\r\n";
    }
    check({"colours and Windows line ends", decorated, "clean", "all_finite"});
    check({"one number is torn", goods(1, 30, 1) + good(3000, 1) + goods(32, 60, 1), "undecided", "lines_missing"});
    CHECK(runs_of("no training\n").empty());
}

TEST_CASE("training verdicts: the epoch's steps are numbered on") {
    std::string text;
    for (int epoch = 1; epoch <= 2; ++epoch) {
        for (int step = 1; step <= 20; ++step) {
            text += fmt::format(
                "{{ Epoch:[  {}/  2], step:[   {}/  20], loss: 8.4, per_step_time: 7ms, overflow cond: {}, loss_scale: "
                "1024.0, global_norm: [{}]\n",
                epoch, step, epoch == 2 && step > 17 ? "True" : "False", epoch == 2 && step > 17 ? "inf" : "1.0");
        }
    }
    check({"MindFormers with a static scale", text, "static_scale_hit", "constant_scale", 38});
}

TEST_CASE("training verdicts: lines that state only the printed step") {
    const auto tens = [](double last_scale) {
        return lines(1, 40, [last_scale](int line) {
            return fmt::format(
                "{{ Epoch:[  1/  2], step:[  {}/  900], loss: 8.4, per_step_time: 7ms, overflow cond: "
                "False, loss_scale: {:.1f}, global_norm: [4.1]\n",
                line * 10, line < 20 ? 512 : last_scale);
        });
    };
    check({"no fall", tens(512), "clean", "all_finite"});
    check({"a fall between", tens(256), "undecided", "skips_uncertain"});
    const Run run = runs_of(tens(256)).front();
    CHECK(run.counts.skipped == 1);
    CHECK_FALSE(run.counts.skips_known);
    CHECK(run.counts.is_least);
}

TEST_CASE("training verdicts: an overflow belongs to the step that it states") {
    const Run run =
        runs_of(lines(1, 40, [](int step) {
            return fmt::format("epoch 1, step {}, lr 0.1, loss 0.5, loss scale 65536, global_step 1\n", step) +
                   (step == 20 ? "overflow detected in epoch 1 step 20\n" : "");
        })).front();
    CHECK(run.series.steps[19].skipped == 1U);
    CHECK(run.series.steps[20].skipped == 0U);
}

TEST_CASE("training verdicts: DeepSpeed's lines with and without a rank are of one process") {
    const auto step = [](int number) {
        return fmt::format(
            "[2026-05-04 10:11:13,001] [INFO] [logging.py:96:log_dist] [Rank 0] step={}, skipped={}, lr=[5e-05]\n"
            "steps: {} loss: 6.4980 iter time (s): 0.500 samples/sec: 32.000\n",
            number, number < 50 ? 0 : 1, number);
    };
    const std::vector<Run> runs = runs_of(
        lines(1, 49, step) +
        "[2026-05-04 10:11:13,001] [INFO] [loss_scaler.py:190:update_scale] [deepspeed] OVERFLOW! Rank 0 Skipping "
        "step. Attempted loss scale: 65536, reducing to 32768\n" +
        lines(50, 200, step));
    REQUIRE(runs.size() == 1);
    CHECK(runs.front().counts.skipped == 1);
    CHECK(to_string(runs.front().findings.front().verdict) == "probing");
}

TEST_CASE("training verdicts: DeepSpeed's total of skipped steps") {
    // Steps 10 to 400, each 10. The total rises by 3 in steps 191 to 200.
    std::string text;
    for (int step = 10; step <= 400; step += 10) {
        text += fmt::format(
            "[2026-05-04 10:11:13,001] [INFO] [logging.py:96:log_dist] [Rank 0] step={}, skipped={}, lr=[5e-05]\n",
            step, step < 200 ? 2 : 5);
    }
    const Run run = runs_of(text).front();
    CHECK(run.series.rank == 0);
    CHECK(run.counts.steps == 400);
    CHECK(run.counts.skipped == 5);
    CHECK(run.series.steps[19].skipped == 3U);
    CHECK(run.series.steps[20].skipped == 0U);
    CHECK(to_string(run.findings.front().verdict) == "undecided");  // no loss scale
}

TEST_CASE("training verdicts: a fault in words without a format is no clean log, and its line is quoted") {
    const auto is_quoted = [](const std::string& line, const std::string& quoted) {
        const std::vector<Run> runs = runs_of(hfs(1, 15) + line + "\n" + hfs(16, 40));
        REQUIRE(runs.size() == 1);
        const Finding& first = runs.front().findings.front();
        CHECK(to_string(first.verdict) == "undecided");
        CHECK(first.rule == "unread_fault");
        CHECK(contains(first.because.en, quoted));
    };
    for (const char* line : {"loss is NaN at rank 5, skip this batch", "Warning: NaN or Inf found in input tensor.",
                             "{'rewards/mean': nan, 'kl': 0.3}", "overflow! lower your learning rate"}) {
        CAPTURE(line);
        is_quoted(line, line);
    }
    const auto with_norm = [](int step) {
        return fmt::format("step {:5}/19560 | loss 3.37 | norm {} | lr 6.00e-04\n", step, step == 13 ? "nan" : "0.5");
    };
    check({"another value of a step", lines(1, 40, with_norm), "undecided", "unread_fault"});
}

TEST_CASE("training verdicts: settings and best values are no faults") {
    for (const char* line : {"  check_for_nan_in_loss_and_grad ................ True", "  clip_value: inf,",
                             "max_wait = inf", "val_acc improved from -inf to 0.91", "logging_nan_inf_filter=True",
                             "overflow: False", "no overflow so far", "loading /data/nan/overflow/skip.bin"}) {
        CAPTURE(line);
        const std::vector<Run> runs = runs_of(hfs(1, 15) + line + "\n" + hfs(16, 40));
        REQUIRE(runs.size() == 1);
        CHECK(to_string(runs.front().findings.front().verdict) == "clean");
    }
}

TEST_CASE("training verdicts: events next to steps of an unknown trainer") {
    const auto step = [](int number) { return fmt::format("Epoch: [1] [{}/5800] loss: 0.5 ips: 3\n", number); };
    const auto found = [](int number) {
        return fmt::format("Found inf or nan, current scale is: {0:.1f}, decrease to: {0:.1f}*0.5\n",
                           std::pow(2, 20 - number));
    };
    check({"Paddle's scale sinks",
           lines(1, 30, step) + lines(31, 37, [&](int number) { return found(number - 30) + step(number); }), "sinking",
           "falls_in_window"});
    check({"a stop", lines(1, 30, step) + "FloatingPointError: Loss became infinite or NaN at iteration=30!\n",
           "nan_loss", "stop_line"});
    check({"nothing is trained", lines(1, 30, [](int number) { return hf(number, "0.0", "0.0"); }), "undecided",
           "all_zero"});
}
