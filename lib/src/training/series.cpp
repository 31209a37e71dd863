// The lines of a process → series of steps, one for each start of the process.
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <utility>

#include "training/series.hpp"

namespace opdebug::training {
namespace {

class Builder {
public:
    explicit Builder(const ProcessLines& lines) : lines_(lines) { begin({}); }

    void add_event(const LineFacts& fact) {
        const States& states = fact.format->states;
        const std::optional<std::uint64_t> step = numbers_.of(fact);
        if (states.stop_nan || states.stop || states.static_hit || states.at_minimum) {
            const auto kind = states.stop_nan     ? Mark::Kind::nan_stop
                              : states.stop       ? Mark::Kind::stop
                              : states.static_hit ? Mark::Kind::static_scale
                                                  : Mark::Kind::at_minimum;
            series_.marks.push_back({kind, step, fact.rank, series_.last_step(), fact.line});
        }
        note_format(*fact.format);
        has_skip_events_ = has_skip_events_ || states.skip || states.applied;
        events_.add(fact, step, items_);
        series_.ranks_disagree = series_.ranks_disagree || events_.ranks_disagree();
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
        if (!items_.empty() && items_.front().format == &format &&
            ((items_.front().printed && !item.printed) || (items_.front().has_scale && !item.step.scale) ||
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
    std::vector<Series> finish() {
        end_series();
        for (Series& series : done_) {
            series.damaged += lines_.damaged;
            series.parts = parts_;
        }
        return std::move(done_);
    }

private:
    void begin(std::optional<std::uint64_t> resumed_at) {
        series_ = {};
        series_.rank = lines_.rank;
        series_.resumed_at = resumed_at;
        series_.guessed = true;
        items_.clear();
        has_main_loss_ = lacks_main_loss_ = has_skip_events_ = false;
        numbers_.restart();
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

    /// The item of the same step: of another process, of another format, or with the same values. Null: none.
    Item* item_of_same_step(const Item& item) {
        const std::uint64_t number = *item.step.step;
        for (std::size_t i = items_.size(); i-- > 0 && *items_[i].step.step >= number;) {
            const bool is_last = i + 1 == items_.size();
            if (items_[i].step.step == number && *series_.last_step() <= number + kStepsApart &&
                (lines_.are_of_several_processes || items_[i].format != item.format ||
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
                return events_.move_to(*same);
            }
            Events events = std::exchange(events_, {});
            end_series();
            begin(number);
            events.restart();
            events_ = std::move(events);
            const Events::Pending& pending = events_.pending();
            has_skip_events_ = pending.skips + pending.applied + pending.unnumbered != 0;
        }
        events_.pass(item.step);
        events_.move_to(item);
        add_item(std::move(item));
    }

    void add_item(Item item) {
        series_.steps.push_back({});  // for last_step(); end_series() fills it
        series_.steps.back().step = item.step.step;
        items_.push_back(std::move(item));
    }

    void end_series() {
        set_intervals(items_, series_);
        if (series_.resumed_at && series_.begins_at_start) {
            series_.resumed_at.reset();
            ++parts_;
        }
        series_.part = parts_;
        if (events_.pending().any()) {
            add_events_without_line();
        }
        series_.skips_by_events = has_skip_events_;
        series_.lacks_main_loss = lacks_main_loss_ && !has_main_loss_;
        series_.covers_steps = series_.interval > 1 && std::any_of(items_.begin(), items_.end(), [](const Item& item) {
                                   return item.format != nullptr && item.format->covers_step;
                               });
        std::size_t lines = 0, counted = 0;
        for (const Item& item : items_) {
            lines += item.format != nullptr ? 1U : 0U;
            counted += item.printed || item.total ? 1U : 0U;
        }
        series_.skips_counted = lines != 0 && counted == lines && !series_.covers_steps;
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
        item.step.line = events_.pending().line;
        item.step.time = events_.pending().time;
        events_.move_to(item);
        item.step.steps = std::max<std::uint64_t>(item.events, 1);
        item.step.step = items_.empty() ? std::nullopt : std::optional(*items_.back().step.step + item.step.steps);
        items_.push_back(std::move(item));
    }

    const ProcessLines& lines_;
    Series series_;
    std::vector<Item> items_;
    std::vector<Series> done_;
    std::uint64_t parts_ = 1;
    Events events_;
    bool has_main_loss_ = false, lacks_main_loss_ = false, has_skip_events_ = false;
    StepNumbers numbers_;
};

}  // namespace

std::optional<std::uint64_t> Series::first_step() const {
    return steps.empty() ? std::nullopt : steps.front().step;
}

std::optional<std::uint64_t> Series::last_step() const {
    return steps.empty() ? std::nullopt : steps.back().step;
}

std::vector<Series> series_of(const ProcessLines& lines) {
    Builder builder(lines);
    for (const LineFacts* const fact : lines.facts) {
        if (fact->format->is_step) {
            builder.add_step(*fact);
        } else {
            builder.add_event(*fact);
        }
    }
    return builder.finish();
}

}  // namespace opdebug::training
