// Short texts as people paste them into issues: a few lines, bars of progress, a stop. Each row states its answer.
#include <doctest/doctest.h>

#include <string>
#include <vector>

#include <fmt/format.h>

#include "training/training.hpp"

using namespace opdebug::training;

namespace {

/// "nan_loss loss_printed since 11-20, skipped 0, nan 2" of the only run.
std::string short_answer(const std::string& text) {
    TrainingFile file;
    const std::vector<Run> runs = runs_of_text(text, "train.log", file);
    if (runs.size() != 1) {
        return fmt::format("{} runs", runs.size());
    }
    const Finding& first = runs.front().findings.front();
    const std::string since = !first.step       ? std::string("unknown")
                              : first.steps > 1 ? fmt::format("{}-{}", *first.step + 1 - first.steps, *first.step)
                                                : std::to_string(*first.step);
    return fmt::format("{} {} since {}, skipped {}, nan {}", to_string(first.verdict), first.rule, since,
                       runs.front().counts.skipped, runs.front().counts.nan);
}

constexpr const char* kMinimum =
    "Exception: Current loss scale already at minimum - cannot decrease scale anymore. Exiting run.\n";

struct PastedText {
    const char* name;
    std::string text;
    const char* answer;
};

void check_texts(const std::vector<PastedText>& rows) {
    for (const PastedText& row : rows) {
        CAPTURE(row.name);
        CHECK(short_answer(row.text) == row.answer);
    }
}

std::string bar_at(int step, int total) {
    return fmt::format(" {}%|#   | {}/{} [09:01<55:10,  7.50s/it]", 100 * step / total, step, total);
}

std::string trainer_line(const char* loss, const char* norm) {
    return fmt::format("{{'loss': {}, 'grad_norm': {}, 'learning_rate': 4.2e-06, 'epoch': 0.1}}\n", loss, norm);
}

std::string overflow_line(int from, int to) {
    return fmt::format(
        "[2026-05-04 10:11:12,345] [INFO] [loss_scaler.py:181:update_scale] [deepspeed] OVERFLOW! Rank 0 Skipping "
        "step. Attempted loss scale: {}, reducing to {}\n",
        from, to);
}

std::string yolo_lines(int step, const char* loss) {
    return fmt::format(
        "2026-05-04 10:11:12,345 [WARNING] overflow, still update, loss scale adjust to 1024.0\n"
        "2026-05-04 10:11:12,349 [INFO] Epoch 1/90, Step {}/2000, imgsize (640, 640), loss: {}, lbox: {}, lcls: 5.1, "
        "cur_lr: 0.09\n",
        step, loss, loss);
}

std::string counted_line(int step, double scale, int skipped) {
    return fmt::format(
        " iteration {:8}/ 90000 | consumed samples: 9 |{} loss scale: {:.1f} | number of skipped iterations: {:3} | "
        "number of nan iterations:   0 |\n",
        step, skipped == 10 ? "" : " lm loss: 9.1E+00 | grad norm: 3.1 |", scale, skipped);
}

std::string total_line(int step, int skipped) {
    return fmt::format(
        "[2026-05-04 10:11:12,345] [INFO] [logging.py:96:log_dist] [Rank 0] step={}, skipped={}, lr=[2e-06], "
        "mom=[(0.9, 0.95)]\n",
        step, skipped);
}

template <class Line>
std::string lines_of_steps(int first, int last, int distance, Line line) {
    std::string text;
    for (int step = first; step <= last; step += distance) {
        text += line(step);
    }
    return text;
}

}  // namespace

TEST_CASE("training pasted: a loss of 0 with a NaN norm from the first line on is a hidden NaN") {
    const std::string hidden = trainer_line("0.0", "nan"), good = trainer_line("1.2", "0.5");
    check_texts(
        {{"two lines of ten steps", bar_at(60, 900) + "\n" + hidden + bar_at(70, 900) + "\n" + hidden,
          "nan_loss loss_filtered since 51-60, skipped 0, nan 2"},
         {"three steps", hidden + hidden + hidden, "nan_loss loss_filtered since 1, skipped 0, nan 3"},
         {"two steps", hidden + hidden, "undecided skip_unknown since unknown, skipped 0, nan 0"},
         {"two steps, then a loss", hidden + hidden + good + good + good,
          "undecided skip_unknown since unknown, skipped 0, nan 0"},
         {"a finite norm follows", hidden + hidden + hidden + good + good,
          "undecided skip_unknown since unknown, skipped 0, nan 0"},
         {"GRPO, whose loss is 0",
          lines_of_steps(1, 40, 1, [](int step) { return trainer_line("0.0", step < 4 ? "nan" : "0.2"); }),
          "undecided skip_unknown since unknown, skipped 0, nan 0"},
         {"GRPO, whose loss is 0 in some lines", good + trainer_line("0.0", "0.3") + hidden + hidden + hidden + good,
          "undecided skip_unknown since unknown, skipped 0, nan 0"},
         {"Inf is no NaN", lines_of_steps(1, 4, 1, [](int) { return trainer_line("0.0", "inf"); }),
          "undecided skip_unknown since unknown, skipped 0, nan 0"}});
}

