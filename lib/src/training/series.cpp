// Facts of lines → series of steps. Lines of events without a step belong to the next step line: all frameworks print
// the update before the line of its step.
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <iterator>
#include <map>
#include <utility>

#include "training/formats.hpp"
#include "training/step_numbers.hpp"
#include "training/training.hpp"

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

/// What events before a step line state.
struct Pending {
    std::uint64_t skips = 0, falls = 0, growths = 0, applied = 0, line = 0;
    std::uint64_t unnumbered = 0;       ///< skips without a scale, which their process may still print
    bool repeated = false;              ///< a line that another process or a later step may have printed
    bool uncertain = false;             ///< a skip of another step, or the late line of another process
    std::optional<std::uint64_t> step;  ///< of the last skip that has a number
    std::uint64_t step_by_bar = 0;      ///< 0: not known
    std::optional<double> scale;
    std::string time;
    bool any() const noexcept { return skips + falls + growths + applied + unnumbered != 0 || uncertain; }
};

class Builder {
public:
    Builder(std::optional<std::uint64_t> rank, bool has_other_processes)
        : rank_(rank), has_other_processes_(has_other_processes) {
        begin({});
    }

    void add_event(const LineFacts& fact) {
        const States& states = fact.format->states;
        const std::uint64_t by_bar = fact.bar_total == 0 ? 0 : fact.bar_step + 1;
        const std::optional<std::uint64_t> step = by_bar == 0 ? numbers_.of(fact) : by_bar;
        if (by_bar > pending_.step_by_bar) {
            add_item_of_events();
        }
        if (states.stop_nan || states.stop || states.static_hit || states.at_minimum) {
            const auto kind = states.stop_nan     ? Mark::Kind::nan_stop
                              : states.stop       ? Mark::Kind::stop
                              : states.static_hit ? Mark::Kind::static_scale
                                                  : Mark::Kind::at_minimum;
            const auto last = series_.last_step();
            const std::uint64_t after = std::max(last.value_or(0), pending_.step_by_bar);
            series_.marks.push_back({kind, step, fact.rank, after == 0 ? last : after, fact.line});
        }
        note_format(*fact.format);
        has_skip_events_ = has_skip_events_ || states.skip || states.applied;
        const std::optional<double> scale = fact.number(Number::scale), old = fact.number(Number::old_scale);
        if (states.growth && scale) {
            add_growth(*scale);
        } else if (states.fall && (scale || old)) {
            add_fall(fact, scale.value_or(old.value_or(0)), old);
        } else if (Item* const stated = states.skip && fact.format->in_epoch ? item_of(step) : nullptr) {
            ++stated->events;
        } else if (states.skip) {
            add_skip(step);
        } else if (states.applied) {
            ++pending_.applied;
        }
        pending_.step_by_bar = pending_.any() ? std::max(pending_.step_by_bar, by_bar) : 0;
        pending_.line = fact.line;
        pending_.time = fact.time;
    }

    void add_step(const LineFacts& fact) {
        const Format& format = *fact.format;
        Item item;
        item.format = &format;
        item.step.step = numbers_.of(fact);
        item.step.line = fact.line;
        item.step.time = fact.time;
        const std::optional<double> main = fact.number(Number::main_loss);
        item.step.loss = main || has_main_loss_ ? main : fact.number(Number::loss);
        item.step.grad_norm = fact.number(Number::grad_norm);
        item.step.nan_inferred =
            format.filters_nan && item.step.loss == 0.0 && item.step.grad_norm && std::isnan(*item.step.grad_norm);
        item.step.scale = fact.number(Number::scale);
        item.has_scale = item.step.scale.has_value();
        item.printed = fact.count(Number::skipped);
        lacks_main_loss_ = lacks_main_loss_ || (format.has_main_loss && item.printed && !main && item.step.loss);
        item.total = fact.count(Number::skipped_total);
        item.step.nan_steps = fact.count(Number::nan_steps).value_or(0);
        const auto first =
            std::find_if(items_.begin(), items_.end(), [](const Item& one) { return one.format != nullptr; });
        if (first != items_.end() && first->format == &format &&
            ((first->printed && !item.printed) || (first->has_scale && !item.step.scale) ||
             (!item.step.step && !series_.steps_counted))) {
            ++series_.damaged;  // a line without what the others have is cut
            return;
        }
        if (!item.step.step) {
            series_.steps_counted = true;
            item.step.step = items_.size() + 1;
        }
        has_main_loss_ = has_main_loss_ || main.has_value();
        place(std::move(item));
        note_format(format);  // of the new series, if this is its first line
    }

