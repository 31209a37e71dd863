// Series → findings. The first that fits decides; what the log does not show gives "undecided", never a guess.
#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "embedded/training_data.hpp"
#include "remarks/diagnose.hpp"
#include "training/training.hpp"

namespace opdebug::training {
namespace {

using remarks::phrase;

const nlohmann::json& rules_document() {
    static const auto document = nlohmann::json::parse(embedded::training_files().back().text);
    return document;
}

std::string show_number(const std::optional<double>& value) {
    return value ? fmt::format("{}", *value) : "-";
}

class Judge {
public:
    explicit Judge(Series series) { run_.series = std::move(series); }

    Run judge() {
        find_start();
        count();
        find_nan();
        find_static();
        find_sinking();
        if (run_.findings.empty()) {
            find_sound();
        }
        std::stable_sort(run_.findings.begin(), run_.findings.end(),
                         [](const Finding& a, const Finding& b) { return a.verdict < b.verdict; });
        return std::move(run_);
    }

private:
    const std::vector<Step>& steps() const { return run_.series.steps; }

    void add(Verdict verdict, std::string_view rule, LocalizedText because, const Step* step = nullptr) {
        Finding finding{verdict, std::string(rule), std::move(because), {}, 1, 0};
        if (step != nullptr) {
            finding.step = step->step;
            finding.steps = step->steps;
            finding.line = step->line;
        }
        run_.findings.push_back(std::move(finding));
    }

    /// The initial phase: from the start to the first step that is not skipped. A dynamic scale is looked for there.
    void find_start() {
        std::size_t end = 0;
        const auto skipped_all = [](const Step& step) { return step.skipped && *step.skipped == step.steps; };
        while (run_.series.begins_at_start && end < steps().size() && skipped_all(steps()[end])) {
            ++end;
        }
        const bool is_mixed = end < steps().size() && steps()[end].skipped.value_or(0) != 0;
        run_.start_end = run_.series.begins_at_start && is_mixed ? end + 1 : end;
    }

    void count() {
        Counts& counts = run_.counts;
        counts.lines = steps().size();
        for (std::size_t i = 0; i < steps().size(); ++i) {
            const Step& step = steps()[i];
            counts.steps += step.steps;
            counts.skips_known = counts.skips_known || step.skipped.has_value();
            counts.skipped += step.skipped.value_or(0);
            counts.skipped_at_start += i < run_.start_end ? step.skipped.value_or(0) : 0;
            counts.nan += step.has_nan() ? 1U : 0U;
            counts.hidden += step.loss_hidden ? 1U : 0U;
            counts.falls += step.falls;
            counts.growths += step.growths;
            applied_overflows_ += step.applied_overflows;
        }
        counts.applied = counts.steps - counts.skipped;
    }

    void find_nan() {
        for (const Mark& mark : run_.series.marks) {
            if (mark.kind == Mark::Kind::nan_stop) {
                add(Verdict::nan_loss, "stop_line", phrase("training_stop_line", {{"line", mark.line}}));
                run_.findings.back().step = mark.step;
                run_.findings.back().line = mark.line;
                break;
            }
        }
        // A line of a skip may be lost: then a bad gradient alone proves nothing.
        const bool skips_are_sure = !run_.series.skips_by_events || run_.series.damaged + run_.series.missing == 0;
        for (std::size_t i = 0; i < steps().size(); ++i) {
            const Step& step = steps()[i];
            const bool applied = step.skipped == 0U;
            if (step.nan_steps != 0 || (is_bad(step.loss) && step.skipped == step.steps)) {
                return add(Verdict::nan_loss, "nan_in_skipped_step",
                           phrase("training_nan_skipped", {{"line", step.line}}), &step);
            }
            if (is_bad(step.loss)) {
                return add(Verdict::nan_loss, "loss_printed",
                           phrase("training_nan_printed", {{"value", show_number(step.loss)}, {"line", step.line}}),
                           &step);
            }
            if (step.is_filtered()) {
                return add(Verdict::nan_loss, "loss_filtered", phrase("training_nan_filtered", {{"line", step.line}}),
                           &step);
            }
            if (applied && skips_are_sure && is_bad(step.grad_norm)) {
                return add(
                    Verdict::nan_loss, "gradient_applied",
                    phrase("training_nan_gradient", {{"value", show_number(step.grad_norm)}, {"line", step.line}}),
                    &step);
            }
            if (step.loss_hidden && stays_hidden(i)) {
                return add(Verdict::nan_loss, "loss_hidden",
                           phrase("training_nan_hidden", {{"line", step.line}, {"count", steps().size() - i}}), &step);
            }
        }
    }

