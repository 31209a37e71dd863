// The time in a log line's prefix.
#include "logs/line_time.hpp"

#include <chrono>

#include "logs/scan.hpp"

namespace opdebug::logs {
namespace {

constexpr std::string_view kWithMilliseconds = "dddd-dd-dd-dd:dd:dd.ddd";
constexpr std::string_view kWithMicroseconds = "dddd-dd-dd-dd:dd:dd.ddd.ddd";

bool has_shape(std::string_view text, std::string_view shape) noexcept {
    if (text.size() != shape.size()) {
        return false;
    }
    for (std::size_t index = 0; index < shape.size(); ++index) {
        if (shape[index] == 'd' ? !is_digit(text[index]) : text[index] != shape[index]) {
            return false;
        }
    }
    return true;
}

int number(std::string_view text, std::size_t offset, std::size_t digits) noexcept {
    int value = 0;
    for (const char digit : text.substr(offset, digits)) {
        value = value * 10 + (digit - '0');
    }
    return value;
}

}  // namespace

std::optional<std::int64_t> parse_line_time(std::string_view text) noexcept {
    const bool microseconds = has_shape(text, kWithMicroseconds);
    if (!microseconds && !has_shape(text, kWithMilliseconds)) {
        return std::nullopt;
    }
    const std::chrono::year_month_day date{std::chrono::year{number(text, 0, 4)},
                                           std::chrono::month{static_cast<unsigned>(number(text, 5, 2))},
                                           std::chrono::day{static_cast<unsigned>(number(text, 8, 2))}};
    const int hour = number(text, 11, 2);
    const int minute = number(text, 14, 2);
    const int second = number(text, 17, 2);
    if (!date.ok() || date.year() < std::chrono::year{1970} || hour > 23 || minute > 59 || second > 59) {
        return std::nullopt;
    }
    const std::int64_t days = std::chrono::sys_days{date}.time_since_epoch().count();
    const std::int64_t seconds = ((days * 24 + hour) * 60 + minute) * 60 + second;
    const std::int64_t milliseconds = seconds * 1000 + number(text, 20, 3);
    return milliseconds * 1000 + (microseconds ? number(text, 24, 3) : 0);
}

}  // namespace opdebug::logs