    /// Ends the last series.
    std::vector<Series> finish(std::uint64_t damaged) {
        end_series();
        for (Series& series : done_) {
            series.damaged += damaged;
            series.parts = parts_;
        }
        return std::move(done_);
    }

private:
    void begin(std::optional<std::uint64_t> resumed_at) {
        series_ = {};
        series_.rank = rank_;
        series_.resumed_at = resumed_at;
        series_.guessed = true;
        items_.clear();
        pending_ = {};
        scale_.reset();
        scale_rank_.reset();
        has_main_loss_ = lacks_main_loss_ = has_skip_events_ = is_scale_of_earlier_step_ = false;
        numbers_.restart();
    }

    /// The item of a step that has its line. Null: none.
    Item* item_of(const std::optional<std::uint64_t>& step) {
        const auto item = std::find_if(items_.rbegin(), items_.rend(), [&step](const Item& one) {
            return !step || !one.step.step || *one.step.step <= *step;
        });
        return item != items_.rend() && step && item->step.step == step ? &*item : nullptr;
    }

    void note_format(const Format& format) {
        series_.guessed = series_.guessed && format.fallback;
        if (series_.format.empty()) {
            series_.format = format.name;
        } else if (series_.format.find(format.name) == std::string::npos) {
            series_.format += ", " + format.name;
        }
        series_.who = series_.who.empty() ? format.who : series_.who;
    }

    void add_growth(double scale) {
        if (scale_ && is_same(*scale_, scale)) {
            return;  // another process
        }
        ++pending_.growths;
        scale_ = pending_.scale = scale;
    }

    /// A skip without a scale. Lines with the same step number are of one skip.
    void add_skip(std::optional<std::uint64_t> step) {
        if (step && step == pending_.step) {
            return;
        }
        pending_.repeated = pending_.repeated || (pending_.unnumbered != 0 && !step);
        pending_.step = step;
        ++pending_.unnumbered;
    }

    /// Whether one of the last step lines, after which other processes may still print, has a skip.
    bool has_skipped_near() const {
        const auto end =
            items_.rbegin() + static_cast<std::ptrdiff_t>(std::min<std::size_t>(items_.size(), kStepsApart));
        return std::any_of(items_.rbegin(), end, [](const Item& item) {
            return item.events != 0 || item.events_uncertain || item.step.falls != 0;
        });
    }

    /// A process prints each scale once between two step lines: the same scale again is the line of another process.
    /// After the line of a step that fell to it, too: other processes are late. After other step lines it is a skip at
    /// the smallest scale, or after growths that were not printed; without a rank this is uncertain for some lines.
    void add_fall(const LineFacts& fact, double scale, const std::optional<double>& old) {
        const States& states = fact.format->states;
        const bool is_new_here = old && scale_ && is_same(*old, *scale_);
        const bool is_repeated = scale_ && is_same(*scale_, scale) && !is_new_here;
        pending_.unnumbered = 0;
        const bool is_smallest = scale <= static_cast<double>(rule("smallest_scale"));
        const bool may_be_late = !old && !is_smallest && !fact.rank;
        const bool is_ambiguous = may_be_late && has_skipped_near();
        const bool is_late = is_ambiguous && !items_.empty() && items_.back().step.falls != 0;
        if (is_repeated && (!is_scale_of_earlier_step_ || fact.rank != scale_rank_ || is_ambiguous)) {
            pending_.repeated = pending_.repeated || pending_.falls == 0;
            pending_.applied =
                std::max<std::uint64_t>(pending_.applied, states.applied ? 1 : 0);  // at a constant scale
            if (is_scale_of_earlier_step_ && is_ambiguous && !is_late) {
                pending_.uncertain = true;
                items_.back().events_uncertain = items_.back().events_uncertain || items_.back().events_repeated;
            }
            return;
        }
        is_scale_of_earlier_step_ = false;
        scale_rank_ = fact.rank;
        if (scale_ && scale > *scale_ && !old) {
            series_.ranks_disagree = true;
        }
        pending_.repeated = false;
        pending_.skips += states.skip ? 1U : 0U;
        pending_.applied += states.applied ? 1U : 0U;
        const double before = old.value_or(is_repeated && may_be_late ? scale * 2 : 0);
        const bool has_grown = scale_ && before > *scale_ && !is_same(before, *scale_);
        pending_.growths += has_grown ? halvings(before, *scale_) : 0;  // without a line
        pending_.falls += (is_repeated && !has_grown) || (old && is_same(*old, scale)) ? 0U : 1U;
        scale_ = pending_.scale = scale;
    }

