// The time in a log line's prefix.
#include "logs/line_time.hpp"

#include <chrono>

namespace opdebug::logs {
namespace {

constexpr std::size_t kWithMilliseconds = std::string_view("YYYY-MM-DD-hh:mm:ss.mmm").size();
constexpr std::size_t kWithMicroseconds = std::string_view("YYYY-MM-DD-hh:mm:ss.mmm.uuu").size();

/// Numbers at fixed places. That one of the bytes was no digit is asked once at the end: most times are good, and a
/// question for each byte took a tenth of the time of reading a log.
class FixedDigits {
public:
    explicit FixedDigits(std::string_view text) noexcept : text_(text) {}

    int number(std::size_t offset, std::size_t digits) noexcept {
        unsigned value = 0;
        for (std::size_t index = offset; index < offset + digits; ++index) {
            const unsigned digit = static_cast<unsigned char>(text_[index]) - unsigned{'0'};
            good_ = good_ && digit <= 9;
            value = value * 10 + digit;
        }
        return static_cast<int>(value);
    }
    bool good() const noexcept { return good_; }

private:
    std::string_view text_;
    bool good_ = true;
};

bool has_marks(std::string_view text) noexcept {
    return text[4] == '-' && text[7] == '-' && text[10] == '-' && text[13] == ':' && text[16] == ':' &&
           text[19] == '.' && (text.size() == kWithMilliseconds || text[23] == '.');
}

}  // namespace

std::optional<std::int64_t> parse_line_time(std::string_view text) noexcept {
    const bool microseconds = text.size() == kWithMicroseconds;
    if ((!microseconds && text.size() != kWithMilliseconds) || !has_marks(text)) {
        return std::nullopt;
    }
    FixedDigits digits(text);
    const std::chrono::year_month_day date{std::chrono::year{digits.number(0, 4)},
                                           std::chrono::month{static_cast<unsigned>(digits.number(5, 2))},
                                           std::chrono::day{static_cast<unsigned>(digits.number(8, 2))}};
    const int hour = digits.number(11, 2);
    const int minute = digits.number(14, 2);
    const int second = digits.number(17, 2);
    const int millisecond = digits.number(20, 3);
    const int microsecond = microseconds ? digits.number(24, 3) : 0;
    if (!digits.good() || !date.ok() || date.year() < std::chrono::year{1970} ||
        date.year() > std::chrono::year{2100} || hour > 23 || minute > 59 || second > 59) {
        return std::nullopt;
    }
    const std::int64_t days = std::chrono::sys_days{date}.time_since_epoch().count();
    const std::int64_t seconds = ((days * 24 + hour) * 60 + minute) * 60 + second;
    return (seconds * 1000 + millisecond) * 1000 + microsecond;
}

}  // namespace opdebug::logs