TEST_CASE("training pasted: a NaN norm directly before a NaN loss was applied") {
    const auto iter = [](int step, const char* loss, const char* norm) {
        return fmt::format("2026-05-04 10:11:12,345 - mm - INFO - Iter [{}/900]\tlr: 1e-04, loss: {}, grad_norm: {}\n",
                           step, loss, norm);
    };
    const std::string good = trainer_line("1.5", "0.9"), bad_norm = trainer_line("1.5", "nan"),
                      hidden = trainer_line("0.0", "nan");
    check_texts(
        {{"the Trainer", good + bad_norm + hidden + hidden, "nan_loss gradient_applied since 2, skipped 0, nan 3"},
         {"a guess", iter(100, "5.1", "4.1") + iter(150, "5.2", "nan") + iter(200, "nan", "nan"),
          "nan_loss gradient_applied since 101-150, skipped 0, nan 2"},
         {"a step between", good + bad_norm + good + hidden, "nan_loss loss_filtered since 4, skipped 0, nan 1"},
         {"Inf, which a scaler skips", good + trainer_line("1.5", "inf") + hidden,
          "nan_loss loss_filtered since 3, skipped 0, nan 1"},
         {"a line is missing",
          iter(50, "5.1", "4.1") + iter(100, "5.1", "nan") + iter(200, "nan", "nan") + iter(250, "nan", "nan"),
          "nan_loss loss_printed since 151-200, skipped 0, nan 2"},
         {"the loss is finite later",
          iter(50, "5.1", "4.1") + iter(100, "5.1", "nan") + iter(150, "nan", "nan") + iter(200, "5.0", "4.0"),
          "nan_loss loss_printed since 101-150, skipped 0, nan 1"},
         {"the update was skipped",
          bar_at(1, 9) + good + overflow_line(64, 32) + bar_at(2, 9) + bad_norm + bar_at(3, 9) + hidden + bar_at(4, 9) +
              hidden,
          "nan_loss loss_filtered since 3, skipped 1, nan 2"}});
}

TEST_CASE("training pasted: a stop by NaN without its step") {
    const char* const stop =
        "task/0 [default3]:[rank3]: RuntimeError: Rank 3, node n07, device 3, iteration -1: Unexpected result nan "
        "(message='found NaN in local grad norm for bucket #0 in backward pass before data-parallel communication "
        "collective')\n";
    check_texts({{"the step is unknown", stop, "nan_loss stop_line since unknown, skipped 0, nan 0"},
                 {"after a step", counted_line(7, 64, 0) + stop, "nan_loss stop_line since 8, skipped 0, nan 0"}});
}

TEST_CASE("training pasted: an overflow that was applied is the reason, also in few lines") {
    const std::string text = yolo_lines(100, "11.6") + yolo_lines(200, "880.5") + yolo_lines(300, "15806.3");
    check_texts({{"mindyolo", text, "undecided overflow_applied since unknown, skipped 0, nan 0"}});
    TrainingFile file;
    const Run run = runs_of_text(text, "train.log", file).front();
    CHECK(run.findings.front().because.en.rfind("3 overflows had an applied update", 0) == 0);
}

TEST_CASE("training pasted: a counter of skips covers all steps of its lines") {
    check_texts(
        {{"Megatron-LM, ten lines of ten steps",
          counted_line(10, 8388608, 10) + counted_line(20, 32768, 8) +
              lines_of_steps(30, 100, 10, [](int step) { return counted_line(step, 32768, 0); }),
          "probing recovered since 1-10, skipped 18, nan 0"},
         {"DeepSpeed, lines left out",
          overflow_line(64, 32) + overflow_line(32, 16) + total_line(10, 2) + total_line(20, 2) + overflow_line(16, 8) +
              total_line(510, 3) + total_line(520, 3) + total_line(530, 3),
          "undecided lines_missing since unknown, skipped 3, nan 0"},
         {"DeepSpeed without an overflow", lines_of_steps(10, 300, 10, [](int step) { return total_line(step, 0); }),
          "undecided no_values since unknown, skipped 0, nan 0"},
         {"too few steps", lines_of_steps(1, 19, 1, [](int step) { return counted_line(step, 64, 0); }),
          "undecided too_few_lines since unknown, skipped 0, nan 0"}});
}

