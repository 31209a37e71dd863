// The text page of a scan: what it counts and shows, what it leaves out, its columns, and what never reaches the
// terminal.
#include <cstdint>
#include <initializer_list>
#include <limits>
#include <string>

#include <doctest/doctest.h>

#include "remarks/durations.hpp"
#include "report/pages/pages.hpp"
#include "report/text/numbers_and_times.hpp"
#include "report/text/text_table.hpp"
#include "scan_builder.hpp"
#include "text.hpp"

using namespace opdebug;
using namespace opdebug::test;

namespace {

/// Whether the parts are in the text, one after the other.
void check_order(const std::string& text, std::initializer_list<const char*> parts) {
    std::size_t last = 0;
    for (const char* part : parts) {
        const std::size_t found = text.find(part, last);
        CHECK_MESSAGE(found != std::string::npos, part);
        last = found == std::string::npos ? last : found;
    }
}

}  // namespace

TEST_CASE("scan text: the first overflow, its spread, the operators and the counts stand in this order") {
    const std::string text = hostile_scan().text();
    check_order(text, {"FIRST OVERFLOW   net/layer_3/attention/softmax/Exp (Exp)", "2026-03-04 10:00:05.000 (+00:00)",
                       "AI Core status 0x20: floating-point overflow", "How it spread in step 0",
                       "Operators, by first overflow", "Not read", "error [permission_denied] /data/run/closed",
                       "31 dumps: 24 overflowed, 4 clean, 3 unreadable (truncated; --unreadable lists them)\n"});
    for (const char* part : {"stopped early", "Timeline", "header_truncated", "Is it the first?"}) {
        CHECK_FALSE_MESSAGE(contains(text, part), part);
    }
}

TEST_CASE("scan text: verbose adds evidence, doubts, inputs and unreadable dumps") {
    BuiltScan built = hostile_scan();
    built.options.report.verbose = true;
    built.options.report.columns = 200;
    check_order(built.text(),
                {"FIRST OVERFLOW", "Is it the first?", "Operators, by first overflow", "First overflow",
                 "OVERFLOW  net/", "Why   AI Core status 0x20", "ge_log logs/debug/plog-7.log:42", "/data/run",
                 "210 operator dumps, 14 other files", "Not read", "error [header_truncated] /data/run/rank_1/",
                 "the header ends early", "error [permission_denied] /data/run/closed", "31 dumps: 24 overflowed"});
}

TEST_CASE("scan text: an early end and unread dumps are said") {
    BuiltScan built;
    built.add(DumpState::clean, "/data/a");
    CHECK(contains(built.text(), "No overflow was found.\n"));
    built.add(DumpState::failed, "/data/b");
    built.scan.complete = false;
    built.scan.diagnostics = {{Severity::info, "some_code", "something to know"}};
    const std::string text = built.text();
    CHECK(contains(text, "The scan was stopped early, or parts are missing: this report is incomplete."));
    CHECK(contains(text, "No overflow was found in the readable dumps."));
    CHECK_FALSE(contains(text, "some_code"));
    built.options.report.verbose = true;
    CHECK(contains(built.text(), "info [some_code] something to know"));
    built.add_overflow("/data/c", 0, 0);
    CHECK_FALSE(contains(built.text(), "No overflow"));
}

TEST_CASE("scan text: twenty failures are shown, the others counted") {
    BuiltScan built;
    built.options.report.verbose = true;
    for (std::uint64_t i = 0; i < 23; ++i) {
        built.add(DumpState::failed, "/data/bad_" + std::to_string(i));
    }
    const std::string text = built.text();
    CHECK(count_of(text, "/data/bad_") == 20);
    CHECK(contains(text, "  3 more (-v)\n"));
}

TEST_CASE("scan text: the timeline is listed when its length is given") {
    BuiltScan built = hostile_scan();
    built.options.first = 2;
    built.options.report.columns = 200;
    const std::string text = built.text();
    CHECK(contains(text,
                   "\nTimeline\n  2026-03-04 10:00:05.000000 UTC  step 0  rank 0  device 0  floating-point overflow  "
                   "net/layer_3/attention/softmax/Exp (Exp)\n      /data/run/rank_0/"));
    CHECK(contains(text, "2026-03-04 10:00:05.731000 UTC  step 0  rank 1"));
    CHECK_FALSE(contains(text, "2026-03-04 10:00:06.462000 UTC"));
}

