// Rules on the loss scale: it falls and does not recover, or it was probed and recovered, or the log decides nothing.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "remarks/diagnose.hpp"
#include "training/training.hpp"

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

/// A scale that fell below the minimum, or is there and a later step is skipped.
std::optional<Finding> at_smallest_scale(const Run& run) {
    const auto smallest = static_cast<double>(rule("smallest_scale"));
    std::uint64_t falls = 0;
    bool was_at_smallest = false;
    for (const Step& step : run.series.steps) {
        falls += step.falls + (step.at_minimum ? 1 : 0);
        const std::uint64_t skipped = step.skipped.value_or(step.skipped_least);
        const bool is_skipped_there = was_at_smallest ? skipped != 0 : step.at_minimum && skipped > 1;
        if (falls != 0 && step.scale && (*step.scale < smallest || is_skipped_there)) {
            return finding_at(Verdict::sinking, *step.scale < smallest ? "below_one" : "minimum",
                              phrase(*step.scale < smallest ? "training_below_one" : "training_minimum",
                                     {{"scale", show_scale(*step.scale)}, {"line", step.line}}),
                              begin_of_sinking(run, static_cast<std::size_t>(&step - run.series.steps.data())));
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
    std::uint64_t halvings = 0, position = 0;
    for (std::size_t i = run.start_end; i < run.series.steps.size(); ++i) {
        const Step& step = run.series.steps[i];
        if (!step.step) {
            return std::nullopt;  // how far the falls are apart is unknown
        }
        position += step.steps;
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
             span <= rule("window_steps") * fallen)) {
            return finding_at(
                Verdict::sinking, span <= rule("window_steps") ? "falls_in_window" : "no_growth",
                phrase("training_falls",
                       {{"count", fallen}, {"span", span}, {"scale", show_scale(last.step->scale.value_or(0))}}),
                first.step);
        }
    }
    return std::nullopt;
}

using Reason = std::pair<std::string_view, LocalizedText>;

std::uint64_t applied_overflows_in(const Run& run) {
    std::uint64_t count = 0;
    for (const Step& step : run.series.steps) {
        count += step.applied_overflows;
    }
    return count;
}

std::optional<Reason> doubt_of_recovery(const Run& run) {
    const Counts& counts = run.counts;
    if (counts.falls + counts.growths == 0) {
        return Reason("scale_unknown", phrase("training_scale_unknown", {{"count", counts.skipped}}));
    }
    const std::uint64_t later = counts.skipped - counts.skipped_at_start;
    if (later * 100 > rule("skipped_percent") * counts.steps) {
        return Reason("many_skips", phrase("training_many_skips", {{"count", later}, {"steps", counts.steps}}));
    }
    std::uint64_t clean = 0, in_a_row = 0, needed = 0;
    bool has_grown = false, is_close = false;
    for (std::size_t i = 0; i < run.series.steps.size(); ++i) {
        const Step& step = run.series.steps[i];
        const std::uint64_t skipped = step.skipped.value_or(0);
        if (skipped + step.falls == 0) {
            clean += step.steps;
            in_a_row = 0;
            has_grown = has_grown || step.growths != 0;
            continue;
        }
        is_close = is_close || (clean != 0 && clean < needed && !has_grown);
        in_a_row = i < run.start_end ? 0 : in_a_row + skipped;
        if (in_a_row > rule("skipped_in_a_row")) {
            return Reason("skips_in_a_row",
                          phrase("training_skips_in_a_row", {{"count", in_a_row}, {"line", step.line}}));
        }
        clean = 0;
        needed = rule(i < run.start_end ? "clean_steps_after_start" : "clean_steps_after_fall");
        has_grown = false;
    }
    if (is_close) {
        return Reason("falls_close", phrase("training_falls_close", {{"needed", needed}}));
    }
    if (clean < needed && !has_grown) {
        return Reason("ends_after_fall", phrase("training_ends_after_fall", {{"count", clean}, {"needed", needed}}));
    }
    return std::nullopt;
}