TEST_CASE("training pasted: the critic of verl") {
    const auto step = [](int number, const char* loss, const char* norm) {
        return fmt::format(
            "step:{} - critic/kl:0.1 - critic/vf_loss:{} - critic/grad_norm:{} - actor/pg_loss:0.02 - "
            "actor/grad_norm:8.1 - perf/throughput:99.0\n",
            number, loss, norm);
    };
    check_texts({{"a NaN loss", step(1, "nan", "nan") + step(2, "nan", "nan"),
                  "nan_loss loss_printed since 1, skipped 0, nan 2"},
                 {"a NaN norm whose update was dropped",
                  "(WorkerDict pid=91) WARN: grad_norm is not finite: nan\n(WorkerDict pid=92) WARN: grad_norm is not "
                  "finite: nan\n" +
                      step(1, "0.1", "nan") + step(2, "0.1", "0.5"),
                  "undecided too_few_lines since unknown, skipped 1, nan 0"},
                 {"keys of other models",
                  lines_of_steps(1, 20, 1,
                                 [](int number) {
                                     return fmt::format(
                                         "step:{} - old_critic/vf_loss:nan - ref_train/loss:nan - actor/pg_loss:0.02 "
                                         "- actor/grad_norm:8.1\n",
                                         number);
                                 }),
                  "undecided unread_fault since unknown, skipped 0, nan 0"}});
}

TEST_CASE("training pasted: a line with a step, a loss and a scale is not of InternEvo without its throughput") {
    const auto line = [](int step) {
        return fmt::format("[train] step={} loss={} lr=2e-05 loss_scale=65536.0 grad_norm=0.5\n", step,
                           step == 40 ? "nan" : "2.5");
    };
    check_texts(
        {{"counted from 1", lines_of_steps(1, 60, 1, line), "nan_loss loss_printed since 40, skipped 0, nan 1"}});
}

TEST_CASE("training pasted: a stop after which training goes on decides nothing") {
    const auto line = [](int step) { return counted_line(step, 64, 0) + (step == 50 ? kMinimum : ""); };
    check_texts(
        {{"100 steps follow", lines_of_steps(1, 150, 1, line), "undecided passed_stop since unknown, skipped 0, nan 0"},
         {"5 steps follow", lines_of_steps(1, 55, 1, line), "sinking minimum_line since 51, skipped 0, nan 0"}});
}

TEST_CASE("training pasted: a sinking scale begins where it falls first") {
    const auto line = [](int step) {
        return counted_line(step, step < 101 ? 8 : 8 / (1 << std::min(step - 100, 3)), step < 101 ? 0 : 10);
    };
    check_texts({{"down to one", lines_of_steps(1, 106, 1, line), "sinking minimum since 101, skipped 6, nan 0"},
                 {"all skipped", lines_of_steps(101, 106, 1, line), "sinking minimum since 101, skipped 6, nan 0"}});
}

TEST_CASE("training pasted: a log with an unreadable loss, or a skip in unknown words, is not clean") {
    const auto with_line = [](const std::string& line) {
        std::string text;
        for (int step = 1; step <= 40; ++step) {
            text += fmt::format("step {} loss {}\n", step, 2.5 - 0.01 * step) + (step == 20 ? line + "\n" : "");
        }
        TrainingFile file;
        return std::string(to_string(runs_of_text(text, "train.log", file).front().findings.front().verdict));
    };
    for (const char* const line :
         {"the optimizer is ready", "Epoch 1 eval_loss: None", "Epoch 1/6 | val_loss: N/A", "Epoch 1 - best loss: None",
          "LR scheduler step skipped: 0", "EMA update skipped", "Learning rate scaler reduced to 0.5", "没有梯度溢出",
          "梯度溢出次数: 0", "跳过步长检查", "step 20 loss --> 0.5"}) {
        CAPTURE(line);
        CHECK(with_line(line) == "clean");
    }
    for (const char* const line : {"step 20 loss: None", "step 20 loss=N/A", "step 20 loss ****",
                                   "step 20 loss=", "loss scale reduced to 32768.0",
                                   "found_inf=True -> optimizer.step() skipped", "检测到梯度溢出，跳过本次更新"}) {
        CAPTURE(line);
        CHECK(with_line(line) == "undecided");
    }
    const char* const text = "step 1 loss 2.5\nstep 2 loss 2.4\nstep 3 loss nan.0\nstep 4 loss nan.0\n";
    CHECK(short_answer(text).starts_with("nan_loss"));
}

