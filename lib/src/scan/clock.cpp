#include "scan/clock.hpp"

#include <algorithm>
#include <limits>

#include <fmt/format.h>

namespace opdebug::scan_stage {

std::int64_t time_difference(std::uint64_t a, std::uint64_t b) noexcept {
    constexpr std::uint64_t kMost = std::numeric_limits<std::int64_t>::max();
    const auto size = static_cast<std::int64_t>(std::min(a > b ? a - b : b - a, kMost));
    return a < b ? -size : size;
}

std::string show_duration(std::int64_t microseconds) {
    // Where time_difference() cuts; as a double, so the nearest 1,000 numbers count as cut as well.
    constexpr auto kCut = static_cast<double>(std::numeric_limits<std::int64_t>::max());
    const auto size = microseconds < 0 ? -static_cast<double>(microseconds) : static_cast<double>(microseconds);
    if (size >= kCut) {
        return fmt::format("at least {:.3f} s", kCut / 1e6);
    }
    return size < 1000 ? fmt::format("{:.0f} us", size) : fmt::format("{:.3f} s", size / 1e6);
}

std::string show_later(std::int64_t later_us) {
    return later_us == 0 ? "at the same time"
                         : fmt::format("{} {}", show_duration(later_us), later_us < 0 ? "earlier" : "later");
}

namespace {

/// Fewer common steps are no measurement.
constexpr std::size_t kLeastSteps = 3;

}  // namespace

void add_step(ClockComparison& comparison, std::int64_t later_us) {
    comparison.least_us = comparison.steps == 0 ? later_us : std::min(comparison.least_us, later_us);
    comparison.most_us = comparison.steps == 0 ? later_us : std::max(comparison.most_us, later_us);
    ++comparison.steps;
}

ClockComparison compare_clocks(const StepTimes& reference, const StepTimes& other,
                               std::optional<std::uint64_t> judged_step) {
    ClockComparison comparison;
    for (const auto& [step, time] : reference) {
        const auto same = other.find(step);
        if (same == other.end() || step == judged_step) {
            continue;
        }
        add_step(comparison, time_difference(same->second, time));
    }
    return comparison;
}

PlaceTimes step_times(const std::vector<const ScanItem*>& overflowed) {
    PlaceTimes times;
    for (const ScanItem* item : overflowed) {
        if (item->path_ids.data_index && item->timestamp_us && !is_wild(*item->timestamp_us)) {
            const auto [step, added] = times[place_of(*item)].emplace(*item->path_ids.data_index, *item->timestamp_us);
            step->second = std::min(step->second, *item->timestamp_us);
        }
    }
    return times;
}

ClockComparison compare_clocks(const PlaceTimes& times, const Place& reference, const Place& other,
                               std::optional<std::uint64_t> judged_step) {
    const auto reference_times = times.find(reference), other_times = times.find(other);
    if (reference_times == times.end() || other_times == times.end()) {
        return {};
    }
    return compare_clocks(reference_times->second, other_times->second, judged_step);
}

std::string doubt_of(const ClockComparison& comparison, std::int64_t apart_us) {
    if (apart_us <= kOneSecond) {
        return "within 1 s";
    }
    if (comparison.steps < kLeastSteps) {
        return {};
    }
    // As unsigned numbers: the two may lie at the ends of the type.
    const std::uint64_t spread =
        static_cast<std::uint64_t>(comparison.most_us) - static_cast<std::uint64_t>(comparison.least_us);
    if (static_cast<std::uint64_t>(apart_us) <= spread) {
        return fmt::format("the two places' difference varies by {} over {} other steps",
                           show_duration(time_difference(spread, 0)), comparison.steps);
    }
    const bool always_later = comparison.least_us > kOneSecond && spread <= static_cast<std::uint64_t>(kOneSecond);
    if (always_later && apart_us - kOneSecond <= comparison.most_us) {
        return fmt::format("{} to {} later in {} other steps as well, so its clock may be ahead",
                           show_duration(comparison.least_us), show_duration(comparison.most_us), comparison.steps);
    }
    return {};
}

}  // namespace opdebug::scan_stage
