// Long names on pages for people.
#include "report/text/text_table.hpp"

#include <string>

#include <doctest/doctest.h>

#include "api_run.hpp"
#include "overflow_tree.hpp"
#include "shard_reports.hpp"
#include "text.hpp"

using namespace opdebug;
using namespace opdebug::test;
using report::printable_shortened;

TEST_CASE("long text: up to 1,000 bytes nothing is cut, after them the middle, and it is reported how much") {
    const std::string longest(1'000, 'a');
    CHECK(printable_shortened(longest, Language::english) == longest);
    const std::string shown = printable_shortened("b" + longest + "c", Language::english);
    CHECK(shown == "b" + std::string(699, 'a') + "… (102 characters left out) …" + std::string(199, 'a') + "c");
    CHECK(contains(printable_shortened(std::string(100'000, 'a'), Language::chinese), "…（省略 99100 个字符）…"));
}

TEST_CASE("long text: characters stay whole, and what hides is shown") {
    for (std::size_t shift = 0; shift < 3; ++shift) {
        std::string text(shift, 'x');
        for (int i = 0; i < 1'000; ++i) {
            text += "算";
        }
        const std::string shown = printable_shortened(text, Language::english);
        CHECK_FALSE(contains(shown, "\\x"));
        // 3 bytes each; the cuts lie within a character or at its begin.
        const std::size_t begin = (700 - shift + 2) / 3, end = (shift + 3'000 - 200 - shift + 2) / 3;
        CAPTURE(shift);
        CHECK(contains(shown, "… (" + std::to_string(end - begin) + " characters left out) …"));
    }
    CHECK(contains(printable_shortened(std::string(2'000, '\x1b'), Language::english), "\\x1b"));
    CHECK_FALSE(contains(printable_shortened(std::string(2'000, '\x1b'), Language::english), "\x1b"));
    CHECK(contains(printable_shortened(std::string(5'000, '\x80'), Language::english), "left out"));
}

TEST_CASE("long text: the page of a scan cuts names of API calls, its document does not") {
    ApiRun run;
    const std::string name = "Torch." + std::string(100'000, 'n') + ".0.forward";
    run.add(0, 0, {born(name)});
    write_overflow(run.path(), {});
    const ScanReport report = scanned_report({run.path()}, {});
    const std::string page = written(report, &ScanReport::write_text);
    CHECK(page.size() < 20'000);
    CHECK(contains(page, "characters left out)"));
    CHECK(contains(written(report, &ScanReport::write_json), name));
}
