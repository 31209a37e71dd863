// The time in a log line's prefix.
#include <algorithm>
#include <chrono>

#include "logs/lines/lexer.hpp"
#include "logs/lines/line.hpp"

namespace opdebug::logs {
namespace {

constexpr std::string_view kMilliseconds = "YYYY-MM-DD-hh:mm:ss.mmm", kMicroseconds = "YYYY-MM-DD-hh:mm:ss.mmm.uuu";

/// The number of that many digits; -1: one of them is none.
int number_at(std::string_view text, std::size_t place, std::size_t digits) noexcept {
    int value = 0;
    for (const char c : text.substr(place, digits)) {
        value = is_digit(c) && value >= 0 ? value * 10 + (c - '0') : -1;
    }
    return value;
}

bool has_marks(std::string_view text) noexcept {
    return text[4] == '-' && text[7] == '-' && text[10] == '-' && text[13] == ':' && text[16] == ':';
}

/// "YYYY-MM-DD-hh:mm:ss" in microseconds.
std::optional<std::int64_t> parse_second(std::string_view text) noexcept {
    const int year = number_at(text, 0, 4), month = number_at(text, 5, 2), day = number_at(text, 8, 2);
    const int hour = number_at(text, 11, 2), minute = number_at(text, 14, 2), second = number_at(text, 17, 2);
    if (!has_marks(text) || std::min({year, month, day, hour, minute, second}) < 0) {
        return std::nullopt;
    }
    const std::chrono::year_month_day date{std::chrono::year{year}, std::chrono::month{static_cast<unsigned>(month)},
                                           std::chrono::day{static_cast<unsigned>(day)}};
    if (!date.ok() || year < 1970 || year > 2100 || hour > 23 || minute > 59 || second > 59) {
        return std::nullopt;
    }
    const std::int64_t days = std::chrono::sys_days{date}.time_since_epoch().count();
    return (((days * 24 + hour) * 60 + minute) * 60 + second) * 1'000'000;
}

}  // namespace

std::optional<std::int64_t> LineTimes::parse(std::string_view text) noexcept {
    const bool has_microseconds = text.size() == kMicroseconds.size();
    if ((!has_microseconds && text.size() != kMilliseconds.size()) || text[19] != '.' ||
        (has_microseconds && text[23] != '.')) {
        return std::nullopt;
    }
    const int milliseconds = number_at(text, 20, 3), microseconds = has_microseconds ? number_at(text, 24, 3) : 0;
    if (milliseconds < 0 || microseconds < 0) {
        return std::nullopt;
    }
    if (second_us_ < 0 || !text.starts_with(std::string_view(second_.data(), second_.size()))) {
        const std::optional<std::int64_t> second_us = parse_second(text);
        if (!second_us) {
            return std::nullopt;
        }
        std::copy_n(text.begin(), second_.size(), second_.begin());
        second_us_ = *second_us;
    }
    return second_us_ + std::int64_t{milliseconds} * 1000 + microseconds;
}

}  // namespace opdebug::logs
