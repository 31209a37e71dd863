// The HTML page of a scan, as text: everything escaped, nothing from outside, limits, the chart. tests/html opens it in
// a browser.
#include <string>

#include <doctest/doctest.h>

#include "report/html/html_axis.hpp"
#include "report/html/html_table.hpp"
#include "report/html/html_timeline.hpp"
#include "scan_builder.hpp"
#include "text.hpp"

using namespace opdebug;
using namespace opdebug::test;

namespace {

std::string labels_of(const std::vector<report::AxisTick>& ticks) {
    std::string text;
    for (const report::AxisTick& tick : ticks) {
        text += (text.empty() ? "" : " ") + tick.label;
    }
    return text;
}

}  // namespace

TEST_CASE("scan html: text is escaped for elements and attributes") {
    CHECK(report::html("<a b=\"c\" d='e'> & \x1b \xff") == "&lt;a b=&quot;c&quot; d=&#39;e&#39;&gt; &amp; \\x1b \\xff");
    CHECK(report::html_lines("a\n<\n") == "a\n&lt;\n");
}

TEST_CASE("scan html: letters that take two columns of a text are marked, so that columns stay below their headings") {
    CHECK(report::html_lines("  类型  <é>\nx（值）") ==
          "  <span class=\"wide\">类型</span>  &lt;é&gt;\nx<span class=\"wide\">（值）</span>");
}

TEST_CASE("scan html: a line of numbers may end behind a comma, never inside a range") {
    CHECK(report::numbers_cell({0, 1, 3, 4, 5, 9}) == "<td class=\"numbers\" data-key=\"0\">0-1,<wbr>3-5,<wbr>9</td>");
    CHECK(report::numbers_cell({}) == "<td class=\"numbers\" data-key=\"\"></td>");
}

TEST_CASE("scan html: the first overflow's first line stands out as a whole, the counts of API dumps do not") {
    const std::string page = hostile_scan().html();
    CHECK(contains(page, "<pre class=\"en\" lang=\"en\"><strong>OVERFLOW  "));
    CHECK(contains(page, "exact: 1 log line</strong>\n"));
    CHECK_FALSE(contains(page, "first-line"));
}

TEST_CASE("scan html: names of files and operators never become markup") {
    const std::string page = hostile_scan().html();
    CHECK(count_of(page, "<script") == 1);
    CHECK(count_of(page, "</script") == 1);
    CHECK(count_of(page, "<img") == 0);
    CHECK(count_of(page, "</title>") == count_of(page, "<title>"));
    CHECK_FALSE(contains(page, "\" onmouseover="));
    CHECK_FALSE(contains(page, "' autofocus"));
    CHECK(contains(page, "&lt;script&gt;document.title=&#39;ran&#39;&lt;/script&gt;"));
    CHECK_FALSE(contains(page, "\x1b"));
}

TEST_CASE("scan html: nothing is loaded from outside and nothing but its own script may run") {
    const std::string page = hostile_scan().html();
    for (const char* part :
         {"http:", "https:", "<img", "<iframe", "<object", "url(", "@import", "<link", "<a ", " style=", "'unsafe"}) {
        CHECK_FALSE_MESSAGE(contains(page, part), part);
    }
    CHECK(contains(page, "default-src 'none'; style-src 'sha256-"));
    CHECK(contains(page, "; script-src 'sha256-"));
    CHECK_FALSE(contains(page, "{{"));
}

TEST_CASE("scan html: both languages are there, the asked one is shown first") {
    BuiltScan built = hostile_scan();
    CHECK(contains(built.html(), "<html lang=\"en\">"));
    built.options.report.language = Language::chinese;
    const std::string page = built.html();
    CHECK(contains(page, "<html lang=\"zh\">"));
    for (const char* part : {"First overflow", "首个溢出", "floating-point overflow", "浮点计算溢出", "Groups", "分组",
                             "<title>opdebug 扫描：31 个 dump 中有 24 个溢出</title>"}) {
        CHECK_MESSAGE(contains(page, part), part);
    }
}

TEST_CASE("scan html: an empty scan and one that ended early have a page") {
    BuiltScan built;
    built.scan.complete = false;
    const std::string page = built.html();
    CHECK(contains(page, "The scan was stopped early"));
    CHECK(contains(page, "No overflow was found."));
    CHECK_FALSE(contains(page, "id=\"groups\""));
    CHECK_FALSE(contains(page, "<div class=\"chart\""));
    CHECK(contains(page, "</html>"));
}

