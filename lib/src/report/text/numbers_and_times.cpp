#include "report/text/numbers_and_times.hpp"

#include <cstdlib>
#include <ctime>

#include <fmt/chrono.h>
#include <fmt/format.h>

#include "remarks/durations.hpp"
#include "report/text/joined_lists.hpp"
#include "scan/times.hpp"

namespace opdebug::report {
namespace {

constexpr std::uint64_t kLatest = 253402300799ULL * 1'000'000;  // 9999-12-31, what calendars can show

}  // namespace

std::string hex_words(const std::vector<std::uint64_t>& words, std::string_view separator) {
    return joined(words, separator, hex);
}

std::string show_count(std::uint64_t count) {
    const std::string digits = fmt::to_string(count);
    std::string text;
    for (std::size_t i = 0; i < digits.size(); ++i) {
        if (i > 0 && (digits.size() - i) % 3 == 0) {
            text += ',';
        }
        text += digits[i];
    }
    return text;
}

std::string show_offset(const std::optional<std::uint64_t>& time_us, const std::optional<std::uint64_t>& from_us,
                        Language language) {
    if (!time_us || !from_us) {
        return {};
    }
    constexpr std::int64_t kRoundedToMinute = 59'999'500;
    const std::int64_t later_us = scan_stage::time_difference(*time_us, *from_us);
    return later_us > -kRoundedToMinute && later_us < kRoundedToMinute
               ? fmt::format("{:+.3f} s", static_cast<double>(later_us) / 1e6)
               : fmt::format("{}{}", later_us < 0 ? '-' : '+', remarks::show_duration(later_us).in(language));
}

std::string number_ranges(const std::vector<std::uint64_t>& numbers, std::string_view separator, std::size_t most) {
    std::string text;
    std::size_t runs = 0;
    for (std::size_t i = 0, last = 0; i < numbers.size(); i = last + 1) {
        if (runs++ == most) {
            return text + fmt::format("{}... ({})", separator, numbers.size());
        }
        for (last = i; last + 1 < numbers.size() && numbers[last + 1] == numbers[last] + 1;) {
            ++last;
        }
        text += text.empty() ? std::string_view() : separator;
        text += last == i ? fmt::to_string(numbers[i]) : fmt::format("{}-{}", numbers[i], numbers[last]);
    }
    return text;
}

std::string show_utc(std::uint64_t timestamp_us) {
    if (timestamp_us > kLatest) {
        return fmt::format("{} us", timestamp_us);
    }
    return fmt::format("{:%F %T}.{:06}", fmt::gmtime(static_cast<std::time_t>(timestamp_us / 1'000'000)),
                       timestamp_us % 1'000'000);
}

int shown_offset(std::uint64_t timestamp_us, const std::optional<int>& of_run, const ReportOptions& options) {
    return of_run ? *of_run : options.utc_offset_minutes ? options.utc_offset_minutes(timestamp_us) : 0;
}

std::string show_local_time(std::uint64_t timestamp_us, int offset_minutes) {
    if (timestamp_us > kLatest) {
        return show_utc(timestamp_us);
    }
    const auto seconds = static_cast<std::time_t>(timestamp_us / 1'000'000) + std::time_t{60} * offset_minutes;
    const int minutes = std::abs(offset_minutes);
    return fmt::format("{:%F %T}.{:03} ({}{:02}:{:02})", fmt::gmtime(seconds), timestamp_us / 1'000 % 1'000,
                       offset_minutes < 0 ? '-' : '+', minutes / 60, minutes % 60);
}

std::string show_time(std::uint64_t timestamp_us) {
    return timestamp_us > kLatest ? show_utc(timestamp_us) : show_utc(timestamp_us) + " UTC";
}

}  // namespace opdebug::report