/// The reason why the log decides nothing.
std::optional<Reason> doubt(const Run& run) {
    const Counts& counts = run.counts;
    const Series& series = run.series;
    const bool has_events = counts.skipped + counts.falls != 0;
    const std::uint64_t lost = series.damaged + series.missing;
    if (series.ranks_disagree) {
        return Reason("ranks_disagree", phrase("training_ranks_disagree"));
    }
    if (counts.hidden != 0) {
        return Reason("loss_hidden_once", phrase("training_hidden", {{"count", counts.hidden}}));
    }
    if (series.lacks_main_loss) {
        return Reason("main_loss_absent", phrase("training_main_loss_absent"));
    }
    const auto bad = std::find_if(run.series.steps.begin(), run.series.steps.end(), [](const Step& step) {
        return is_bad(step.grad_norm) && step.skipped != step.steps && step.last_skipped != true;
    });
    if (bad != run.series.steps.end() && (bad->skipped.value_or(0) == 0 || series.interval == 1)) {
        return Reason("skip_unknown",
                      phrase("training_skip_unknown", {{"value", show_number(bad->grad_norm)}, {"line", bad->line}}));
    }
    if (series.unread_fault) {
        return Reason("unread_fault", phrase("training_unread_fault", {{"line", series.unread_fault->line},
                                                                       {"text", series.unread_fault->text}}));
    }
    if (const std::uint64_t applied = applied_overflows_in(run); applied != 0) {
        return Reason("overflow_applied", phrase("training_overflow_applied", {{"count", applied}}));
    }
    if ((series.skips_counted ? counts.steps : counts.lines) < rule("clean_steps")) {
        return Reason("too_few_lines",
                      phrase("training_too_few", {{"count", counts.lines}, {"needed", rule("clean_steps")}}));
    }
    const bool has_values = std::any_of(run.series.steps.begin(), run.series.steps.end(),
                                        [](const Step& step) { return step.loss || step.grad_norm; });
    const bool is_probed = series.skips_counted && counts.skipped != 0 && counts.falls != 0;  // norms were checked
    if (!has_values && !is_probed) {
        return Reason("no_values", phrase("training_no_values"));
    }
    const bool is_zero = std::all_of(run.series.steps.begin(), run.series.steps.end(),
                                     [](const Step& step) { return step.loss == 0.0 && step.grad_norm == 0.0; });
    if (is_zero) {
        return Reason("all_zero", phrase("training_all_zero"));
    }
    const auto uncertain = std::find_if(run.series.steps.begin(), run.series.steps.end(),
                                        [](const Step& step) { return step.skips_uncertain; });
    if (uncertain != run.series.steps.end()) {
        return Reason("skips_uncertain", phrase(series.covers_steps             ? "training_skips_between"
                                                : uncertain->skipped_least != 0 ? "training_skips_by_falls"
                                                                                : "training_skips_uncertain",
                                                {{"line", uncertain->line}}));
    }
    if (has_events ? lost * 100 > counts.lines * rule("skipped_percent") : lost != 0) {
        return Reason("lines_missing", phrase("training_lines_missing", {{"count", lost}}));
    }
    if (!has_events && series.cut) {
        return Reason("last_line_cut", phrase("training_last_line_cut"));
    }
    return has_events ? doubt_of_recovery(run) : std::nullopt;
}

}  // namespace

/// The first fall after the last growth, and after the last window without a skip. In one step the growth is the
/// earlier one. Otherwise, as in the initial phase, the first of the skipped steps in a row.
const Step* begin_of_sinking(const Run& run, std::size_t end) {
    const Step *fall = nullptr, *skip = nullptr;
    std::uint64_t clean = 0;
    for (std::size_t i = 0; i <= end; ++i) {
        const Step& step = run.series.steps[i];
        const bool is_start = i < run.start_end;
        const bool is_clean = step.falls + step.skipped.value_or(0) == 0 && !step.skips_uncertain;
        clean = is_clean ? clean + step.steps : 0;
        fall = step.growths != 0 || is_start || clean >= rule("window_steps") ? nullptr : fall;
        fall = fall == nullptr && step.falls != 0 && !is_start ? &step : fall;
        skip = step.skipped.value_or(step.skipped_least) == 0 ? nullptr : skip == nullptr ? &step : skip;
    }
    return fall == nullptr ? skip : fall;
}

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

Finding sound_or_undecided(const Run& run) {
    if (const auto reason = doubt(run)) {
        return finding_at(Verdict::undecided, reason->first, reason->second);
    }
    const bool has_events = run.counts.skipped + run.counts.falls != 0;
    if (!has_events) {
        return finding_at(Verdict::clean, "all_finite",
                          phrase(run.series.covers_steps  ? "training_clean_printed_steps"
                                 : run.counts.skips_known ? "training_clean"
                                                          : "training_clean_unknown_skips",
                                 {{"count", run.counts.lines}}));
    }
    return finding_at(Verdict::probing, "recovered",
                      phrase("training_recovered", {{"count", run.counts.falls}, {"skipped", run.counts.skipped}}),
                      first_skip(run));
}

}  // namespace opdebug::training
