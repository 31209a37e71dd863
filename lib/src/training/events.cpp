// Lines of skips, falls and growths of the loss scale, which have no step of their own.
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <utility>

#include "training/series.hpp"

namespace opdebug::training {
namespace {

/// MindFormers prints 2^28 as 268435460.0.
constexpr double kSameScale = 1e-6;

bool is_same(double a, double b) {
    return std::abs(a - b) <= kSameScale * std::max(std::abs(a), std::abs(b));
}

std::uint64_t halvings(double from, double to) {
    const double ratio = to > 0 ? std::log2(from / to) : 1;
    return static_cast<std::uint64_t>(std::max(1.0, std::min(64.0, std::round(std::abs(ratio)))));
}

/// Whether one of the last step lines, after which other processes may still print, has a skip.
bool has_skipped_near(const std::vector<Item>& items) {
    const auto end = items.rbegin() + static_cast<std::ptrdiff_t>(std::min<std::size_t>(items.size(), kStepsApart));
    return std::any_of(items.rbegin(), end, [](const Item& item) {
        return item.events != 0 || item.events_uncertain || item.step.falls != 0;
    });
}

/// The item of a step that has its line. Null: none.
Item* item_of(const std::optional<std::uint64_t>& step, std::vector<Item>& items) {
    const auto item = std::find_if(items.rbegin(), items.rend(), [&step](const Item& one) {
        return !step || !one.step.step || *one.step.step <= *step;
    });
    return item != items.rend() && step && item->step.step == step ? &*item : nullptr;
}

}  // namespace

void Events::add(const LineFacts& fact, const std::optional<std::uint64_t>& step, std::vector<Item>& items) {
    const States& states = fact.format->states;
    const std::optional<double> scale = fact.number(Number::scale), old = fact.number(Number::old_scale);
    if (states.growth && scale) {
        add_growth(*scale);
    } else if (states.fall && (scale || old)) {
        add_fall(fact, scale.value_or(old.value_or(0)), old, items);
    } else if (Item* const stated = states.skip && fact.format->in_epoch ? item_of(step, items) : nullptr) {
        ++stated->events;
    } else if (states.skip) {
        add_skip(step);
    } else if (states.applied) {
        ++pending_.applied;
    }
    pending_.line = fact.line;
    pending_.time = fact.time;
}

void Events::add_growth(double scale) {
    if (scale_ && is_same(*scale_, scale)) {
        return;  // another process
    }
    ++pending_.growths;
    scale_ = pending_.scale = scale;
}

/// A skip without a scale. Lines with the same step number are of one skip.
void Events::add_skip(const std::optional<std::uint64_t>& step) {
    if (step && step == pending_.step) {
        return;
    }
    pending_.repeated = pending_.repeated || (pending_.unnumbered != 0 && !step);
    pending_.step = step;
    ++pending_.unnumbered;
}

/// A process prints each scale once between two step lines: the same scale again is the line of another process. After
/// the line of a step that fell to it, too: other processes are late. After other step lines it is a skip at the
/// smallest scale, or after growths that were not printed; without a rank this is uncertain for some lines.
void Events::add_fall(const LineFacts& fact, double scale, const std::optional<double>& old, std::vector<Item>& items) {
    const States& states = fact.format->states;
    const bool is_new_here = old && scale_ && is_same(*old, *scale_);
    const bool is_known = scale_ && is_same(*scale_, scale) && !is_new_here;
    pending_.unnumbered = 0;
    pending_.at_minimum = pending_.at_minimum || (states.skip && old && is_same(*old, scale) &&
                                                  scale <= static_cast<double>(rule("smallest_scale")));
    const bool is_smallest = scale <= static_cast<double>(rule("smallest_scale"));
    const bool may_be_late = !old && !is_smallest && !fact.rank;
    const bool is_ambiguous = may_be_late && has_skipped_near(items);
    const bool is_late = is_ambiguous && !items.empty() && items.back().step.falls != 0;
    if (is_known && (!is_scale_of_earlier_step_ || fact.rank != scale_rank_ || is_ambiguous)) {
        pending_.repeated = pending_.repeated || pending_.falls == 0;
        pending_.applied = std::max<std::uint64_t>(pending_.applied, states.applied ? 1 : 0);  // at a constant scale
        if (is_scale_of_earlier_step_ && is_ambiguous && !is_late) {
            pending_.uncertain = true;
            items.back().events_uncertain = items.back().events_uncertain || items.back().events_repeated;
        }
        return;
    }
    is_scale_of_earlier_step_ = false;
    scale_rank_ = fact.rank;
    ranks_disagree_ = ranks_disagree_ || (scale_ && scale > *scale_ && !old);
    pending_.repeated = false;
    pending_.skips += states.skip ? 1U : 0U;
    pending_.applied += states.applied ? 1U : 0U;
    const double before = old.value_or(is_known && may_be_late ? scale * 2 : 0);
    const bool has_grown = scale_ && before > *scale_ && !is_same(before, *scale_);
    pending_.growths += has_grown ? halvings(before, *scale_) : 0;  // without a line
    pending_.falls += (is_known && !has_grown) || (old && is_same(*old, scale)) ? 0U : 1U;
    scale_ = pending_.scale = scale;
}

void Events::pass(Step& step) {
    if (step.scale && scale_ && !is_same(*step.scale, *scale_)) {
        (*step.scale < *scale_ ? step.falls : step.growths) = halvings(*scale_, *step.scale);
    }
    scale_ = step.scale ? step.scale : scale_;
    is_scale_of_earlier_step_ = true;
}

void Events::move_to(Item& item) {
    item.events += pending_.skips != 0 ? pending_.skips : pending_.unnumbered;
    item.events_repeated = item.events_repeated || pending_.repeated;
    item.events_uncertain = item.events_uncertain || pending_.uncertain;
    item.step.falls += pending_.falls;
    item.step.growths += pending_.growths;
    item.step.at_minimum = item.step.at_minimum || pending_.at_minimum;
    item.step.applied_overflows += pending_.applied;
    item.step.scale = item.step.scale ? item.step.scale : pending_.scale;
    pending_ = {};
}

void Events::restart() {
    scale_ = pending_.scale;
    scale_rank_.reset();
    is_scale_of_earlier_step_ = ranks_disagree_ = false;
}

}  // namespace opdebug::training
