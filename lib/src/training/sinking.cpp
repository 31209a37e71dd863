// A loss scale that falls and does not recover.
#include <cstddef>
#include <cstdint>
#include <vector>

#include "remarks/diagnose.hpp"
#include "training/rules.hpp"

namespace opdebug::training {
namespace {

using remarks::phrase;

/// Whether the run ends with a clean stretch: then the scale has recovered, or is stable.
bool ends_clean(const Run& run) {
    std::uint64_t clean = 0;
    for (const Step& step : run.series.steps) {
        clean = step.falls + step.skipped.value_or(0) == 0 && !step.skips_uncertain ? clean + step.steps : 0;
    }
    return clean >= rule("window_steps");
}

/// The first fall after the last growth before this step: there the scale began to sink.
const Step* last_climb_end(const Run& run, std::ptrdiff_t end) {
    const Step* first = nullptr;
    for (std::ptrdiff_t i = 0; i <= end; ++i) {
        const Step& step = run.series.steps[static_cast<std::size_t>(i)];
        const bool is_start = static_cast<std::size_t>(i) < run.start_end;
        first = step.growths != 0 || is_start ? nullptr : first == nullptr && step.falls != 0 ? &step : first;
    }
    return first;
}

/// A scale that fell below the minimum, or is there and a later step is skipped.
std::optional<Finding> at_smallest_scale(const Run& run) {
    const auto smallest = static_cast<double>(rule("smallest_scale"));
    std::uint64_t falls = 0;
    bool was_at_smallest = false;
    for (const Step& step : run.series.steps) {
        falls += step.falls;
        const bool is_skipped_there = was_at_smallest && step.skipped.value_or(0) != 0;
        if (falls != 0 && step.scale && (*step.scale < smallest || is_skipped_there)) {
            return finding_at(Verdict::sinking, *step.scale < smallest ? "below_one" : "minimum",
                              phrase(*step.scale < smallest ? "training_below_one" : "training_minimum",
                                     {{"scale", show_scale(*step.scale)}, {"line", step.line}}),
                              last_climb_end(run, &step - run.series.steps.data()));
        }
        was_at_smallest = falls != 0 && step.scale && *step.scale <= smallest;
    }
    return std::nullopt;
}

std::optional<Finding> long_start(const Run& run) {
    bool has_fallen = false;
    for (std::size_t i = 0; i < run.start_end; ++i) {
        const bool is_low =
            i != 0 && run.series.steps[i - 1].scale.value_or(1e9) < static_cast<double>(rule("start_scale"));
        has_fallen = has_fallen || run.series.steps[i].falls != 0;
        if (has_fallen && is_low && run.series.steps[i].skipped == run.series.steps[i].steps) {
            return finding_at(Verdict::sinking, "low_start",
                              phrase("training_low_start", {{"scale", show_scale(*run.series.steps[i - 1].scale)},
                                                            {"line", run.series.steps[i].line}}),
                              &run.series.steps.front());
        }
    }
    if (has_fallen && run.counts.skipped_at_start > rule("start_skips")) {
        return finding_at(Verdict::sinking, "long_start",
                          phrase("training_long_start", {{"count", run.counts.skipped_at_start}}),
                          &run.series.steps.front());
    }
    return std::nullopt;
}

struct Fall {
    const Step* step = nullptr;
    std::uint64_t halvings_before = 0;  ///< since the last growth
    std::uint64_t position = 0;         ///< in attempted steps
};

/// Falls of the scale one after the other, without a growth between them.
std::optional<Finding> falling(const Run& run) {
    std::vector<Fall> falls;  // since the last growth
    std::uint64_t halvings = 0, clean = 0, position = 0;
    for (std::size_t i = run.start_end; i < run.series.steps.size(); ++i) {
        const Step& step = run.series.steps[i];
        if (!step.step) {
            return std::nullopt;  // how far the falls are apart is unknown
        }
        position += step.steps;
        clean = step.falls + step.skipped.value_or(0) == 0 && !step.skips_uncertain ? clean + step.steps : 0;
        if (step.growths != 0) {
            falls.clear();
            halvings = 0;
        }
        if (step.falls != 0) {
            falls.push_back({&step, halvings, position});
            halvings += step.falls;
        }
    }
    if (falls.empty()) {
        return std::nullopt;
    }
    const Fall& last = falls.back();
    for (const Fall& first : falls) {
        const std::uint64_t span = last.position - first.position + first.step->steps;
        const std::uint64_t fallen = halvings - first.halvings_before;
        if ((fallen >= rule("falls_in_window") && span <= rule("window_steps")) ||
            (&first == &falls.front() && fallen >= rule("halvings_without_growth") &&
             span <= rule("window_steps") * fallen && clean < rule("clean_steps_after_fall"))) {
            return finding_at(
                Verdict::sinking, span <= rule("window_steps") ? "falls_in_window" : "no_growth",
                phrase("training_falls",
                       {{"count", fallen}, {"span", span}, {"scale", show_scale(last.step->scale.value_or(0))}}),
                first.step);
        }
    }
    return std::nullopt;
}

}  // namespace

std::optional<Finding> sinking_in(const Run& run) {
    if (run.series.guessed || run.series.ranks_disagree || ends_clean(run)) {
        return std::nullopt;
    }
    for (const auto rule_of : {at_smallest_scale, long_start, falling}) {
        if (auto finding = rule_of(run)) {
            return finding;
        }
    }
    return std::nullopt;
}

}  // namespace opdebug::training