TEST_CASE("training pasted: NaN of another value than the main loss takes clean away and decides nothing") {
    const auto log_with = [](const char* tail) {
        return lines_of_steps(1, 40, 1, [tail](int step) {
            return fmt::format("step: {} loss: {}{}\n", step, 2.5 - 0.01 * step, step == 20 ? tail : "");
        });
    };
    for (const char* const tail :
         {" best loss: inf", " min_loss: inf", " val_loss: nan", " tokens/s: inf", " psnr: inf", " rew: nan",
          " file: /data/nan/x.bin", " number of nan iterations: 0", " eta: nan", " mfu: nan%"}) {
        CAPTURE(tail);
        CHECK(short_answer(log_with(tail)).starts_with("clean"));
    }
    for (const char* const tail :
         {" (nan)", " kl nan", " params norm: inf", " aux_loss: nan", " lossy: [1.5 nan 2.5]", " accum_loss: nan",
          " detect_loss: nan", " max_loss: nan", " last_grad: nan", " max grad: nan", " attn_logits_max=inf"}) {
        CAPTURE(tail);
        CHECK(short_answer(log_with(tail)).starts_with("undecided unread_fault"));
    }
}

TEST_CASE("training pasted: a line with the step of the training line and other words is no step") {
    const auto log_of = [](const char* evaluation, bool is_before) {
        return lines_of_steps(0, 40, 1, [&](int step) {
            const std::string other = step % 10 == 0 ? fmt::format(fmt::runtime(evaluation), step) : "";
            const std::string training = fmt::format("iter {}: loss {}, time 30.1ms\n", step, 4.5 - 0.01 * step);
            return is_before ? other + training : training + other;
        });
    };
    check_texts({{"nanoGPT", log_of("step {}: train loss 4.2, val loss 4.3\n", true),
                  "clean all_finite since unknown, skipped 0, nan 0"},
                 {"other words", log_of("validating iter {}, loss = 4.1\n", false),
                  "clean all_finite since unknown, skipped 0, nan 0"},
                 {"its NaN gradient is a doubt", log_of("validating iter {}, loss = 4.1 grad_norm: nan\n", false),
                  "undecided unread_fault since unknown, skipped 0, nan 0"},
                 {"two processes with words of their own",
                  lines_of_steps(1, 40, 1,
                                 [](int step) {
                                     return fmt::format("alpha: step {} loss: 2.5\nbeta: step {} loss: {}\n", step,
                                                        step, step == 20 ? "nan" : "2.4");
                                 }),
                  "nan_loss loss_printed since 20, skipped 0, nan 1"},
                 {"its NaN is a doubt", log_of("validating iter {}, loss = nan\n", false),
                  "undecided unread_fault since unknown, skipped 0, nan 0"},
                 {"rows of JSON",
                  lines_of_steps(1, 40, 1,
                                 [](int step) {
                                     return fmt::format("{{\"mode\": \"train\", \"iter\": {}, \"loss\": 2.5}}\n",
                                                        step) +
                                            (step == 20 ? "{\"mode\": \"val\", \"iter\": 20, \"loss\": NaN}\n" : "");
                                 }),
                  "clean all_finite since unknown, skipped 0, nan 0"}});
}

TEST_CASE("training pasted: a scale that only falls has not recovered") {
    check_texts({{"four halvings, then 25 clean steps",
                  lines_of_steps(1, 225, 1,
                                 [](int step) {
                                     const int falls = std::min(step / 40, 5);
                                     return counted_line(step, 65536 >> falls, step % 40 == 0 && step <= 200 ? 1 : 0);
                                 }),
                  "sinking no_growth since 40, skipped 5, nan 0"},
                 {"skips at the smallest scale",
                  lines_of_steps(1, 30, 1, [](int step) { return bar_at(step - 1, 90) + overflow_line(1, 1); }),
                  "sinking minimum since unknown, skipped 30, nan 0"},
                 {"one skip at the smallest scale is little evidence",
                  lines_of_steps(1, 30, 1,
                                 [](int step) {
                                     return bar_at(step, 90) + (step == 20 ? overflow_line(1, 1) : "\n") +
                                            trainer_line("2.1", "0.5");
                                 }),
                  "undecided scale_unknown since unknown, skipped 1, nan 0"}});
}
