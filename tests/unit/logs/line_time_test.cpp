// Times of log lines: as they are written, and what is known of one line's for the next.
#include "logs/lines/line.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include <doctest/doctest.h>

using opdebug::logs::LineTimes;
using opdebug::logs::parse_line_time;

namespace {

// Day 18690 after 1970-01-01 (51 years with 13 leap days are 18628 days, and 31 + 28 + 3 more); 05:06:07.008.009 is
// 18367 s and 8009 us.
constexpr std::int64_t march_2021 = (18690LL * 86400 + 18367) * 1000000 + 8009;

}  // namespace

TEST_CASE("line time: any byte in any place of a time is read as by hand") {
    const std::string time = "2021-03-04-05:06:07.008.009";
    const std::string marks = "    -  -  -  :  :  .   .   ";
    LineTimes after_others;  // of the same minute
    REQUIRE(after_others.parse(time));
    std::size_t good = 0;
    for (std::size_t place = 16; place < time.size(); ++place) {
        for (int byte = 1; byte < 256; ++byte) {
            std::string other = time;
            other[place] = static_cast<char>(byte);
            const bool is_digit = byte >= '0' && byte <= '9';
            const bool is_good = marks[place] == ' ' ? is_digit && (place != 17 || byte < '6') : byte == marks[place];
            const std::int64_t units[] = {0, 10'000'000, 1'000'000, 0, 100'000, 10'000, 1'000, 0, 100, 10, 1};
            const std::int64_t expected = 1614834367008009 + (byte - time[place]) * units[place - 16];
            const auto read = parse_line_time(other);
            CAPTURE(other);
            CHECK(read.has_value() == is_good);
            CHECK((!is_good || *read == expected));
            CHECK(after_others.parse(other) == (is_good ? std::optional(expected) : std::nullopt));
            good += is_good ? 1U : 0U;
        }
    }
    CHECK(good == 7 * 10 + 6 + 3);
}

TEST_CASE("line time: times with and without microseconds, 1970 and a leap day") {
    CHECK(parse_line_time("2021-03-04-05:06:07.008.009") == march_2021);
    CHECK(parse_line_time("2021-03-04-05:06:07.008") == march_2021 - 9);
    CHECK(parse_line_time("1970-01-01-00:00:00.000.001") == 1);
    CHECK(parse_line_time("2020-02-29-00:00:00.000.000") == 18321LL * 86400 * 1000000);
    CHECK_FALSE(parse_line_time("1969-12-31-23:59:59.999.999"));
    CHECK_FALSE(parse_line_time("2021-03-04 05:06:07.008.009"));
    LineTimes times;
    for (const std::int64_t minutes : {0, 0, 1, 60, 1, 0}) {  // what is known of one minute states nothing of another
        const std::string_view text = minutes == 60  ? "2021-03-04-06:06:07.008"
                                      : minutes == 1 ? "2021-03-04-05:07:07.008"
                                                     : "2021-03-04-05:06:07.008";
        CHECK(times.parse(std::string(text) + ".009") == march_2021 + minutes * 60'000'000);
        CHECK(times.parse(text) == march_2021 + minutes * 60'000'000 - 9);
    }
    CHECK_FALSE(parse_line_time(""));
}

TEST_CASE("line time: what is known of one second says nothing of another, and a bad time changes nothing") {
    LineTimes times;
    for (const std::string second : {"07", "07", "08", "61", "08", "07", "0x", "07", "59"}) {
        CAPTURE(second);
        const bool is_good = second != "61" && second != "0x";
        const std::int64_t seconds = is_good ? std::stoi(second) - 7 : 0;
        CHECK(times.parse("2021-03-04-05:06:" + second + ".008.009") ==
              (is_good ? std::optional(march_2021 + seconds * 1'000'000) : std::nullopt));
        CHECK_FALSE(times.parse("2021-03-04-05:60:" + second + ".008.009"));
        CHECK(times.parse("2021-03-04-05:06:07.999.999") == march_2021 + 991'990);
    }
}