    /// The item of the same step: of another process, of another format, or with the same values. Null: none.
    Item* item_of_same_step(const Item& item) {
        const std::uint64_t number = *item.step.step;
        for (std::size_t i = items_.size(); i-- > 0 && *items_[i].step.step >= number;) {
            const bool is_last = i + 1 == items_.size();
            if (items_[i].step.step == number && *series_.last_step() <= number + kStepsApart &&
                (has_other_processes_ || items_[i].format != item.format ||
                 (is_last && adds_nothing(item, items_[i])))) {
                return &items_[i];
            }
        }
        return nullptr;
    }

    /// Adds the step, or unites it with the line of the same step; any other number that is not larger is a restart.
    void place(Item item) {
        const std::uint64_t number = *item.step.step;
        const auto last = series_.last_step();
        if (last && number <= *last) {
            if (Item* const same = item_of_same_step(item)) {
                unite(item, *same);
                return take_pending(*same);
            }
            const Pending pending = std::exchange(pending_, {});
            end_series();
            begin(number);
            pending_ = pending;
            has_skip_events_ = pending.skips + pending.applied + pending.unnumbered != 0;
            scale_ = pending.scale;
        }
        Step& step = item.step;
        if (step.scale && scale_ && !is_same(*step.scale, *scale_)) {
            (*step.scale < *scale_ ? step.falls : step.growths) = halvings(*scale_, *step.scale);
        }
        scale_ = step.scale ? step.scale : scale_;
        is_scale_of_earlier_step_ = true;
        take_pending(item);
        add_item(std::move(item));
    }

    void add_item(Item item) {
        series_.steps.push_back({});  // for last_step(); end_series() fills it
        series_.steps.back().step = item.step.step;
        items_.push_back(std::move(item));
    }

    /// The events before this one are of an earlier step, whose number is known and which has no line.
    void add_item_of_events() {
        if (pending_.step_by_bar > series_.last_step().value_or(0)) {
            Item item;
            item.step.step = pending_.step_by_bar;
            item.step.line = pending_.line;
            item.step.time = pending_.time;
            take_pending(item);
            is_scale_of_earlier_step_ = true;
            add_item(std::move(item));
        }
    }

    void take_pending(Item& item) {
        item.events += pending_.skips != 0 ? pending_.skips : pending_.unnumbered;
        item.events_repeated = item.events_repeated || pending_.repeated;
        item.events_uncertain = item.events_uncertain || pending_.uncertain;
        item.step.falls += pending_.falls;
        item.step.growths += pending_.growths;
        item.step.applied_overflows += pending_.applied;
        item.step.scale = item.step.scale ? item.step.scale : pending_.scale;
        pending_ = {};
    }

