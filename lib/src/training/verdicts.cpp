// Series → findings. The first that fits decides; what the log does not show gives "undecided", never a guess.
#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "embedded/training_data.hpp"
#include "json/document.hpp"
#include "remarks/diagnose.hpp"
#include "training/training.hpp"

namespace opdebug::training {
namespace {

using remarks::phrase;

const nlohmann::json& rules_document() {
    static const auto document = json_stage::parse_data(embedded::training_files().back().text);
    return document;
}

/// The initial phase: from the first line to the first step that is not skipped. A dynamic scale is looked for there,
/// also after a restart or in fine-tuning that does not load the scale. Where the log does not state skips, it ends
/// before the first line without a fall; the first line has no scale before it.
void find_start(Run& run) {
    const std::vector<Step>& steps = run.series.steps;
    const auto may_all_be_skipped = [](const Step& step) {
        return step.skipped ? *step.skipped == step.steps : step.skipped_least != 0;
    };
    const bool is_first_unknown = steps.size() > 1 && !steps[0].skipped && !steps[0].last_skipped;
    std::size_t end = is_first_unknown && may_all_be_skipped(steps[1]) ? 1 : 0;
    while (end < steps.size() && may_all_be_skipped(steps[end])) {
        ++end;
    }
    const bool is_mixed = end < steps.size() && steps[end].skipped.value_or(0) != 0;
    run.start_end = is_mixed ? end + 1 : end;
}

void count(Run& run) {
    Counts& counts = run.counts;
    counts.lines = run.series.steps.size();
    for (std::size_t i = 0; i < run.series.steps.size(); ++i) {
        const Step& step = run.series.steps[i];
        counts.steps += step.steps;
        counts.skips_known = counts.skips_known || step.skipped.has_value();
        const std::uint64_t skipped = step.skipped.value_or(step.skipped_least);
        counts.skipped += skipped;
        counts.skipped_at_start += i < run.start_end ? skipped : 0;
        counts.is_least = counts.is_least || step.skips_uncertain;
        counts.nan += step.has_nan() ? 1U : 0U;
        counts.hidden += step.loss_hidden ? 1U : 0U;
        counts.falls += step.falls;
        counts.growths += step.growths;
    }
    counts.applied = counts.steps - counts.skipped;
}

/// A loss that is absent to the end, without a finite gradient norm, is NaN: a negative loss has one.
void infer_nan(std::vector<Step>& steps) {
    const auto is_shown = [](const Step& step) {
        return step.loss || (step.grad_norm && std::isfinite(*step.grad_norm));
    };
    const auto end_of_shown = std::find_if(steps.rbegin(), steps.rend(), is_shown).base();
    auto step = std::find_if(end_of_shown, steps.end(), [](const Step& one) { return one.loss_hidden; });
    if (static_cast<std::uint64_t>(steps.end() - step) >= rule("hidden_lines")) {
        for (; step != steps.end(); ++step) {
            step->nan_inferred = step->nan_inferred || step->loss_hidden;
        }
    }
}

/// A gradient that is NaN was applied if from the next step on the loss is NaN.
void infer_applied(std::vector<Step>& steps) {
    const auto is_finite = [](const Step& step) { return !step.nan_inferred && !std::isnan(step.loss.value_or(0)); };
    const auto next = std::find_if(steps.rbegin(), steps.rend(), is_finite).base();
    if (next == steps.begin() || next == steps.end()) {
        return;
    }
    Step& before = *(next - 1);
    const bool is_next = before.step && next->step && *before.step + next->steps == *next->step;
    const bool may_be_skipped = before.skipped.value_or(before.skipped_least) != 0 || before.last_skipped == true;
    before.nan_followed = is_next && !may_be_skipped && before.grad_norm && std::isnan(*before.grad_norm);
}

bool scale_is_constant(const Run& run) {
    const std::optional<double> scale = run.series.steps.empty() ? std::nullopt : run.series.steps.front().scale;
    const auto differs = [&scale](const Step& step) { return step.scale != scale; };
    return scale && run.counts.falls + run.counts.growths == 0 &&
           std::none_of(run.series.steps.begin(), run.series.steps.end(), differs);
}

/// Whether training went on after the line of a stop: then it does not show how the run ended.
bool goes_on_after(const Mark& mark, const Run& run) {
    const std::uint64_t stopped = mark.step ? *mark.step : mark.after.value_or(0);
    std::uint64_t clean = 0;
    for (const Step& step : run.series.steps) {
        const bool is_clean =
            std::isfinite(step.loss.value_or(NAN)) && !step.has_nan() && step.skipped.value_or(step.skipped_least) == 0;
        clean += is_clean && step.step.value_or(0) > stopped ? step.steps : 0;
    }
    return clean >= rule("clean_steps_after_fall");
}

/// The first line that states this fault, and training did not go on.
std::optional<Finding> marked(const Run& run, Mark::Kind kind, Verdict verdict, std::string_view rule,
                              std::string_view text) {
    for (const Mark& mark : run.series.marks) {
        const bool is_stop = kind == Mark::Kind::nan_stop || kind == Mark::Kind::at_minimum;
        if (mark.kind == kind && !(is_stop && goes_on_after(mark, run))) {
            Finding finding = finding_at(verdict, rule, phrase(text, {{"line", mark.line}}));
            if (mark.step || mark.after) {
                finding.step = mark.step ? *mark.step : *mark.after + run.series.interval;
                finding.steps = mark.step ? 1 : run.series.interval;
            }
            finding.line = mark.line;
            return finding;
        }
    }
    return std::nullopt;
}

std::optional<Finding> passed_stop(const Run& run) {
    for (const Mark& mark : run.series.marks) {
        if (mark.kind == Mark::Kind::nan_stop || mark.kind == Mark::Kind::at_minimum) {
            return finding_at(Verdict::undecided, "passed_stop", phrase("training_passed_stop", {{"line", mark.line}}));
        }
    }
    return std::nullopt;
}

/// The scale began to sink before the line that states its minimum.
std::optional<Finding> at_minimum(const Run& run) {
    auto finding = marked(run, Mark::Kind::at_minimum, Verdict::sinking, "minimum_line", "training_minimum_line");
    const bool has_steps = finding && !run.series.steps.empty();
    if (const Step* const begin = has_steps ? begin_of_sinking(run, run.series.steps.size() - 1) : nullptr) {
        finding = finding_at(Verdict::sinking, finding->rule, finding->because, begin);
    }
    return finding;
}

std::optional<Finding> nan_in(const Run& run) {
    for (std::size_t i = 0; i < run.series.steps.size(); ++i) {
        const Step& step = run.series.steps[i];
        if (step.nan_steps != 0 || (is_bad(step.loss) && step.skipped == step.steps)) {
            return finding_at(Verdict::nan_loss, "nan_in_skipped_step",
                              phrase("training_nan_skipped", {{"line", step.line}}), &step);
        }
        if (is_bad(step.loss)) {
            return finding_at(Verdict::nan_loss, "loss_printed",
                              phrase("training_nan_printed", {{"value", show_number(step.loss)}, {"line", step.line}}),
                              &step);
        }
        if (step.nan_inferred && !step.loss_hidden) {
            return finding_at(Verdict::nan_loss, "loss_filtered",
                              phrase("training_nan_filtered", {{"line", step.line}}), &step);
        }
        if (step.is_applied() && run.series.skips_are_sure() && is_bad(step.grad_norm)) {
            return finding_at(Verdict::nan_loss, "gradient_applied",
                              phrase(step.nan_followed ? "training_nan_followed" : "training_nan_gradient",
                                     {{"value", show_number(step.grad_norm)}, {"line", step.line}}),
                              &step);
        }
        if (step.nan_inferred) {
            return finding_at(
                Verdict::nan_loss, "loss_hidden",
                phrase("training_nan_hidden", {{"line", step.line}, {"count", run.series.steps.size() - i}}), &step);
        }
    }
    return std::nullopt;
}

std::optional<Finding> static_scale_in(const Run& run) {
    // At the smallest scale a dynamic scale stays the same, too.
    const bool may_be_minimum =
        !run.series.steps.empty() && !run.series.begins_at_start &&
        run.series.steps.front().scale.value_or(0) <= static_cast<double>(rule("smallest_scale"));
    if (!run.series.guessed && scale_is_constant(run) && !may_be_minimum &&
        run.counts.skipped >= rule("static_skips")) {
        return finding_at(Verdict::static_scale_hit, "constant_scale",
                          phrase("training_static_constant", {{"count", run.counts.skipped},
                                                              {"scale", show_scale(*run.series.steps.front().scale)}}),
                          first_skip(run));
    }
    return std::nullopt;
}

}  // namespace

Finding finding_at(Verdict verdict, std::string_view rule, LocalizedText because, const Step* step) {
    Finding finding{verdict, std::string(rule), std::move(because), {}, 1, 0};
    if (step != nullptr) {
        finding.step = step->step;
        finding.steps = step->steps;
        finding.line = step->line;
    }
    return finding;
}

const Step* first_skip(const Run& run) {
    const auto step = std::find_if(run.series.steps.begin(), run.series.steps.end(),
                                   [](const Step& one) { return one.skipped.value_or(one.skipped_least) != 0; });
    return step == run.series.steps.end() ? nullptr : &*step;
}

std::string show_number(const std::optional<double>& value) {
    return value ? fmt::format("{}", *value) : "-";
}

std::string_view to_string(Verdict verdict) noexcept {
    constexpr std::string_view kNames[] = {"nan_loss", "sinking", "static_scale_hit", "undecided", "probing", "clean"};
    return kNames[static_cast<std::size_t>(verdict)];
}

Run judge(Series series) {
    Run run;
    run.series = std::move(series);
    infer_nan(run.series.steps);
    infer_applied(run.series.steps);
    find_start(run);
    count(run);
    using Kind = Mark::Kind;
    const std::optional<Finding> found[] = {
        nan_in(run),
        marked(run, Kind::nan_stop, Verdict::nan_loss, "stop_line", "training_stop_line"),
        at_minimum(run),
        sinking_in(run),
        marked(run, Kind::static_scale, Verdict::static_scale_hit, "static_line", "training_static_line"),
        static_scale_in(run)};
    for (const std::optional<Finding>& finding : found) {
        if (finding) {
            run.findings.push_back(*finding);
        }
    }
    if (run.findings.empty()) {
        const auto stopped = marked(run, Kind::stop, Verdict::undecided, "non_finite_stop", "training_non_finite_stop");
        const auto passed = passed_stop(run);
        run.findings.push_back(stopped ? *stopped : passed ? *passed : sound_or_undecided(run));
    }
    return run;
}

std::uint64_t rule(std::string_view name) {
    return rules_document().at("rules").at(name).get<std::uint64_t>();
}

const std::vector<std::uint64_t>& even_bound() {
    static const std::vector<std::uint64_t> bound = rules_document().at("even_bound");
    return bound;
}

std::string show_scale(double scale) {
    constexpr double kExact = 9007199254740992.0;
    return scale == std::floor(scale) && scale < kExact ? fmt::format("{:.0f}", scale) : fmt::format("{}", scale);
}

}  // namespace opdebug::training
