#include "training/step_times.hpp"

#include <algorithm>
#include <cstdlib>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "logs/lines/line.hpp"
#include "remarks/diagnose.hpp"

namespace opdebug::training {
namespace {

constexpr std::int64_t kSecond = 1'000'000;
constexpr std::int64_t kMinute = 60 * kSecond;
/// Logs print whole seconds, and the clocks of host and device differ a little.
constexpr std::int64_t kMargin = kSecond;
/// Offsets from UTC in use: UTC-12 to UTC+14.
constexpr int kLeastOffset = -12 * 60, kMostOffset = 14 * 60, kOffsetStep = 15;

/// "2026-05-04 10:11:12", with a fraction after a point or a comma, with a blank or T before the hours.
std::optional<std::int64_t> parse_time(std::string text) {
    constexpr std::size_t kDate = 10, kSeconds = 19, kMilliseconds = 23;
    if (text.size() < kSeconds) {
        return std::nullopt;
    }
    text[kDate] = '-';
    if (text.size() > kSeconds) {
        text[kSeconds] = '.';
    }
    text.resize(std::min(text.size(), kMilliseconds));
    const std::string zeros = "YYYY-MM-DD-hh:mm:ss.000";
    text += zeros.substr(text.size());
    return logs::parse_line_time(text);
}

/// Whether all updates of the step, or of its interval, were skipped.
std::optional<bool> is_skipped(const Step& step) {
    return step.skipped == 0U ? std::optional(false) : step.skipped == step.steps ? std::optional(true) : std::nullopt;
}

bool is_inside(std::uint64_t percent, std::uint64_t part, std::uint64_t all) {
    return all != 0 && part * 100 >= all * percent;
}

std::string offset_text(int minutes) {
    const int size = std::abs(minutes);
    return fmt::format("{}{:02}:{:02}", minutes < 0 ? '-' : '+', size / 60, size % 60);
}

}  // namespace

StepTimes::StepTimes(const std::vector<Run>& runs) {
    bool all_known = true;
    for (const Run& run : runs) {
        TimedRun timed{run.series.rank, {}};
        timed.intervals.reserve(run.series.steps.size());
        std::optional<std::int64_t> before;
        for (const Step& step : run.series.steps) {
            const std::optional<bool> skipped = is_skipped(step);
            const bool agrees = !all_skipped_ || all_skipped_ == skipped;
            all_known = all_known && skipped && agrees;
            all_skipped_ = skipped;
            const std::optional<std::int64_t> time = parse_time(step.time);
            if (time && before && *before <= *time) {
                timed.intervals.push_back({*before, *time, step.step, step.steps, skipped});
            }
            before = time;
        }
        runs_.push_back(std::move(timed));
    }
    all_skipped_ = all_known ? all_skipped_ : std::nullopt;
}

StepAlignment StepTimes::align(const std::vector<OverflowTime>& overflows,
                               std::optional<int> utc_offset_minutes) const {
    std::vector<std::int64_t> times;
    times.reserve(overflows.size());
    for (const OverflowTime& overflow : overflows) {
        times.push_back(static_cast<std::int64_t>(overflow.timestamp_us));
    }
    std::sort(times.begin(), times.end());
    std::vector<std::pair<std::int64_t, std::int64_t>> ranges;
    for (const TimedRun& run : runs_) {
        if (!run.intervals.empty()) {
            ranges.emplace_back(run.intervals.front().begin_us, run.intervals.back().end_us);
        }
    }
    std::sort(ranges.begin(), ranges.end());
    // With a margin, so that an overflow of the last step is inside although its line has whole seconds.
    const auto inside_with = [&times, &ranges](int minutes) {
        std::uint64_t count = 0;
        auto next = times.begin();
        for (const auto& [begin, end] : ranges) {
            const std::int64_t offset = minutes * kMinute;
            const auto first = std::lower_bound(next, times.end(), begin - offset - kMargin);
            next = std::upper_bound(first, times.end(), end - offset + kMargin);
            count += static_cast<std::uint64_t>(next - first);
        }
        return count;
    };
    StepAlignment alignment;
    alignment.overflows = times.size();
    if (utc_offset_minutes) {
        alignment.utc_offset_minutes = utc_offset_minutes;
        alignment.inside = inside_with(*utc_offset_minutes);
        alignment.because = remarks::phrase("training_zone_given", {{"offset", offset_text(*utc_offset_minutes)},
                                                                    {"inside", alignment.inside},
                                                                    {"overflows", alignment.overflows}});
        return alignment;
    }
    std::size_t fitting = 0;
    for (int minutes = kLeastOffset; minutes <= kMostOffset; minutes += kOffsetStep) {
        const std::uint64_t inside = inside_with(minutes);
        if (is_inside(rule("inside_percent"), inside, times.size())) {
            alignment.utc_offset_minutes = ++fitting == 1 ? std::optional(minutes) : std::nullopt;
            alignment.inside = inside;
        }
    }
    if (alignment.utc_offset_minutes) {
        alignment.because =
            remarks::phrase("training_zone_fits", {{"offset", offset_text(*alignment.utc_offset_minutes)},
                                                   {"inside", alignment.inside},
                                                   {"overflows", alignment.overflows}});
    } else if (ranges.empty() || times.empty()) {
        alignment.because = remarks::phrase(ranges.empty() ? "training_zone_no_times" : "training_zone_no_overflows");
    } else {
        alignment.inside = 0;
        alignment.because = remarks::phrase(fitting == 0 ? "training_zone_none" : "training_zone_several",
                                            {{"fitting", fitting}, {"overflows", alignment.overflows}});
    }
    return alignment;
}

TrainingStep StepTimes::step_of(const OverflowTime& overflow, const StepAlignment& alignment) const {
    TrainingStep found;
    if (!alignment.utc_offset_minutes) {
        found.skipped = all_skipped_;
        found.because = !all_skipped_
                            ? alignment.because
                            : remarks::phrase(*all_skipped_ ? "training_all_skipped" : "training_all_applied");
        return found;
    }
    const std::int64_t time =
        static_cast<std::int64_t>(overflow.timestamp_us) + *alignment.utc_offset_minutes * kMinute;
    const bool has_rank = overflow.rank && std::any_of(runs_.begin(), runs_.end(), [&overflow](const TimedRun& run) {
                              return run.rank == overflow.rank;
                          });
    bool any = false, agree = true;
    std::uint64_t least = 0;
    for (const TimedRun& run : runs_) {
        if (has_rank && run.rank != overflow.rank) {
            continue;
        }
        auto step =
            std::lower_bound(run.intervals.begin(), run.intervals.end(), time - kMargin,
                             [](const Interval& interval, std::int64_t wanted) { return interval.end_us < wanted; });
        for (; step != run.intervals.end() && step->begin_us < time + kMargin; ++step) {
            agree = agree && step->step && (!any || found.skipped == step->skipped);
            found.skipped = step->skipped;
            if (step->step) {
                const std::uint64_t first = *step->step - std::min(*step->step, step->steps - 1);
                least = found.step ? std::min(least, first) : first;
                found.step = std::max(found.step.value_or(0), *step->step);
            }
            any = true;
        }
    }
    if (!found.step) {
        found.skipped.reset();
        found.because = remarks::phrase("training_step_outside");
        return found;
    }
    found.is_by_time = true;
    found.steps = *found.step - least + 1;
    found.skipped = agree ? found.skipped : std::nullopt;
    found.because = remarks::phrase(found.steps == 1 ? "training_step_by_time" : "training_steps_by_time",
                                    {{"first", least}, {"last", *found.step}});
    return found;
}

}  // namespace opdebug::training