TEST_CASE(
    "scan html: tables end at 5000 rows and say how many are left out, the chart shows all with some thousand marks") {
    BuiltScan built;
    for (std::uint64_t i = 0; i < 20'007; ++i) {
        built.add_overflow("/data/f" + std::to_string(i), i % 1000, i * 100);
    }
    const std::string page = built.html();
    CHECK(count_of(page, "<td class=\"file\">") == 5000);
    CHECK(contains(page, "The first 5000 are shown; 15007 more are left out"));
    const report::Timeline chart = report::timeline_chart(report::timeline_of(built.entries, built.options));
    CHECK(chart.marks.size() <= report::kMostMarks);
    CHECK(chart.folded);
    CHECK(chart.lanes.size() == 125);  // 1000 ranks, 8 in each lane
    CHECK(chart.lanes[1] == "rank 8–15");
    std::uint64_t drawn = 0;
    for (const report::TimelineMark& mark : chart.marks) {
        drawn += mark.count;
    }
    CHECK(drawn == 20'007);
    CHECK(page.size() < 6'000'000);
}

TEST_CASE("scan html: the chart has a lane for each rank, and marks for each cause") {
    BuiltScan built;
    built.add_overflow("/a", 3, 0, {"ai_core.float_overflow"});
    built.add_overflow("/b", 1, 500, {"ai_core.float_overflow", "l2_atomic.overflow"});
    built.add_overflow("/c", 1, std::nullopt);
    built.add_overflow("/d", std::nullopt, 1000);
    const report::Timeline chart = report::timeline_chart(report::timeline_of(built.entries, built.options));
    CHECK(chart.axis == report::TimelineAxis::time);
    CHECK(chart.low == scan_start_us);
    CHECK(chart.high == scan_start_us + 1'000'000);
    CHECK(chart.lanes == std::vector<std::string>{"rank 1", "rank 3", "—"});
    CHECK(chart.causes == std::vector<std::string>{"ai_core.float_overflow", "l2_atomic.overflow"});
    CHECK(chart.without_value == 1);
    REQUIRE(chart.marks.size() == 4);
    CHECK(chart.marks[0].lane == 0);
    CHECK(chart.marks[0].places == 2);
    CHECK(chart.marks[1].place == 1);
    CHECK(chart.marks[1].cause == 1);
    CHECK(chart.marks[2].first->item.file == "/a");
    CHECK_FALSE(chart.folded);
    CHECK(contains(built.html(), "Not drawn, because its time is not known: 1 dump."));
}

TEST_CASE("scan html: a chart with one mark of several dumps says that marks are") {
    BuiltScan built;
    built.add_overflow("/a", 0, 0);
    built.add_overflow("/b", 0, 0);
    built.add_overflow("/c", 1, 1000);
    const report::Timeline chart = report::timeline_chart(report::timeline_of(built.entries, built.options));
    CHECK(chart.folded);
    REQUIRE(chart.marks.size() == 2);
    CHECK(chart.marks[0].count == 2);
    CHECK(chart.marks[0].low == scan_start_us);
    CHECK(chart.marks[0].high == scan_start_us);
    CHECK(chart.marks[1].low == scan_start_us + 1'000'000);
}

TEST_CASE("scan html: columns of several numbers are sorted by the first") {
    CHECK(contains(report::numbers_cell({3, 7, 12}), "data-key=\"3\""));
    CHECK(contains(report::numbers_cell({}), "data-key=\"\""));
}

TEST_CASE("scan html: where ranks share lanes, dumps without a rank leave the last lane its name") {
    BuiltScan built;
    for (std::uint64_t rank = 0; rank < 201; ++rank) {  // more than 128 lanes: two in each
        built.add_overflow("/rank" + std::to_string(rank), rank, rank);
    }
    built.add_overflow("/unknown", std::nullopt, 500);
    const report::Timeline chart = report::timeline_chart(report::timeline_of(built.entries, built.options));
    REQUIRE(chart.lanes.size() == 101);
    CHECK(chart.lanes.front() == "rank 0–1");
    CHECK(chart.lanes.back() == "rank 200");
}

TEST_CASE("scan html: without ranks the lanes are devices, else time folders; without times the axis is the step") {
    BuiltScan built;
    built.add_overflow("/a", std::nullopt, std::nullopt).item.path_ids.time = "20260304100000";
    CHECK(report::timeline_chart(report::timeline_of(built.entries, built.options)).axis == report::TimelineAxis::none);
    built.entries[0].item.path_ids.data_index = 7;
    report::Timeline chart = report::timeline_chart(report::timeline_of(built.entries, built.options));
    CHECK(chart.axis == report::TimelineAxis::step);
    CHECK(chart.low == 7);
    CHECK(chart.lanes == std::vector<std::string>{"20260304100000"});
    built.entries[0].item.path_ids.device_id = 5;
    chart = report::timeline_chart(report::timeline_of(built.entries, built.options));
    CHECK(chart.lanes == std::vector<std::string>{"device 5"});
}

TEST_CASE("scan html: the seventh cause and those behind it are one") {
    BuiltScan built;
    for (int i = 0; i < 9; ++i) {
        built.add_overflow("/a", 0, 0, {"mine.cause_" + std::to_string(i)});
    }
    const report::Timeline chart = report::timeline_chart(report::timeline_of(built.entries, built.options));
    CHECK(chart.causes.size() == 6);
    CHECK(chart.has_other);
    REQUIRE(chart.marks.size() == 7);
    CHECK(chart.marks.back().cause == report::kOtherCause);
    CHECK(chart.marks.back().count == 3);
}

TEST_CASE("scan html: clean dumps are drawn and listed only when all are asked for") {
    BuiltScan built = hostile_scan();
    CHECK(count_of(built.html(), "/clean") == 0);
    built.options.all = true;
    built.entries[24].item.timestamp_us = scan_start_us;
    const report::Timeline chart = report::timeline_chart(report::timeline_of(built.entries, built.options));
    CHECK(chart.has_clean);
    CHECK(count_of(built.html(), "<td class=\"file\">/data/run/rank_0/clean") == 4);
    built.options.first = 3;
    CHECK(report::timeline_of(built.entries, built.options).size() == 3);
}

TEST_CASE("chart axis: ticks stand at round values and say what differs") {
    constexpr std::uint64_t second = 1'000'000;
    CHECK(labels_of(report::time_ticks(scan_start_us, scan_start_us)) == "10:00:05.000000");
    CHECK(labels_of(report::time_ticks(scan_start_us + 1, scan_start_us + 17 * second)) ==
          "10:00:10 10:00:15 10:00:20");
    CHECK(labels_of(report::time_ticks(scan_start_us, scan_start_us + second)) ==
          "10:00:05.0 10:00:05.2 10:00:05.4 10:00:05.6 10:00:05.8 10:00:06.0");
    CHECK(labels_of(report::time_ticks(scan_start_us, scan_start_us + 16 * 3600 * second)) ==
          "03-04 12:00 03-04 15:00 03-04 18:00 03-04 21:00 03-05 00:00");
    CHECK(labels_of(report::time_ticks(0, 9 * 86400 * second)) ==
          "1970-01-01 1970-01-03 1970-01-05 1970-01-07 1970-01-09");
    CHECK(labels_of(report::number_ticks(3, 12)) == "4 6 8 10 12");
    CHECK(labels_of(report::number_ticks(7, 7)) == "7");
    CHECK(report::number_ticks(0, UINT64_MAX).size() <= 8);
    CHECK(report::time_ticks(0, UINT64_MAX).size() <= 8);
}

TEST_CASE("scan html: chains tell the first bad value, and the table of dumps the verdicts; only where asked for") {
    BuiltScan built = hostile_scan();
    const std::string page = built.html();
    CHECK(contains(page, "<table id=\"chains\""));
    CHECK(contains(page, "data-key=\"born_here\""));
    CHECK(contains(page, ">Origin</span>"));
    built.options.report.tensors = false;
    built.chains = {};
    const std::string without = built.html();
    CHECK_FALSE(contains(without, "<table id=\"chains\""));
    CHECK_FALSE(contains(without, "data-key=\"born_here\""));
}

TEST_CASE("html page: what the groups count, their last time, and the order of the dumps are said") {
    const std::string page = hostile_scan().html();
    CHECK(page.find("A dump with two causes is in two groups.") != std::string::npos);
    CHECK(page.find("Last (UTC)") != std::string::npos);
    CHECK(page.find("2026-03-04 10:00:21.000000") != std::string::npos);
    CHECK(page.find("Overflowed dumps, in order of step, then time") != std::string::npos);
}