    /// Whether the loss is absent from this line to the end: a negative loss would come back.
    bool stays_hidden(std::size_t first) const {
        const auto is_shown = [](const Step& step) { return step.loss.has_value(); };
        return steps().size() - first >= rule("hidden_lines") &&
               std::none_of(steps().begin() + static_cast<std::ptrdiff_t>(first), steps().end(), is_shown);
    }

    bool scale_is_constant() const {
        const std::optional<double> scale = steps().empty() ? std::nullopt : steps().front().scale;
        const auto differs = [&scale](const Step& step) { return step.scale != scale; };
        return scale && run_.counts.falls + run_.counts.growths == 0 &&
               std::none_of(steps().begin(), steps().end(), differs);
    }

    const Step* first_skip() const {
        const auto step =
            std::find_if(steps().begin(), steps().end(), [](const Step& one) { return one.skipped.value_or(0) != 0; });
        return step == steps().end() ? nullptr : &*step;
    }

    void find_static() {
        for (const Mark& mark : run_.series.marks) {
            if (mark.kind == Mark::Kind::static_scale) {
                add(Verdict::static_scale_hit, "static_line", phrase("training_static_line", {{"line", mark.line}}));
                run_.findings.back().step = mark.step;
                run_.findings.back().line = mark.line;
                return;
            }
        }
        // At the smallest scale a dynamic scale stays the same, too.
        const bool may_be_minimum = !steps().empty() && !run_.series.begins_at_start &&
                                    steps().front().scale.value_or(0) <= static_cast<double>(rule("smallest_scale"));
        if (!run_.series.guessed && scale_is_constant() && !may_be_minimum &&
            run_.counts.skipped >= rule("static_skips")) {
            add(Verdict::static_scale_hit, "constant_scale",
                phrase("training_static_constant",
                       {{"count", run_.counts.skipped}, {"scale", show_scale(*steps().front().scale)}}),
                first_skip());
        }
    }

    void find_sinking() {
        for (const Mark& mark : run_.series.marks) {
            if (mark.kind == Mark::Kind::at_minimum) {
                add(Verdict::sinking, "minimum_line", phrase("training_minimum_line", {{"line", mark.line}}));
                run_.findings.back().step = mark.step;
                run_.findings.back().line = mark.line;
                return;
            }
        }
        if (!run_.series.guessed && !run_.series.ranks_disagree && !find_smallest() && !find_long_start()) {
            find_rate();
        }
    }

    /// A scale that fell below the minimum, or is there and a later step is skipped.
    bool find_smallest() {
        const auto smallest = static_cast<double>(rule("smallest_scale"));
        std::uint64_t falls = 0;
        const Step* at_minimum = nullptr;
        const Step* first_fall = nullptr;
        for (const Step& step : steps()) {
            falls += step.falls;
            first_fall = first_fall == nullptr && step.falls != 0 ? &step : first_fall;
            const bool is_skipped_there = at_minimum != nullptr && step.skipped.value_or(0) != 0;
            if (falls != 0 && step.scale && (*step.scale < smallest || is_skipped_there)) {
                add(Verdict::sinking, *step.scale < smallest ? "below_one" : "minimum",
                    phrase(*step.scale < smallest ? "training_below_one" : "training_minimum",
                           {{"scale", show_scale(*step.scale)}, {"line", step.line}}),
                    last_climb_end(&step - steps().data()));
                return true;
            }
            at_minimum = falls != 0 && step.scale && *step.scale <= smallest ? &step : nullptr;
        }
        return false;
    }

