// The time in a log line's prefix.
#include "logs/text/line_time.hpp"

#include <algorithm>
#include <chrono>

namespace opdebug::logs {
namespace {

constexpr std::size_t kWithMilliseconds = std::string_view("YYYY-MM-DD-hh:mm:ss.mmm").size();

/// Numbers at fixed places. That one of the bytes was no digit is asked once at the end: most times are good, and a
/// question for each byte took a tenth of the time of reading a log.
class FixedDigits {
public:
    explicit FixedDigits(std::string_view text) noexcept : text_(text) {}

    int number(std::size_t offset, std::size_t digits) noexcept {
        unsigned value = 0;
        for (std::size_t index = offset; index < offset + digits; ++index) {
            const unsigned digit = static_cast<unsigned char>(text_[index]) - unsigned{'0'};
            largest_ = std::max(largest_, digit);
            value = value * 10 + digit;
        }
        return static_cast<int>(value);
    }
    bool good() const noexcept { return largest_ <= 9; }

private:
    std::string_view text_;
    unsigned largest_ = 0;
};

bool has_marks_of_date(std::string_view text) noexcept {
    return text[4] == '-' && text[7] == '-' && text[10] == '-' && text[13] == ':';
}

bool has_marks_of_second(std::string_view text) noexcept {
    return text[16] == ':' && text[19] == '.' && (text.size() == kWithMilliseconds || text[23] == '.');
}

bool has_length(std::string_view text) noexcept {
    return text.size() == kWithMilliseconds || text.size() == LineTimes::kWithMicroseconds;
}

/// "YYYY-MM-DD-hh:mm"
std::optional<std::int64_t> parse_minute(std::string_view text) noexcept {
    FixedDigits digits(text);
    const std::chrono::year_month_day date{std::chrono::year{digits.number(0, 4)},
                                           std::chrono::month{static_cast<unsigned>(digits.number(5, 2))},
                                           std::chrono::day{static_cast<unsigned>(digits.number(8, 2))}};
    const int hour = digits.number(11, 2);
    const int minute = digits.number(14, 2);
    if (!digits.good() || !has_marks_of_date(text) || !date.ok() || date.year() < std::chrono::year{1970} ||
        date.year() > std::chrono::year{2100} || hour > 23 || minute > 59) {
        return std::nullopt;
    }
    const std::int64_t days = std::chrono::sys_days{date}.time_since_epoch().count();
    return ((days * 24 + hour) * 60 + minute) * 60 * 1'000'000;
}

/// What ":ss" adds to the minute, and ".mmm" or ".mmm.uuu" to the second.
bool parse_second(std::string_view text, std::int64_t& second_us, std::int64_t& microsecond) noexcept {
    FixedDigits digits(text);
    const int second = digits.number(17, 2);
    microsecond = std::int64_t{digits.number(20, 3)} * 1000;
    microsecond += text.size() == LineTimes::kWithMicroseconds ? digits.number(24, 3) : 0;
    second_us = std::int64_t{second} * 1'000'000;
    return digits.good() && has_marks_of_second(text) && second <= 59;
}

}  // namespace

std::optional<std::int64_t> parse_line_time(std::string_view text) noexcept {
    std::int64_t time_us = 0;
    return LineTimes().parse(text, time_us) ? std::optional(time_us) : std::nullopt;
}

bool LineTimes::parse_by_digits(std::string_view text, std::int64_t& time_us) noexcept {
    constexpr std::size_t kMinute = std::string_view("YYYY-MM-DD-hh:mm").size();
    if (!has_length(text)) {
        return false;
    }
    const bool is_same_minute = same_bytes(text.data(), second_.data(), kMinute);
    const std::optional<std::int64_t> minute_us = is_same_minute ? minute_us_ : parse_minute(text);
    std::int64_t second_us = 0;
    std::int64_t microsecond = 0;
    if (!minute_us || !parse_second(text, second_us, microsecond)) {
        return false;
    }
    std::copy_n(text.begin(), second_.size(), second_.begin());
    minute_us_ = *minute_us;
    second_us_ = *minute_us + second_us;
    time_us = second_us_ + microsecond;
    return true;
}

}  // namespace opdebug::logs
