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
/// Clocks of host and device differ by up to 5 s. Logs print whole seconds.
constexpr std::int64_t kBefore = 5 * kSecond, kAfter = 6 * kSecond;
constexpr std::uint64_t kLatestTime = 1ULL << 60U;  ///< later timestamps are no times
constexpr int kLeastOffset = -12 * 60, kMostOffset = 14 * 60, kHour = 60;
/// A longer interval contains a pause, such as a restart or an evaluation.
constexpr std::int64_t kMostOfMedian = 10;

/// "2026-05-04 10:11:12", with a fraction after a point or a comma, with a blank or T before the hours.
std::optional<std::int64_t> parse_time(std::string text) {
    constexpr std::size_t kDate = 10, kSeconds = 19, kMilliseconds = 23;
    if (text.size() < kSeconds) {
        return std::nullopt;
    }
    std::replace(text.begin(), text.begin() + kDate, '/', '-');
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
std::optional<bool> is_skipped(const Step& step, const Series& series) {
    const bool is_sure = !series.guessed && !series.ranks_disagree && !series.steps_counted &&
                         series.skips_are_sure() && !step.skips_uncertain;
    return !is_sure                     ? std::nullopt
           : step.skipped == 0U         ? std::optional(false)
           : step.skipped == step.steps ? std::optional(true)
                                        : std::nullopt;
}

std::string offset_text(int minutes) {
    const int size = std::abs(minutes);
    return fmt::format("{}{:02}:{:02}", minutes < 0 ? '-' : '+', size / 60, size % 60);
}

}  // namespace

std::string_view to_string(Alignment alignment) noexcept {
    switch (alignment) {
        case Alignment::assumed: return "assumed";
        case Alignment::by_time: return "by_time";
        case Alignment::unknown: break;
    }
    return "unknown";
}

StepTimes::StepTimes(const std::vector<Run>& runs) {
    bool is_known = true;
    for (const Run& run : runs) {
        const bool is_whole = run.series.missing + run.series.damaged == 0 && !run.series.cut;
        for (const Step& step : run.series.steps) {
            const std::optional<bool> skipped = is_skipped(step, run.series);
            is_known = is_known && is_whole && skipped && (!all_skipped_ || all_skipped_ == skipped);
            all_skipped_ = skipped;
        }
        add_pieces_of(run);
    }
    all_skipped_ = is_known ? all_skipped_ : std::nullopt;
}

void StepTimes::add_pieces_of(const Run& run) {
    const std::vector<Step>& steps = run.series.steps;
    std::vector<std::optional<std::int64_t>> times;
    std::vector<std::int64_t> lengths;
    times.reserve(steps.size());
    lengths.reserve(steps.size());
    for (const Step& step : steps) {
        times.push_back(parse_time(step.time));
        if (times.size() > 1 && times.back() && times[times.size() - 2]) {
            lengths.push_back(*times.back() - *times[times.size() - 2]);
        }
    }
    const auto middle = lengths.begin() + static_cast<std::ptrdiff_t>(lengths.size() / 2);
    std::nth_element(lengths.begin(), middle, lengths.end());
    const std::int64_t longest = lengths.empty() ? 0 : std::max(kSecond, *middle) * kMostOfMedian;
    Piece piece{run.series.rank, {}};
    for (std::size_t i = 1; i < steps.size(); ++i) {
        const Step &step = steps[i], &before = steps[i - 1];
        if (!times[i] || !times[i - 1]) {
            continue;
        }
        if (*times[i] < *times[i - 1]) {
            pieces_.push_back(std::exchange(piece, Piece{run.series.rank, {}}));
            continue;
        }
        const bool is_consecutive =
            step.step && before.step && step.steps == run.series.interval && *step.step == *before.step + step.steps;
        if (is_consecutive && !run.series.steps_counted && *times[i] - *times[i - 1] <= longest) {
            Interval interval{*times[i - 1], *times[i], *step.step, step.steps, is_skipped(step, run.series), 0};
            if (!piece.intervals.empty()) {
                const Interval& last = piece.intervals.back();
                interval.changes = last.changes + (last.skipped == interval.skipped ? 0 : 1);
            }
            piece.intervals.push_back(interval);
        }
    }
    pieces_.push_back(std::move(piece));
}

std::uint64_t StepTimes::count_inside(const std::vector<std::int64_t>& times, int minutes) const {
    std::vector<std::pair<std::int64_t, std::int64_t>> ranges;
    for (const Piece& piece : pieces_) {
        if (!piece.intervals.empty()) {
            ranges.emplace_back(piece.intervals.front().begin_us, piece.intervals.back().end_us);
        }
    }
    std::sort(ranges.begin(), ranges.end());
    std::uint64_t count = 0;
    auto next = times.begin();
    for (const auto& [begin, end] : ranges) {
        const std::int64_t offset = minutes * kMinute;
        const auto first = std::lower_bound(next, times.end(), begin - offset - kBefore);
        next = std::upper_bound(first, times.end(), end - offset + kAfter);
        count += static_cast<std::uint64_t>(next - first);
    }
    return count;
}

