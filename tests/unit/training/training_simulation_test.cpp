// Training runs with a planted fault: the verdict is the planted one or "undecided". OPDEBUG_TRAINING_SEEDS sets the
// number of seeds (default: 200).
#include <doctest/doctest.h>

#include <cmath>
#include <cstdlib>
#include <map>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "training/training.hpp"

using namespace opdebug::training;

namespace {

enum class Fault { none, nan, sinking, static_scale };
enum class Log { megatron, trainer, deepspeed, mindformers, deepspeed_mixed, guessed };

struct SimulatedStep {
    int number = 0;
    bool overflow = false, has_nan = false;
    double scale_before = 0, scale = 0;
};

/// A mixed linear congruential generator is enough here.
class Dice {
public:
    explicit Dice(std::uint64_t seed) : state_(seed * 0x9E3779B97F4A7C15U + 1) {}
    std::uint64_t below(std::uint64_t count) {
        state_ = state_ * 6364136223846793005U + 1442695040888963407U;
        return (state_ >> 33U) % count;
    }
    bool one_in(std::uint64_t count) { return below(count) == 0; }

private:
    std::uint64_t state_;
};

struct Simulation {
    Fault fault = Fault::none;
    Log log = Log::megatron;
    bool is_dynamic = true;
    int fault_step = 0;
    int interval = 1;               ///< steps between two lines
    bool is_optimizer_log = false;  ///< skips in the words of the optimizer, not of the scaler, or after a bar
    bool has_totals = false;        ///< lines with the total of skipped steps and a rank, between others without
    bool has_evaluation = false;    ///< with a loss of its own
    bool has_two_losses = false;
    std::vector<SimulatedStep> steps;
};

/// Loss scale dynamics: halved at an overflow, doubled after a clean window. A step overflows above a limit of the
/// scale, which spikes sometimes lower.
Simulation simulate(Dice& dice) {
    Simulation run;
    run.fault = static_cast<Fault>(dice.below(4));
    run.log = static_cast<Log>(dice.below(6));
    run.is_dynamic = run.fault == Fault::sinking || (run.fault != Fault::static_scale && dice.one_in(2));
    run.is_dynamic =
        run.is_dynamic || run.log == Log::trainer || run.log == Log::deepspeed || run.log == Log::deepspeed_mixed;
    run.interval = run.log == Log::deepspeed_mixed && dice.one_in(3) ? 10 : 1;
    run.is_optimizer_log = dice.one_in(2);
    run.has_totals = dice.one_in(2);
    run.has_evaluation = dice.one_in(2);
    run.has_two_losses = dice.one_in(2);
    if (run.fault == Fault::static_scale && run.is_dynamic) {
        run.log = dice.one_in(2) ? Log::megatron : Log::mindformers;
        run.is_dynamic = false;
    }
    const int last = 120 + static_cast<int>(dice.below(600));
    run.fault_step = 40 + static_cast<int>(dice.below(static_cast<std::uint64_t>(last - 45)));
    const auto window = static_cast<int>(100 + dice.below(1000));
    const double limit = std::pow(2, 10 + static_cast<double>(dice.below(8)));
    const bool is_deepspeed = run.log == Log::deepspeed || run.log == Log::deepspeed_mixed;
    double scale = run.is_dynamic ? 65536 : 1024;
    int clean = 0;
    for (int number = 1; number <= last; ++number) {
        SimulatedStep step{number, false, false, scale, scale};
        const bool is_faulty = run.fault != Fault::none && number >= run.fault_step;
        step.has_nan = is_faulty && run.fault == Fault::nan;
        const double spiked = dice.one_in(150) ? limit / 2 : limit;
        step.overflow = run.is_dynamic ? step.has_nan || (is_faulty && run.fault == Fault::sinking) || scale > spiked
                                       : is_faulty && run.fault == Fault::static_scale && dice.one_in(4);
        if (run.is_dynamic && step.overflow) {
            scale = is_deepspeed ? std::max(scale / 2, 1.0) : scale / 2;
            clean = 0;
        } else if (run.is_dynamic && ++clean >= window) {
            scale *= 2;
            clean = 0;
        }
        step.scale = scale;
        run.steps.push_back(step);
    }
    return run;
}

constexpr const char* kDeepSpeed = "[2026-05-04 10:11:12,345] [INFO] [{}] ";

/// DeepSpeed prints the rank in some lines of a step, and a skip in three lines of its optimizer.
std::vector<std::string> mixed_lines_of(const SimulatedStep& step, const Simulation& run, int skipped) {
    std::vector<std::string> lines;
    const auto add = [&lines](const char* place, const std::string& text) {
        lines.push_back(fmt::format(fmt::runtime(kDeepSpeed), place) + text);
    };
    if (step.overflow && run.is_optimizer_log) {
        add("fused_optimizer.py:405:_update_scale", fmt::format("Grad overflow on iteration {}", step.number - 1));
        add("fused_optimizer.py:407:_update_scale",
            fmt::format("Reducing dynamic loss scale from {} to {:.1f}", step.scale_before, step.scale));
        add("fused_optimizer.py:171:step",
            fmt::format("[deepspeed] fp16 dynamic loss scale overflow! Skipping step. Attempted loss scale: {}, "
                        "reducing to {:.1f}",
                        step.scale_before, step.scale));
    } else if (step.overflow) {
        add("loss_scaler.py:280:update_scale",
            fmt::format("[deepspeed] OVERFLOW! Rank 0 Skipping step. Attempted loss scale: {}, reducing to {}",
                        step.scale_before, step.scale));
    } else if (step.scale > step.scale_before && run.is_optimizer_log) {
        add("fused_optimizer.py:413:_update_scale", "No Grad overflow for 1000 iterations");
        add("fused_optimizer.py:414:_update_scale",
            fmt::format("Increasing dynamic loss scale from {:.1f} to {:.1f}", step.scale_before, step.scale));
    }
    if (step.number % run.interval == 0) {
        if (run.has_totals) {
            add("logging.py:96:log_dist",
                fmt::format("[Rank 0] step={}, skipped={}, lr=[5e-05], mom=[(0.9, 0.95)]", step.number, skipped));
        }
        lines.push_back(fmt::format("steps: {} loss: {} iter time (s): 1.204 samples/sec: 13.2", step.number,
                                    step.has_nan ? "nan" : "2.3125"));
    }
    return lines;
}

/// A line of the user's own loop.
std::string own_line_of(const SimulatedStep& step, const Simulation& run) {
    const char* const loss = step.has_nan ? "nan" : "2.3125";
    if (!run.has_two_losses) {
        return fmt::format("train step {} of 9000, loss={}, lr 1e-4", step.number, loss);
    }
    return run.is_optimizer_log
               ? fmt::format("step {} load_balancing_loss: 0.01, aux loss: 0.02, lm loss: {}", step.number, loss)
               : fmt::format("step {} loss: {}, val_loss: nan", step.number, loss);
}

/// Evaluation after a step. Its loss may be NaN in a sound training, for example without samples.
std::vector<std::string> evaluation_of(const SimulatedStep& step, const Simulation& run) {
    switch (run.log) {
        case Log::megatron:
            return {
                "------------------------------------------------",
                fmt::format(" validation loss at iteration {} | lm loss value: nan | lm loss PPL: nan | ", step.number),
                "------------------------------------------------"};
        case Log::trainer:
            return {"100%|##########| 32/32 [00:03<00:00,  9.10it/s]",
                    "{'eval_loss': nan, 'eval_runtime': 12.3, 'eval_samples_per_second': 81.0, 'epoch': 0.41}"};
        case Log::guessed:
            return {"Evaluating: step 3/10 loss: nan", fmt::format("[val] step {} loss: nan", step.number),
                    fmt::format("validation at step {}, loss: nan", step.number),
                    fmt::format("step {} eval loss: nan", step.number)};
        default: return {"***** Running Evaluation *****", "eval step 5, loss: nan", "eval_loss: nan"};
    }
}

/// The lines of a step, without line ends.
std::vector<std::string> lines_of(const SimulatedStep& step, const Simulation& run, int skipped_before) {
    const bool skipped = step.overflow;
    const std::string norm = step.has_nan ? "nan" : step.overflow ? "inf" : "1.250";
    std::vector<std::string> lines;
    switch (run.log) {
        case Log::megatron:
            lines.push_back(fmt::format(
                " [2026-05-04 10:11:12.345678] iteration {:8}/  200000 | consumed samples: {:12} | elapsed time per "
                "iteration (ms): 51.4 | learning rate: 2.4E-05 | global batch size: 256 |{} loss scale: {:.1f} |{} "
                "number "
                "of skipped iterations: {:3} | number of nan iterations: {:3} |",
                step.number, step.number * 256, skipped || step.has_nan ? "" : " lm loss: 6.012345E+00 |", step.scale,
                skipped ? "" : fmt::format(" grad norm: {} |", norm), skipped ? 1 : 0,
                skipped && step.has_nan ? 1 : 0));
            break;
        case Log::trainer:
            if (run.is_optimizer_log) {  // of DeepSpeed, after the bar of the steps before
                const std::string overflow = fmt::format(
                    "[2026-05-04 10:11:12,345] [INFO] [loss_scaler.py:181:update_scale] [deepspeed] OVERFLOW! Rank 0 "
                    "Skipping step. Attempted loss scale: {}, reducing to {}",
                    step.scale_before, step.scale);
                lines.push_back(fmt::format(" 31%|###       | {}/1000 [05:10<11:30,  1.00s/it]{}", step.number - 1,
                                            skipped ? overflow : ""));
            } else if (skipped) {
                lines.push_back("Gradient overflow. Skipping step");
                lines.push_back(fmt::format("Loss scaler reducing loss scale to {}{}", step.scale,
                                            step.scale == std::floor(step.scale) ? ".0" : ""));
            } else if (step.scale > step.scale_before) {
                lines.push_back(fmt::format("Loss scaler increasing loss scale to {}.0", step.scale));
            }
            lines.push_back(
                fmt::format(" 31%|###       | {}/1000 [05:10<11:30,  1.00s/it]{{'loss': {}, 'grad_norm': {}, "
                            "'learning_rate': 3.1e-05, 'epoch': 0.41}}",
                            step.number, step.has_nan ? "0.0" : "1.2034", norm));
            break;
        case Log::deepspeed:
            if (skipped) {
                lines.push_back(fmt::format(
                    "[2026-05-04 10:11:12,345] [INFO] [loss_scaler.py:280:update_scale] [deepspeed] OVERFLOW! Rank 0 "
                    "Skipping step. Attempted loss scale: {}, reducing to {}",
                    step.scale_before, step.scale));
            }
            lines.push_back(fmt::format("steps: {} loss: {} iter time (s): 1.204 samples/sec: 13.2", step.number,
                                        step.has_nan ? "nan" : "2.3125"));
            break;
        case Log::mindformers:
            lines.push_back(
                fmt::format("2026-05-04 10:11:12,345 - mindformers[callback.py:489] - INFO - {{ Epoch:[  1/  1], "
                            "step:[{:5}/ 5000], loss: {}, "
                            "per_step_time: 700ms, lr: 1e-05, overflow cond: {}, loss_scale: {:.3f}, global_norm: "
                            "[{}], train_throughput_per_npu: 1.0T",
                            step.number, step.has_nan ? "nan" : "8.431", skipped ? "True" : "False", step.scale, norm));
            break;
        case Log::deepspeed_mixed: return mixed_lines_of(step, run, skipped_before + (skipped ? 1 : 0));
        case Log::guessed: lines.push_back(own_line_of(step, run)); break;
    }
    return lines;
}

/// The log, with what collectors, terminals and crashes do to it.
std::string log_of(const Simulation& run, Dice& dice, bool& is_damaged, int& last) {
    const std::uint64_t ranks = dice.one_in(3) && run.log == Log::trainer ? 2 : 1;
    const std::string end = dice.one_in(4) ? "\r\n" : "\n";
    const bool is_coloured = dice.one_in(5);
    const std::uint64_t damage = dice.one_in(2) ? 0 : 20 + dice.below(200);
    const std::size_t steps = dice.one_in(3) ? 25 + dice.below(run.steps.size() - 25) : run.steps.size();
    std::string text = "loading checkpoint\n";
    int skipped = 0;
    for (std::size_t i = 0; i < steps; ++i) {
        last = run.steps[i].number;
        std::vector<std::string> lines = lines_of(run.steps[i], run, skipped);
        skipped += run.steps[i].overflow ? 1 : 0;
        if (run.has_evaluation && last % 50 == 0) {
            const std::vector<std::string> evaluation = evaluation_of(run.steps[i], run);
            lines.insert(lines.end(), evaluation.begin(), evaluation.end());
        }
        for (const std::string& line : lines) {
            const bool is_event = line.rfind("Loss", 0) == 0 || line.rfind("Gradient", 0) == 0 ||
                                  (line.rfind(" 31%", 0) == 0 && line.find("OVERFLOW") != std::string::npos);
            for (std::uint64_t rank = 0; rank < (is_event ? ranks : 1); ++rank) {
                std::string whole = (ranks > 1 && is_event ? fmt::format("[rank{}]:", rank) : "") + line;
                whole = is_coloured ? "\x1b[36m" + whole + "\x1b[0m" : whole;
                if (damage != 0 && dice.one_in(damage) && !is_event) {
                    is_damaged = true;
                    whole.resize(dice.below(whole.size()));  // cut
                    text += whole + (dice.one_in(3) ? "" : end);
                } else {
                    text += whole + end;
                }
            }
        }
    }
    return text;
}

/// The verdicts that are right for what the log shows.
bool is_right(const Simulation& run, int last, Verdict verdict) {
    const bool is_visible = run.fault != Fault::none && last >= run.fault_step;
    bool has_skips = false;
    for (const SimulatedStep& step : run.steps) {
        has_skips = has_skips || (step.number <= last && step.overflow);
    }
    if (run.log == Log::guessed) {  // shows no skips and no scale
        return verdict == (is_visible && run.fault == Fault::nan ? Verdict::nan_loss : Verdict::clean);
    }
    switch (is_visible ? run.fault : Fault::none) {
        case Fault::nan:  // the Trainer prints 0 for NaN, which in a skipped step may be the loss
            return verdict == Verdict::nan_loss || (verdict == Verdict::sinking && run.log == Log::trainer);
        case Fault::sinking: return verdict == Verdict::sinking;
        case Fault::static_scale: return verdict == (has_skips ? Verdict::static_scale_hit : Verdict::clean);
        case Fault::none: break;
    }
    return verdict == (has_skips ? Verdict::probing : Verdict::clean);
}

}  // namespace