    /// The first fall after the last growth before this step: there the scale began to sink.
    const Step* last_climb_end(std::ptrdiff_t end) const {
        const Step* first = nullptr;
        for (std::ptrdiff_t i = 0; i <= end; ++i) {
            const Step& step = steps()[static_cast<std::size_t>(i)];
            const bool is_start = static_cast<std::size_t>(i) < run_.start_end;
            first = step.growths != 0 || is_start ? nullptr : first == nullptr && step.falls != 0 ? &step : first;
        }
        return first;
    }

    bool find_long_start() {
        bool has_fallen = false;
        for (std::size_t i = 0; i < run_.start_end; ++i) {
            const bool is_low = i != 0 && steps()[i - 1].scale.value_or(1e9) < static_cast<double>(rule("start_scale"));
            has_fallen = has_fallen || steps()[i].falls != 0;
            if (has_fallen && is_low && steps()[i].skipped == steps()[i].steps) {
                add(Verdict::sinking, "low_start",
                    phrase("training_low_start",
                           {{"scale", show_scale(*steps()[i - 1].scale)}, {"line", steps()[i].line}}),
                    &steps().front());
                return true;
            }
        }
        if (has_fallen && run_.counts.skipped_at_start > rule("start_skips")) {
            add(Verdict::sinking, "long_start",
                phrase("training_long_start", {{"count", run_.counts.skipped_at_start}}), &steps().front());
            return true;
        }
        return false;
    }

    /// Falls of the scale one after the other, without a growth between them and without a clean stretch at the end.
    void find_rate() {
        std::vector<std::pair<const Step*, std::uint64_t>> falls;  // since the last growth; the halvings before each
        std::uint64_t halvings = 0, clean = 0, position = 0;
        std::map<const Step*, std::uint64_t> positions;
        for (std::size_t i = run_.start_end; i < steps().size(); ++i) {
            const Step& step = steps()[i];
            if (!step.step) {
                return;  // how far the falls are apart is unknown
            }
            position += step.steps;
            clean = step.falls + step.skipped.value_or(0) == 0 ? clean + step.steps : 0;
            if (step.growths != 0) {
                falls.clear();
                halvings = 0;
            }
            if (step.falls != 0) {
                falls.emplace_back(&step, halvings);
                positions[&step] = position;
                halvings += step.falls;
            }
        }
        if (falls.empty() || clean >= rule("window_steps")) {
            return;
        }
        const std::uint64_t last = positions[falls.back().first];
        for (std::size_t i = 0; i < falls.size(); ++i) {
            const auto& [first, before] = falls[i];
            const std::uint64_t span = last - positions[first] + first->steps, fallen = halvings - before;
            if ((fallen >= rule("falls_in_window") && span <= rule("window_steps")) ||
                (i == 0 && fallen >= rule("halvings_without_growth") && span <= rule("window_steps") * fallen &&
                 clean < rule("clean_steps_after_fall"))) {
                add(Verdict::sinking, span <= rule("window_steps") ? "falls_in_window" : "no_growth",
                    phrase("training_falls", {{"count", fallen},
                                              {"span", span},
                                              {"scale", show_scale(falls.back().first->scale.value_or(0))}}),
                    first);
                return;
            }
        }
    }

    /// What is no fault: a scale that was probed and recovered, or no event at all.
    void find_sound() {
        if (const auto reason = doubt()) {
            return add(Verdict::undecided, reason->first, reason->second);
        }
        const bool has_events = run_.counts.skipped + run_.counts.falls != 0;
        if (!has_events) {
            return add(Verdict::clean, "all_finite",
                       phrase(run_.counts.skips_known ? "training_clean" : "training_clean_unknown_skips",
                              {{"count", run_.counts.lines}}));
        }
        add(Verdict::probing, "recovered",
            phrase("training_recovered", {{"count", run_.counts.falls}, {"skipped", run_.counts.skipped}}),
            first_skip());
    }

    using Reason = std::pair<std::string_view, LocalizedText>;

