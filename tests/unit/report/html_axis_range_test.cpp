// The span of a chart's axis: wild values do not squeeze the others, and are still drawn and told.
#include <doctest/doctest.h>

#include "report/html/html_axis.hpp"
#include "report/html/html_timeline.hpp"
#include "scan_builder.hpp"
#include "text.hpp"

using namespace opdebug;
using namespace opdebug::test;

namespace {

constexpr std::uint64_t kLeastGap = 1000;

/// "low-high" of the axis.
std::string range_of(const std::vector<std::uint64_t>& values) {
    const report::AxisRange range = report::axis_range(values, kLeastGap);
    return std::to_string(range.low) + "-" + std::to_string(range.high);
}

report::Timeline chart_of(const BuiltScan& built) {
    return report::timeline_chart(report::timeline_of(built.entries, built.options));
}

/// Five overflows within four seconds.
BuiltScan five_seconds() {
    BuiltScan built;
    for (std::uint64_t i = 0; i < 5; ++i) {
        built.add_overflow("/data/f" + std::to_string(i), 0, 1000 * i);
    }
    return built;
}

}  // namespace

TEST_CASE("axis range: one value far outside is left out, at either end") {
    CHECK(range_of({1, 50'000, 50'010, 50'020}) == "50000-50020");
    CHECK(range_of({50'020, 50'010, 90'000'000, 50'000}) == "50000-50020");
    CHECK(range_of({0, 50'000, 50'001, 50'002, UINT64_MAX}) == "50000-50002");
    CHECK(range_of({0, UINT64_MAX, UINT64_MAX}) == "18446744073709551615-18446744073709551615");
}

TEST_CASE("axis range: a gap that leaves the others wide enough, or is short, is part of the picture") {
    CHECK(range_of({0, 50'000, 51'500, 53'000, 54'000}) == "0-54000");  // 50000 is less than fifty times 1500
    CHECK(range_of({9'100, 10'000, 10'001, 10'002}) == "9100-10002");   // less than the least gap
    // Fifty times what the two values in the middle lie apart, 100, and one more.
    CHECK(range_of({0, 5'000, 5'100, 5'200}) == "0-5200");
    CHECK(range_of({0, 5'001, 5'101, 5'201}) == "5001-5201");
}

TEST_CASE("axis range: where many lie apart, all are shown") {
    CHECK(range_of({7}) == "7-7");
    CHECK(range_of({0, UINT64_MAX}) == "0-18446744073709551615");
    CHECK(range_of({0, 1'000'000, 2'000'000}) == "0-2000000");
    CHECK(range_of({0, 50'000, 50'001, UINT64_MAX}) == "0-18446744073709551615");  // two of four
    std::vector<std::uint64_t> values(100, 50'000);
    for (std::uint64_t i = 0; i < 5; ++i) {
        values[i] = i;
    }
    CHECK(range_of(values) == "50000-50000");
    values[5] = 6;
    CHECK(range_of(values) == "0-50000");
}

TEST_CASE("scan html: a dump of 1970 and one of 2100 stand at the edges of the chart, which spans the others") {
    BuiltScan built = five_seconds();
    built.add_overflow("/data/epoch", 0, 0).item.timestamp_us = 1000;
    built.add_overflow("/data/future", 0, 0).item.timestamp_us = 4'102'444'800'000'000;  // 2100-01-01
    const report::Timeline chart = chart_of(built);
    CHECK(chart.low == scan_start_us);
    CHECK(chart.high == scan_start_us + 4'000'000);
    CHECK(chart.before == 1);
    CHECK(chart.after == 1);
    REQUIRE(chart.marks.size() == 7);
    CHECK(chart.marks.front().side == report::AxisSide::before);
    CHECK(chart.marks.front().first->item.file == "/data/epoch");
    CHECK(chart.marks[1].side == report::AxisSide::inside);
    CHECK(chart.marks.back().side == report::AxisSide::after);
    const std::string page = built.html();
    CHECK(contains(page, "Far outside the axis: 2 dumps"));
    CHECK(contains(page, "有 2 个 dump 远在坐标轴之外"));
    CHECK(contains(page, "1970-01-01 00:00:00.001000 UTC\n/data/epoch"));
    CHECK(count_of(page, "class=\"grid break\"") == 2);
    CHECK_FALSE(contains(five_seconds().html(), "class=\"grid break\""));
}

TEST_CASE("scan html: dumps of two days are no wild times") {
    BuiltScan built = five_seconds();
    built.add_overflow("/data/next_day", 0, 23 * 3'600'000);
    const report::Timeline chart = chart_of(built);
    CHECK(chart.after == 0);
    CHECK(chart.high == scan_start_us + 82'800'000'000);
}
