#include "report/html/html_axis.hpp"

#include <algorithm>
#include <cstddef>

#include <fmt/format.h>

#include "report/text/numbers_and_times.hpp"

namespace opdebug::report {
namespace {

constexpr std::uint64_t kFar = 50;

std::size_t most_left_out(std::size_t count) {
    return count < 3 ? 0 : std::max<std::size_t>(count < 5 ? 1 : 2, count / 20);
}

}  // namespace

AxisRange axis_range(std::vector<std::uint64_t> values, std::uint64_t least_gap) {
    std::sort(values.begin(), values.end());
    const std::size_t most = most_left_out(values.size());
    const std::size_t at_one_end = std::min(most, (values.size() - 1) / 2);
    std::size_t first = at_one_end, last = values.size() - 1 - at_one_end;  // so far: the central values
    const std::uint64_t central = values[last] - values[first];
    const std::uint64_t far = std::max(least_gap, central > UINT64_MAX / kFar ? UINT64_MAX : central * kFar);
    while (first > 0 && values[first] - values[first - 1] <= far) {
        --first;
    }
    while (last + 1 < values.size() && values[last + 1] - values[last] <= far) {
        ++last;
    }
    const std::size_t left_out = first + (values.size() - 1 - last);
    return left_out > most ? AxisRange{values.front(), values.back()} : AxisRange{values[first], values[last]};
}

namespace {

constexpr std::uint64_t kSecond = 1'000'000, kMinute = 60 * kSecond, kHour = 60 * kMinute, kDay = 24 * kHour;
constexpr std::uint64_t kMostTicks = 7;

/// The smallest round distance that leaves at most kMostTicks distances in the range: 1, 2, 5, 10, 20, 50, ...
std::uint64_t round_distance(std::uint64_t range) {
    for (std::uint64_t power = 1; power <= UINT64_MAX / 100; power *= 10) {
        for (const std::uint64_t factor : {1U, 2U, 5U}) {
            if (range / (factor * power) < kMostTicks) {
                return factor * power;
            }
        }
    }
    return UINT64_MAX / 5;
}

std::uint64_t time_distance(std::uint64_t range) {
    if (range / kSecond < kMostTicks) {
        return round_distance(range);
    }
    for (const std::uint64_t distance :
         {2 * kSecond, 5 * kSecond, 10 * kSecond, 15 * kSecond, 30 * kSecond, kMinute, 2 * kMinute, 5 * kMinute,
          10 * kMinute, 15 * kMinute, 30 * kMinute, kHour, 2 * kHour, 3 * kHour, 6 * kHour, 12 * kHour}) {
        if (range / distance < kMostTicks) {
            return distance;
        }
    }
    return round_distance(range / kDay) * kDay;
}

/// The part of a time that differs between ticks of that distance: "03-04", "03-04 10:00", "10:00:05", "10:00:05.25".
std::string time_label(std::uint64_t value, std::uint64_t distance, bool several_days) {
    std::string whole = show_utc(value);  // YYYY-MM-DD HH:MM:SS.ffffff
    if (whole.size() != 26) {
        return whole;
    }
    if (distance >= kDay) {
        return whole.substr(0, 10);
    }
    const std::size_t start = several_days ? 5 : 11;
    if (distance >= kMinute) {
        return whole.substr(start, 16 - start);
    }
    std::size_t digits = 0;
    for (std::uint64_t unit = kSecond; digits < 6 && distance % unit != 0; unit /= 10) {
        ++digits;
    }
    return whole.substr(start, (digits == 0 ? 19 : 20 + digits) - start);
}

/// Multiples of the distance from low to high.
std::vector<std::uint64_t> multiples(std::uint64_t low, std::uint64_t high, std::uint64_t distance) {
    std::vector<std::uint64_t> values;
    const std::uint64_t rest = low % distance;
    for (std::uint64_t step = rest == 0 ? 0 : distance - rest; step <= high - low; step += distance) {
        values.push_back(low + step);
        if (high - low - step < distance) {
            break;
        }
    }
    if (values.empty()) {
        values.push_back(low);
    }
    return values;
}

}  // namespace

std::vector<AxisTick> time_ticks(std::uint64_t low, std::uint64_t high) {
    const std::uint64_t distance = low == high ? 1 : time_distance(high - low);
    const std::vector<std::uint64_t> values = multiples(low, high, distance);
    std::vector<AxisTick> ticks;
    ticks.reserve(values.size());
    for (const std::uint64_t value : values) {
        ticks.push_back({value, time_label(value, distance, low / kDay != high / kDay)});
    }
    return ticks;
}

std::vector<AxisTick> number_ticks(std::uint64_t low, std::uint64_t high) {
    const std::vector<std::uint64_t> values = multiples(low, high, round_distance(high - low));
    std::vector<AxisTick> ticks;
    ticks.reserve(values.size());
    for (const std::uint64_t value : values) {
        ticks.push_back({value, fmt::to_string(value)});
    }
    return ticks;
}

}  // namespace opdebug::report
