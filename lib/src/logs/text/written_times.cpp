#include "logs/text/written_times.hpp"

#include <chrono>
#include <cstring>

#include "logs/text/three_digits.hpp"

namespace opdebug::logs {
namespace {

/// With so many digits, as far as they go.
void write_digits(std::int64_t number, std::size_t digits, char* text) noexcept {
    for (std::size_t place = digits; place > 0; --place) {
        text[place - 1] = static_cast<char>('0' + number % 10);
        number /= 10;
    }
}

constexpr std::int64_t kMicroseconds = 1'000'000;
constexpr std::int64_t kSecondsOfDay = std::int64_t{24} * 60 * 60;

}  // namespace

void WrittenTimes::begin_second(std::int64_t second) noexcept {
    const std::chrono::year_month_day date{std::chrono::sys_days{std::chrono::days{second / kSecondsOfDay}}};
    const std::int64_t of_day = second % kSecondsOfDay;
    constexpr std::array<char, 19> kForm{'Y', 'Y', 'Y', 'Y', '-', 'M', 'M', '-', 'D', 'D',
                                         '-', 'h', 'h', ':', 'm', 'm', ':', 's', 's'};
    text_ = kForm;
    write_digits(static_cast<int>(date.year()), 4, text_.data());
    write_digits(static_cast<unsigned>(date.month()), 2, text_.data() + 5);
    write_digits(static_cast<unsigned>(date.day()), 2, text_.data() + 8);
    write_digits(of_day / 3600, 2, text_.data() + 11);
    write_digits(of_day / 60 % 60, 2, text_.data() + 14);
    write_digits(of_day % 60, 2, text_.data() + 17);
    second_ = second;
}

bool WrittenTimes::write(std::int64_t time_us, char* text) noexcept {
    constexpr std::int64_t kEnd = std::int64_t{4'133'980'800} * kMicroseconds;  // 2101-01-01
    if (time_us < 0 || time_us >= kEnd) {
        return false;
    }
    const std::int64_t second = time_us / kMicroseconds;
    if (second != second_) {
        begin_second(second);
    }
    std::memcpy(text, text_.data(), text_.size());
    char* const behind = text + text_.size();
    const auto microsecond = static_cast<unsigned>(time_us % kMicroseconds);
    behind[0] = '.';
    std::memcpy(behind + 1, three_digits(microsecond / kThousand).data(), 3);
    behind[4] = '.';
    std::memcpy(behind + 5, three_digits(microsecond % kThousand).data(), 3);
    return true;
}

}  // namespace opdebug::logs