    /// The reason why the log decides nothing.
    std::optional<Reason> doubt() const {
        const Counts& counts = run_.counts;
        const Series& series = run_.series;
        const bool has_events = counts.skipped + counts.falls != 0;
        const std::uint64_t lost = series.damaged + series.missing;
        if (series.ranks_disagree) {
            return Reason("ranks_disagree", phrase("training_ranks_disagree"));
        }
        if (counts.hidden != 0) {
            return Reason("loss_hidden_once", phrase("training_hidden", {{"count", counts.hidden}}));
        }
        const auto bad = std::find_if(steps().begin(), steps().end(), [](const Step& step) {
            return is_bad(step.grad_norm) && step.skipped != step.steps;
        });
        if (bad != steps().end() && (bad->skipped.value_or(0) == 0 || series.interval == 1)) {
            return Reason("skip_unknown", phrase("training_skip_unknown",
                                                 {{"value", show_number(bad->grad_norm)}, {"line", bad->line}}));
        }
        if (counts.lines < rule("clean_steps")) {
            return Reason("too_few_lines",
                          phrase("training_too_few", {{"count", counts.lines}, {"needed", rule("clean_steps")}}));
        }
        if (has_events ? lost * 100 > counts.lines * rule("skipped_percent") : lost != 0) {
            return Reason("lines_missing", phrase("training_lines_missing", {{"count", lost}}));
        }
        return has_events ? doubt_of_recovery() : std::nullopt;
    }

    std::optional<Reason> doubt_of_recovery() const {
        const Counts& counts = run_.counts;
        if (applied_overflows_ != 0) {
            return Reason("overflow_applied", phrase("training_overflow_applied", {{"count", applied_overflows_}}));
        }
        if (counts.falls + counts.growths == 0) {
            return Reason("scale_unknown", phrase("training_scale_unknown", {{"count", counts.skipped}}));
        }
        const std::uint64_t later = counts.skipped - counts.skipped_at_start;
        if (later * 100 > rule("skipped_percent") * counts.steps) {
            return Reason("many_skips", phrase("training_many_skips", {{"count", later}, {"steps", counts.steps}}));
        }
        std::uint64_t clean = 0, in_a_row = 0, needed = 0;
        bool has_grown = false, is_close = false;
        for (std::size_t i = 0; i < steps().size(); ++i) {
            const Step& step = steps()[i];
            const std::uint64_t skipped = step.skipped.value_or(0);
            if (skipped + step.falls == 0) {
                clean += step.steps;
                in_a_row = 0;
                has_grown = has_grown || step.growths != 0;
                continue;
            }
            is_close = is_close || (clean != 0 && clean < needed && !has_grown);
            in_a_row = i < run_.start_end ? 0 : in_a_row + skipped;
            if (in_a_row > rule("skipped_in_a_row")) {
                return Reason("skips_in_a_row",
                              phrase("training_skips_in_a_row", {{"count", in_a_row}, {"line", step.line}}));
            }
            clean = 0;
            needed = rule(i < run_.start_end ? "clean_steps_after_start" : "clean_steps_after_fall");
            has_grown = false;
        }
        if (is_close) {
            return Reason("falls_close", phrase("training_falls_close", {{"needed", needed}}));
        }
        if (clean < needed && !has_grown) {
            return Reason("ends_after_fall",
                          phrase("training_ends_after_fall", {{"count", clean}, {"needed", needed}}));
        }
        return std::nullopt;
    }

    Run run_;
    std::uint64_t applied_overflows_ = 0;
};

}  // namespace

std::string_view to_string(Verdict verdict) noexcept {
    constexpr std::string_view kNames[] = {"nan_loss", "sinking", "static_scale_hit", "undecided", "probing", "clean"};
    return kNames[static_cast<std::size_t>(verdict)];
}

Run judge(Series series) {
    return Judge(std::move(series)).judge();
}

std::uint64_t rule(std::string_view name) {
    return rules_document().at("rules").at(name).get<std::uint64_t>();
}

std::string show_scale(double scale) {
    constexpr double kExact = 9007199254740992.0;
    return scale == std::floor(scale) && scale < kExact ? fmt::format("{:.0f}", scale) : fmt::format("{}", scale);
}

}  // namespace opdebug::training