namespace {

std::uint64_t number_of_seeds() {
    const char* const given = std::getenv("OPDEBUG_TRAINING_SEEDS");
    return given != nullptr ? std::strtoull(given, nullptr, 10) : 200;
}

/// A simulated log and its ingredients.
struct SimulatedLog {
    Simulation run;
    bool is_damaged = false;
    int last = 0;
    TrainingLogs logs;
};

SimulatedLog simulated_log(Dice& dice, bool without_fault) {
    SimulatedLog log;
    do {
        log.run = simulate(dice);
    } while (without_fault && log.run.fault != Fault::none);
    TrainingFile file;
    log.logs.runs = runs_of_text(log_of(log.run, dice, log.is_damaged, log.last), "train.log", file);
    return log;
}

}  // namespace

TEST_CASE("training simulation: the planted verdict or undecided") {
    const std::uint64_t seeds = number_of_seeds();
    std::uint64_t right = 0, undecided = 0;
    for (std::uint64_t seed = 1; seed <= seeds; ++seed) {
        CAPTURE(seed);
        Dice dice(seed);
        const Simulation run = simulate(dice);
        bool is_damaged = false;
        int last = 0;
        const std::string text = log_of(run, dice, is_damaged, last);
        TrainingFile file;
        const std::vector<Run> runs = runs_of_text(text, "train.log", file);
        REQUIRE(!runs.empty());
        for (const Run& one : runs) {
            const Finding& finding = one.findings.front();
            const std::string verdict(to_string(finding.verdict));
            CAPTURE(verdict);
            CAPTURE(finding.rule);
            CAPTURE(static_cast<int>(run.fault));
            CAPTURE(static_cast<int>(run.log));
            CAPTURE(run.fault_step);
            CAPTURE(last);
            CAPTURE(finding.because.en);
            undecided += finding.verdict == Verdict::undecided ? 1U : 0U;
            if (finding.verdict == Verdict::undecided) {
                continue;
            }
            ++right;
            CHECK(is_right(run, last, finding.verdict));
            if (!is_damaged && (finding.verdict == Verdict::nan_loss || finding.verdict == Verdict::sinking)) {
                const std::uint64_t step = finding.step.value_or(0);
                CHECK(step + 1 - finding.steps <= static_cast<std::uint64_t>(run.fault_step));
                CHECK((finding.verdict == Verdict::sinking || step >= static_cast<std::uint64_t>(run.fault_step)));
            }
        }
    }
    MESSAGE(seeds, " seeds: ", right, " decided, ", undecided, " undecided");
    CHECK(right * 10 >= (right + undecided) * 6);
}