TEST_CASE("scan text: Chinese when asked") {
    BuiltScan built = hostile_scan();
    built.options.report.language = Language::chinese;
    const std::string text = built.text();
    for (const char* part :
         {"首个溢出   net/", "浮点计算溢出", "step 0 中的传播过程", "算子（按首次溢出排序）", "未能读取",
          "31 个 dump：溢出 24 个，未溢出 4 个，无法读取 3 个（文件被截断；--unreadable 列出）"}) {
        CHECK_MESSAGE(contains(text, part), part);
    }
    for (const char* part : {"overflowed", "Operators", "FIRST", "unreadable ("}) {
        CHECK_FALSE_MESSAGE(contains(text, part), part);
    }
}

TEST_CASE("scan text: an uncertain first overflow has no margin; --uncertain names what may be earlier") {
    BuiltScan built;
    built.set_first("/data/rank_0/a", "net/Exp");
    built.add_overflow("/data/rank_0/a", 0, 0);
    built.add_overflow("/data/rank_1/b", 1, 400);  // 0.4 s later by another clock
    built.overview = overview_of({built.entries[0].item, built.entries[1].item});
    const std::string english = built.text();
    CHECK(contains(english, "\n  first: uncertain, 1 dump of 1 rank may be earlier (--uncertain)\n"));
    CHECK_FALSE(contains(english, "before any other rank"));
    CHECK_FALSE(contains(english, "/data/rank_1/b"));
    built.options.report.language = Language::chinese;
    CHECK(contains(built.text(), "\n  首个溢出不确定：1 个 rank 的 1 个 dump 可能更早 (--uncertain)\n"));
    built.options.lists.uncertain = true;
    std::string chinese = built.text();
    CHECK(contains(chinese, "\n它确实是首个吗？\n  "));
    std::erase_if(chinese, [](char c) { return c == '\n' || c == ' '; });  // lines break between any two letters
    CHECK(contains(chinese, "列为首个溢出"));
    CHECK(contains(chinese, "/data/rank_1/b"));
}

TEST_CASE("scan text: filters choose ranks and operators, never what is first") {
    BuiltScan built = hostile_scan();
    built.options.filter.ranks = {2};
    const std::string text = built.text();
    CHECK(contains(text, "FIRST OVERFLOW   net/layer_3/attention/softmax/Exp (Exp)"));
    CHECK(contains(text, "  rank 2 "));
    CHECK_FALSE(contains(text, "  rank 1 "));
    built.options.filter.op = "no such operator";
    CHECK(contains(built.text(), "\nNo overflow matches the filters.\n"));
}

TEST_CASE("scan text: a sink that wants no more gets no more") {
    BuiltScan built = hostile_scan();
    int pieces = 0;
    report::scan_text(built, [&pieces](std::string_view) {
        ++pieces;
        return false;
    });
    CHECK(pieces == 1);
}

TEST_CASE("scan text: numbers in short form") {
    CHECK(report::show_numbers({}).empty());
    CHECK(report::show_numbers({5}) == "5");
    CHECK(report::show_numbers({0, 1, 2, 3, 8, 10, 11}) == "0-3,8,10-11");
    CHECK(report::show_numbers({1, 3, 5, 7, 9, 11}) == "1,3,5,7,9,11");
    CHECK(report::show_numbers({1, 3, 5, 7, 9, 11, 13, 14}) == "1,3,5,7,9,11,... (8)");
    CHECK(report::show_numbers({UINT64_MAX - 1, UINT64_MAX}) == "18446744073709551614-18446744073709551615");
}

TEST_CASE("scan text: names of causes say the unit where it is not an AI Core") {
    CHECK(report::cause_name("ai_core.float_overflow", Language::english) == "floating-point overflow");
    CHECK(report::cause_name("dha_atomic.overflow", Language::english) == "DHA Atomic Add: atomic add overflow");
    CHECK(report::cause_name("aicpu.undocumented", Language::english) == "AICPU: no documented cause");
    CHECK(report::cause_name("ai_core.undocumented", Language::chinese) == "AI Core：文档中没有对应的原因");
    CHECK(report::cause_name("mine.\x1b", Language::english) == "mine.\\x1b");
}