StepAlignment StepTimes::align(const std::vector<OverflowTime>& overflows, std::optional<int> known,
                               int of_machine) const {
    std::vector<std::int64_t> times;
    times.reserve(overflows.size());
    for (const OverflowTime& overflow : overflows) {
        if (overflow.timestamp_us < kLatestTime) {
            times.push_back(static_cast<std::int64_t>(overflow.timestamp_us));
        }
    }
    std::sort(times.begin(), times.end());
    StepAlignment alignment;
    alignment.overflows = times.size();
    const bool has_times =
        std::any_of(pieces_.begin(), pieces_.end(), [](const Piece& piece) { return !piece.intervals.empty(); });
    if (times.empty() || !has_times) {
        alignment.because = remarks::phrase(has_times ? "training_zone_no_overflows" : "training_zone_no_times");
        return alignment;
    }
    alignment.utc_offset_minutes = known.value_or(of_machine);
    alignment.inside = count_inside(times, alignment.utc_offset_minutes);
    const auto is_enough = [&times, &known](std::uint64_t inside) {
        return inside * 100 >= times.size() * rule(known ? "inside_percent_of_known_zone" : "inside_percent");
    };
    alignment.fits = is_enough(alignment.inside);
    for (int minutes = kLeastOffset; minutes <= kMostOffset && !known; minutes += kHour) {
        if (minutes != alignment.utc_offset_minutes && is_enough(count_inside(times, minutes))) {
            alignment.other_zones.push_back(minutes);
        }
    }
    alignment.alignment = !alignment.fits                 ? Alignment::unknown
                          : alignment.other_zones.empty() ? Alignment::by_time
                                                          : Alignment::assumed;
    const std::vector<int>& others = alignment.other_zones;
    const std::string_view id = !alignment.fits && others.size() == 1       ? "training_zone_other"
                                : !alignment.fits && known                  ? "training_zone_outside"
                                : !alignment.fits                           ? "training_zone_none"
                                : known                                     ? "training_zone_given"
                                : alignment.alignment == Alignment::by_time ? "training_zone_fits"
                                                                            : "training_zone_assumed";
    alignment.because = remarks::phrase(id, {{"offset", offset_text(alignment.utc_offset_minutes)},
                                             {"other", others.empty() ? "" : offset_text(others.front())},
                                             {"inside", alignment.inside},
                                             {"overflows", alignment.overflows}});
    return alignment;
}

/// Adds the steps of a piece that are possible at this time. False: the pieces contradict each other.
bool StepTimes::add_steps_of(const Piece& piece, std::int64_t time, TrainingStep& found) const {
    const auto first =
        std::lower_bound(piece.intervals.begin(), piece.intervals.end(), time - kAfter,
                         [](const Interval& interval, std::int64_t wanted) { return interval.end_us < wanted; });
    const auto end =
        std::upper_bound(first, piece.intervals.end(), time + kBefore,
                         [](std::int64_t wanted, const Interval& interval) { return wanted < interval.begin_us; });
    if (first == end) {
        return true;
    }
    const Interval& last = *(end - 1);
    const std::uint64_t from = first->step - first->steps + 1;
    const std::optional<bool> skipped = last.changes == first->changes ? last.skipped : std::nullopt;
    if (found.step) {
        const std::uint64_t other_from = *found.step - found.steps + 1;
        if (from > *found.step + 1 || other_from > last.step + 1) {
            return false;
        }
        found.skipped = found.skipped == skipped ? skipped : std::nullopt;
        const std::uint64_t to = std::max(*found.step, last.step);
        found.steps = to - std::min(from, other_from) + 1;
        found.step = to;
        return true;
    }
    found.step = last.step;
    found.steps = last.step - from + 1;
    found.skipped = skipped;
    return true;
}

TrainingStep StepTimes::step_of(const OverflowTime& overflow, const StepAlignment& alignment) const {
    TrainingStep found;
    if (alignment.alignment == Alignment::unknown) {
        found.skipped = alignment.fits ? all_skipped_ : std::nullopt;
        found.because = !found.skipped
                            ? alignment.because
                            : remarks::phrase(*found.skipped ? "training_all_skipped" : "training_all_applied");
        return found;
    }
    found = step_in_zone(overflow, alignment.utc_offset_minutes);
    if (!found.step) {
        return found;
    }
    found.alignment = alignment.alignment;
    for (const int minutes : alignment.other_zones) {
        const bool is_same = step_in_zone(overflow, minutes).skipped == found.skipped;
        found.skipped = is_same ? found.skipped : std::nullopt;
    }
    return found;
}

TrainingStep StepTimes::step_in_zone(const OverflowTime& overflow, int minutes) const {
    TrainingStep found;
    const std::int64_t time =
        static_cast<std::int64_t>(std::min(overflow.timestamp_us, kLatestTime)) + minutes * kMinute;
    const bool has_rank = overflow.rank && std::any_of(pieces_.begin(), pieces_.end(), [&overflow](const Piece& piece) {
                              return piece.rank == overflow.rank;
                          });
    for (const Piece& piece : pieces_) {
        const bool is_wanted = !has_rank || piece.rank == overflow.rank;
        if (is_wanted && !add_steps_of(piece, time, found)) {
            TrainingStep none;
            none.because = remarks::phrase("training_steps_differ");
            return none;
        }
    }
    if (!found.step) {
        found.because = remarks::phrase("training_step_outside");
        return found;
    }
    found.because = remarks::phrase(found.steps == 1 ? "training_step_by_time" : "training_steps_by_time",
                                    {{"first", *found.step - found.steps + 1}, {"last", *found.step}});
    return found;
}

}  // namespace opdebug::training
