// Times as lines write them.
#include "logs/text/written_times.hpp"

#include <cstdint>
#include <random>
#include <string>

#include <doctest/doctest.h>

using namespace opdebug::logs;

namespace {

/// Empty where there is none.
std::string written(WrittenTimes& times, std::int64_t time_us) {
    std::string text(WrittenTimes::kSize, ' ');
    return times.write(time_us, text.data()) ? text : "";
}

}  // namespace

TEST_CASE("written times: as the log library writes them") {
    WrittenTimes times;
    CHECK(written(times, 0) == "1970-01-01-00:00:00.000.000");
    CHECK(written(times, 1'614'834'367'008'009) == "2021-03-04-05:06:07.008.009");
    CHECK(written(times, 1'614'834'367'999'999) == "2021-03-04-05:06:07.999.999");
    CHECK(written(times, 1'614'834'368'000'000) == "2021-03-04-05:06:08.000.000");
    CHECK(written(times, 1'582'934'400'000'000) == "2020-02-29-00:00:00.000.000");
    CHECK(written(times, 1'614'834'367'000'001) == "2021-03-04-05:06:07.000.001");
}

TEST_CASE("written times: none for what no line has") {
    WrittenTimes times;
    CHECK(written(times, 4'133'980'799'999'999) == "2100-12-31-23:59:59.999.999");
    for (const std::int64_t time_us : {std::int64_t{-1}, std::int64_t{4'133'980'800'000'000}, INT64_MIN, INT64_MAX}) {
        CAPTURE(time_us);
        CHECK(written(times, time_us).empty());
    }
    CHECK(written(times, 1) == "1970-01-01-00:00:00.000.001");
}

TEST_CASE("written times: each is read as what was written") {
    const unsigned seed = std::random_device()();
    CAPTURE(seed);
    std::mt19937_64 random(seed);
    WrittenTimes times;
    for (int i = 0; i < 20000; ++i) {
        const auto time_us = static_cast<std::int64_t>(random() % 4'133'980'800'000'000ULL);
        REQUIRE(parse_line_time(written(times, time_us)) == time_us);
    }
}