TEST_CASE("training simulation: against a benchmark the planted NaN is found, or nothing is claimed") {
    std::uint64_t found = 0, due = 0;
    for (std::uint64_t seed = 1; seed <= number_of_seeds(); ++seed) {
        CAPTURE(seed);
        Dice dice(seed * 31 + 7);
        const SimulatedLog here = simulated_log(dice, false), there = simulated_log(dice, true);
        const BenchComparison result =
            compare(whole_run(here.logs, *deciding_run(here.logs)), whole_run(there.logs, *deciding_run(there.logs)));
        const std::string rule(to_string(result.rule));
        CAPTURE(rule);
        CAPTURE(static_cast<int>(here.run.fault));
        CAPTURE(static_cast<int>(here.run.log));
        CAPTURE(here.run.fault_step);
        CAPTURE(here.last);
        CAPTURE(there.last);
        const bool has_nan = here.run.fault == Fault::nan && here.last >= here.run.fault_step;
        if (result.rule == BenchRule::here_only && !result.counts_skips) {
            CHECK(has_nan);
            CHECK(result.problem_step.value_or(0) >= static_cast<std::uint64_t>(here.run.fault_step));
            CHECK((here.is_damaged || result.problem_step.value_or(0) + 1 - result.problem_steps <=
                                          static_cast<std::uint64_t>(here.run.fault_step)));
            ++found;
        }
        // The Trainer prints 0 for NaN, which in a skipped step may be the loss.
        const bool is_shown = has_nan && here.run.log != Log::trainer && !here.is_damaged;
        due += is_shown && there.last > here.last && !there.is_damaged ? 1U : 0U;
        if (is_shown) {
            CHECK(result.rule != BenchRule::neither);
            CHECK(result.rule != BenchRule::alike);
            CHECK(result.rule != BenchRule::there_only);
        }
    }
    MESSAGE(found, " found, ", due, " due");
    CHECK(found * 2 >= due);
}