TEST_CASE("text table: Chinese letters take two columns, combining marks none, columns without text are left out") {
    CHECK(report::display_columns("abc") == 3);
    CHECK(report::display_columns("溢出 a") == 6);
    CHECK(report::display_columns("é") == 1);
    CHECK(report::display_columns("e\xCC\x81") == 1);
    CHECK(report::display_columns("（）") == 4);
    const report::TextTable table =
        report::text_table({{"n", true}, {"name"}, {"empty"}, {"rest"}},
                           {{{"1", "溢出", "", "x"}, {}}, {{"20", "abcdef", "", "y"}, "    below\n"}}, 100);
    CHECK(table.heading == "   n  name    rest\n");
    CHECK(table.rows == "   1  溢出    x\n  20  abcdef  y\n    below\n");
}

TEST_CASE("text table: a very long cell moves its own line only and is not cut") {
    const std::string longest(60, 'x');
    const report::TextTable table =
        report::text_table({{"a"}, {"b"}}, {{{longest, "1"}, {}}, {{"short", "2"}, {}}}, 100);
    CHECK(table.rows == "  " + longest + "  1\n  short" + std::string(35, ' ') + "  2\n");
}

TEST_CASE("text table: cells that do not fit on the page are below their row, the last one is wrapped in its column") {
    const report::TextTable narrow =
        report::text_table({{"name"}, {"count", true}, {"cause"}}, {{{"abcdefghij", "7", "overflow"}, {}}}, 20);
    CHECK(narrow.heading == "  name        count\n      cause\n");
    CHECK(narrow.rows == "  abcdefghij      7\n      overflow\n");
    const report::TextTable wide =
        report::text_table({{"name"}, {"cause"}}, {{{"abc", "one two three four five"}, {}}, {{"d", "x"}, {}}}, 24);
    CHECK(wide.rows == "  abc   one two three\n        four five\n  d     x\n");
}

TEST_CASE("text: lines that are wider than the page are wrapped below their begin, a long word has its own line") {
    CHECK(report::fitted("  one two three\nfour\n", 11) == "  one two\n     three\nfour\n");
    CHECK(report::fitted("abc de /a/path/of/20/letter b\n", 10) == "abc de\n    /a/path/of/20/letter\n    b\n");
    CHECK(report::fitted("溢出溢出溢出\n", 8) == "溢出溢出\n    溢出\n");
    CHECK(report::fitted("\x1b[1mbold\x1b[0m and plain\n", 14) == "\x1b[1mbold\x1b[0m and plain\n");
}

TEST_CASE("scan text: durations have two units from a minute on") {
    using remarks::show_duration;
    constexpr std::int64_t kSecond = 1'000'000, kMost = std::numeric_limits<std::int64_t>::max();
    CHECK(show_duration(40).en == "40 us");
    CHECK(show_duration(250'000).zh == "0.250 秒");
    CHECK(show_duration(59'999'400).en == "59.999 s");
    CHECK(show_duration(59'999'600).en == "1 min 0 s");
    CHECK(show_duration(-200 * kSecond).en == "3 min 20 s");
    CHECK(show_duration(7260 * kSecond).en == "2 h 1 min");
    CHECK(show_duration((2 * 24 + 3) * 3600 * kSecond).en == "2 d 3 h");
    CHECK(show_duration((2 * 24 + 3) * 3600 * kSecond).zh == "2 天 3 小时");
    CHECK(show_duration(kMost).en == "at least 106751991 d 4 h");
    CHECK(report::show_offset(5'000'000, 2'750'000, Language::english) == "+2.250 s");
    CHECK(report::show_offset(0, 7260 * kSecond, Language::english) == "-2 h 1 min");
    CHECK(report::show_offset(0, 7260 * kSecond, Language::chinese) == "-2 小时 1 分");
    CHECK(report::show_offset(59'999'600, 0, Language::english) == "+1 min 0 s");
}

TEST_CASE("scan text: --ranks lists the ranks of all steps") {
    BuiltScan built;
    built.set_first("/data/rank_0/a", "net/Exp");
    built.add_overflow("/data/rank_0/a", 0, 0);
    built.add_overflow("/data/rank_1/b", 1, 5000);
    built.entries[1].item.path_ids.data_index = 9;
    CHECK_FALSE(contains(built.text(), "rank 1"));
    built.options.lists.ranks = true;
    CHECK(contains(built.text(), "\nRanks, by first overflow\n"));
    CHECK(contains(built.text(), "  rank 1  step 9  "));
}
