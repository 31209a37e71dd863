// Intervals, skipped steps and hidden losses of a series, which need the lines around them.
#include "training/series.hpp"

#include <algorithm>
#include <cmath>
#include <map>

namespace opdebug::training {
namespace {

bool is_worse(const std::optional<double>& value, const std::optional<double>& other) {
    return value && (!other || (!std::isfinite(*value) && std::isfinite(*other)));
}

/// Megatron prints no loss that is NaN or below 0, and has the column in the other lines.
void set_hidden(std::vector<Item>& items) {
    bool has_loss = false;
    for (Item& item : items) {
        item.step.loss_hidden = has_loss && !item.step.loss && item.printed && *item.printed < item.step.steps;
        has_loss = has_loss || item.step.loss.has_value();
    }
}

/// The Trainer prints 0 for a loss that is NaN. The gradient norm shows it after another loss, or in several steps up
/// to the end. Where a finite norm has a loss of 0 it shows nothing: the loss of GRPO is 0, and a scaler skips steps.
void set_filtered(std::vector<Item>& items) {
    const auto has_finite_norm = [](const Item& item) {
        return item.step.grad_norm && std::isfinite(*item.step.grad_norm);
    };
    const bool may_be_zero = std::any_of(
        items.begin(), items.end(), [&](const Item& item) { return item.step.loss == 0.0 && has_finite_norm(item); });
    const auto end_of_finite = std::find_if(items.rbegin(), items.rend(), has_finite_norm).base() - items.begin();
    bool has_loss = false;
    std::uint64_t steps = 0;
    for (std::size_t i = 0, first = 0; i < items.size(); ++i) {
        Step& step = items[i].step;
        const bool is_zero = step.nan_inferred && step.skipped.value_or(0) == 0 && !may_be_zero;
        first = is_zero ? first : i + 1;
        steps = is_zero ? steps + step.steps : 0;
        step.nan_inferred = is_zero && has_loss;
        const bool is_at_end = static_cast<std::ptrdiff_t>(first) >= end_of_finite;
        for (std::size_t zero = first; is_at_end && steps >= rule("hidden_steps") && zero <= i; ++zero) {
            items[zero].step.nan_inferred = true;
        }
        has_loss = has_loss || std::abs(step.loss.value_or(0)) > 0;
    }
}

/// The Trainer prints 0 for a loss that is NaN. A small loss is 0 after rounding, too.
void set_zero_losses(std::vector<Item>& items) {
    bool has_loss = false;
    std::size_t zeros = 0;
    for (std::size_t i = 0; i < items.size(); ++i) {
        const Step& step = items[i].step;
        const bool is_zero = items[i].format != nullptr && items[i].format->filters_nan && step.loss == 0.0 &&
                             !step.grad_norm && has_loss;
        has_loss = has_loss || (step.loss && *step.loss > 0);
        zeros = is_zero ? zeros + 1 : 0;
        if (zeros >= rule("hidden_lines")) {
            for (std::size_t zero = i + 1 - zeros; zero <= i; ++zero) {
                items[zero].step.loss_hidden = true;
            }
        }
    }
}

}  // namespace

bool adds_nothing(const Item& other, const Item& item) {
    const auto is_same = [](const std::optional<double>& value, const std::optional<double>& known) {
        return !value || value == known || (known && std::isnan(*value) && std::isnan(*known));
    };
    return is_same(other.step.loss, item.step.loss) && is_same(other.step.grad_norm, item.step.grad_norm);
}

void unite(const Item& other, Item& item) {
    if (is_bad(other.step.loss) > is_bad(item.step.loss) ||
        is_bad(other.step.grad_norm) > is_bad(item.step.grad_norm)) {
        item.step.line = other.step.line;
    }
    item.step.loss = is_worse(other.step.loss, item.step.loss) ? other.step.loss : item.step.loss;
    item.step.grad_norm =
        is_worse(other.step.grad_norm, item.step.grad_norm) ? other.step.grad_norm : item.step.grad_norm;
    item.step.nan_inferred = item.step.nan_inferred || other.step.nan_inferred;
    item.step.scale = item.step.scale ? item.step.scale : other.step.scale;
    item.step.nan_steps = std::max(item.step.nan_steps, other.step.nan_steps);
    item.printed = std::max(item.printed, other.printed);
    item.total = item.total ? item.total : other.total;
}

void set_intervals(std::vector<Item>& items, Series& series) {
    std::map<std::uint64_t, std::uint64_t> distances;
    for (std::size_t i = 1; i < items.size(); ++i) {
        ++distances[*items[i].step.step - *items[i - 1].step.step];
    }
    const auto common = std::max_element(distances.begin(), distances.end(),
                                         [](const auto& a, const auto& b) { return a.second < b.second; });
    series.interval = common == distances.end() ? 1 : common->first;
    for (std::size_t i = 0; i < items.size(); ++i) {
        const std::uint64_t number = *items[i].step.step;
        const std::uint64_t distance = i == 0 ? std::max<std::uint64_t>(number, 1) : number - *items[i - 1].step.step;
        const bool is_unknown = i != 0 && distances.empty();  // without an interval no line is missing
        items[i].step.steps = is_unknown ? distance : std::min(distance, series.interval);
        series.missing += i == 0 || is_unknown ? 0 : (distance - 1) / series.interval;
        series.begins_at_start = series.begins_at_start || (i == 0 && distance <= series.interval);
    }
}

void set_skips(std::vector<Item>& items, const Series& series) {
    bool is_known = series.begins_at_start;  // the total before this item
    std::uint64_t before = 0;
    for (Item& item : items) {
        const std::uint64_t total = item.total.value_or(0);
        const bool is_uncertain = item.step.steps > 1 ? item.events_repeated || item.events_uncertain
                                                      : item.events_uncertain && item.events == 0;
        if (series.covers_steps) {
            const bool is_shown = item.printed || item.events != 0;
            item.step.last_skipped = is_shown ? std::optional(item.printed != 0U) : std::nullopt;
        } else if (item.printed) {
            item.step.skipped = item.printed;
        } else if (item.total && is_known && before <= total) {
            item.step.skipped = total - before;
        } else if (series.skips_by_events && is_uncertain) {
            item.step.skips_uncertain = true;
        } else if (series.skips_by_events) {
            item.step.skipped = item.events;
        }
        if (!item.step.skipped) {  // each fall is of a skipped step, or of an overflow that was applied
            const bool is_skipped = item.step.last_skipped == true || item.step.falls > item.step.applied_overflows;
            item.step.skipped_least = is_skipped ? 1 : 0;
            item.step.skips_uncertain = item.step.skips_uncertain || is_skipped;
        }
        if (item.step.skipped) {
            item.step.skipped = std::min(*item.step.skipped, item.step.steps);
        }
        is_known = item.total.has_value();
        before = total;
    }
    set_hidden(items);
    set_filtered(items);
    set_zero_losses(items);
}

}  // namespace opdebug::training