    void end_series() {
        add_item_of_events();
        set_intervals(items_, series_);
        if (series_.resumed_at && series_.begins_at_start) {
            series_.resumed_at.reset();
            ++parts_;
        }
        series_.part = parts_;
        if (pending_.any()) {
            add_events_without_line();
        }
        series_.skips_by_events = has_skip_events_;
        series_.lacks_main_loss = lacks_main_loss_ && !has_main_loss_;
        series_.covers_steps = series_.interval > 1 && std::any_of(items_.begin(), items_.end(), [](const Item& item) {
                                   return item.format != nullptr && item.format->covers_step;
                               });
        std::size_t lines = 0, counted = 0, totalled = 0;
        for (const Item& item : items_) {
            lines += item.format != nullptr ? 1U : 0U;
            counted += item.printed || item.total ? 1U : 0U;
            totalled += item.total ? 1U : 0U;
        }
        series_.skips_counted = lines != 0 && counted == lines && !series_.covers_steps;
        series_.skips_totalled = lines != 0 && totalled == lines;
        set_skips(items_, series_);
        series_.steps.clear();
        for (Item& item : items_) {
            series_.steps.push_back(std::move(item.step));
        }
        if (!series_.steps.empty() || !series_.marks.empty()) {
            done_.push_back(std::move(series_));
        }
    }

    /// Events after the last step line, or of a log without step lines: one item for all of them. Their steps are
    /// unknown in the latter.
    void add_events_without_line() {
        Item item;
        item.step.line = pending_.line;
        item.step.time = pending_.time;
        take_pending(item);
        item.step.steps = std::max<std::uint64_t>(item.events, 1);
        item.step.step = items_.empty() ? std::nullopt : std::optional(*items_.back().step.step + item.step.steps);
        items_.push_back(std::move(item));
    }

    std::optional<std::uint64_t> rank_;
    bool has_other_processes_ = false;
    Series series_;
    std::vector<Item> items_;
    std::vector<Series> done_;
    std::uint64_t parts_ = 1;
    Pending pending_;
    std::optional<double> scale_;
    std::optional<std::uint64_t> scale_rank_;  ///< of the process that printed it
    bool has_main_loss_ = false, has_skip_events_ = false;
    bool lacks_main_loss_ = false, is_scale_of_earlier_step_ = false;
    StepNumbers numbers_;
};

/// Rank and local rank.
using Key = std::pair<std::optional<std::uint64_t>, std::optional<std::uint64_t>>;

Key key_of(const LineFacts& fact) {
    return {fact.rank, fact.rank ? std::nullopt : fact.local_rank};
}

}  // namespace

std::optional<std::uint64_t> Series::first_step() const {
    return steps.empty() ? std::nullopt : steps.front().step;
}

std::optional<std::uint64_t> Series::last_step() const {
    return steps.empty() ? std::nullopt : steps.back().step;
}

std::vector<Series> series_of(const std::vector<LineFacts>& facts, std::uint64_t damaged) {
    std::map<Key, std::vector<const LineFacts*>> by_rank;
    for (const LineFacts& fact : facts) {
        if (fact.format->is_step) {
            by_rank[key_of(fact)];
        }
    }
    if (by_rank.empty() && !facts.empty()) {
        by_rank[{}];
    }
    if (by_rank.size() == 2) {
        by_rank.erase(Key{});  // DeepSpeed prints the rank in some lines of a step only
    }
    for (const LineFacts& fact : facts) {  // lines of ranks without step lines belong to the rank that has them
        const auto own = by_rank.find(key_of(fact));
        (own == by_rank.end() ? by_rank.begin() : own)->second.push_back(&fact);
    }
    std::vector<Series> all;
    for (const auto& [key, of_rank] : by_rank) {
        const NumberedLines steps = numbered_lines(of_rank);
        Builder builder(key.first, has_several_processes(of_rank, steps));
        const std::vector<bool> torn = torn_steps(steps, of_rank.size());
        std::uint64_t torn_lines = 0;
        for (std::size_t i = 0; i < of_rank.size(); ++i) {
            if (torn[i]) {
                ++torn_lines;
            } else if (of_rank[i]->format->is_step) {
                builder.add_step(*of_rank[i]);
            } else {
                builder.add_event(*of_rank[i]);
            }
        }
        std::vector<Series> series = builder.finish(damaged + torn_lines);
        std::move(series.begin(), series.end(), std::back_inserter(all));
    }
    return all;
}

}  // namespace opdebug::training
