// The report's page in a browser: Debian's chromium, without a window. Skipped where it is not installed.
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include <unistd.h>

#include <doctest/doctest.h>

#include "build_paths.hpp"
#include "hostile_names.hpp"
#include "process.hpp"
#include "scan_builder.hpp"
#include "skip.hpp"
#include "temporary_directory.hpp"
#include "text.hpp"

using namespace opdebug;
using namespace opdebug::test;

namespace {

std::optional<std::string> browser() {
    for (const char* path : {"/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"}) {
        if (std::filesystem::exists(path)) {
            return path;
        }
    }
    skip("chromium is not installed");
    return std::nullopt;
}

struct Opened {
    std::string document;  ///< after the scripts ran
    std::string console;   ///< what the browser writes to its log
};

/// `part`: after the # of the address.
Opened open_page(const std::string& chromium, const std::string& page, const std::string& part = {}) {
    const TemporaryDirectory directory;
    const std::string file = write_file(directory / "report.html", page);
    std::vector<std::string> arguments{chromium,
                                       "--headless",
                                       "--disable-gpu",
                                       "--disable-dev-shm-usage",
                                       "--no-first-run",
                                       "--disable-background-networking",
                                       "--enable-logging=stderr",
                                       "--user-data-dir=" + (directory / "profile"),
                                       "--timeout=20000",
                                       "--dump-dom"};
    if (geteuid() == 0) {
        arguments.emplace_back("--no-sandbox");  // chromium refuses to start as root with it
    }
    arguments.push_back("file://" + file + part);
    ProcessOptions options;
    options.environment = {{"HOME", directory.path().string()}};
    const ProcessResult result = run_process(arguments, options);
    REQUIRE_MESSAGE(result.exit_status == 0, result.err);
    return {result.out, result.err};
}

/// The same page with a script after its own, which its security policy would refuse.
std::string with_script(std::string page, const std::string& script) {
    const std::size_t policy = page.find("<meta http-equiv");
    page.erase(policy, page.find('>', policy) + 1 - policy);
    return page.insert(page.rfind("</body>"), "<script>" + script + "</script>");
}

/// 600 overflows of two operators on two ranks, in steps 1 and 2.
BuiltScan two_operators() {
    BuiltScan built;
    for (std::uint64_t i = 0; i < 600; ++i) {
        report::ScanEntry& entry = built.add_overflow("/run/dump" + std::to_string(i), i % 2, i);
        entry.item.path_ids.data_index = 1 + i / 300;
        entry.item.operator_name = i % 2 == 0 ? "net/exp" : "net/mul";
    }
    return built;
}

/// The visible rows of a list of the page.
std::string rows_of(const std::string& document, const std::string& list) {
    const std::size_t start = document.find("<div class=\"list " + list + "\"");
    REQUIRE(start != std::string::npos);
    return document.substr(start, document.find("</section>", start) - start);
}

}  // namespace

TEST_CASE("report page: its own script runs, those in names do not, and the names are there as text") {
    const auto chromium = browser();
    if (!chromium) {
        return;
    }
    const Opened opened = open_page(*chromium, hostile_scan().html(), "#operators.open=3");
    CHECK(contains(opened.document, "data-ready=\"1\""));
    CHECK(contains(opened.document, "<title>opdebug scan: 24 of 31 dumps overflowed</title>"));
    CHECK(contains(opened.document, "&lt;script&gt;document.title='ran'&lt;/script&gt;"));
    CHECK(contains(rows_of(opened.document, "operators"),
                   "title=\"x&quot; onmouseover=&quot;document.title='ran' (Exp)\""));
    CHECK_FALSE(contains(opened.document, "<img"));
    CHECK_FALSE(contains(opened.document, " autofocus="));
    CHECK_FALSE(contains(opened.console, "CONSOLE"));
}

TEST_CASE(
    "report page: of a job whose files, operators, models and logs have hostile names, only its own script runs") {
    const auto chromium = browser();
    if (!chromium || std::string(tool_path).empty()) {
        return;
    }
    const TemporaryDirectory directory;
    write_hostile_job(directory / "job");
    write_hostile_log(directory / "logs");
    const ProcessResult run = run_process({tool_path, "scan", directory / "job", "--logs", directory / "logs",
                                           "--tensors", "--all", "--format", "html", "--lang", "en"});
    REQUIRE(run.exit_status == 1);  // some dumps are damaged
    const Opened opened = open_page(*chromium, run.out);
    CHECK(contains(opened.document, "data-ready=\"1\""));
    CHECK(contains(opened.document, "<title>opdebug scan: "));
    CHECK(count_of(opened.document, "<script") == 3);
    for (const char* element : {"<img", "<plaintext", "<textarea", "<!--"}) {
        CHECK_MESSAGE(!contains(opened.document.substr(0, opened.document.find("<script")), element), element);
    }
    CHECK_FALSE(contains(opened.console, "CONSOLE"));
}

TEST_CASE("report page: lanes and operators are drawn in order of their first overflow, both languages") {
    const auto chromium = browser();
    if (!chromium) {
        return;
    }
    const std::string page = two_operators().html();
    const std::string english = open_page(*chromium, page).document;
    const std::string lanes = rows_of(english, "lanes");
    CHECK(lanes.find("rank 0") < lanes.find("rank 1"));
    CHECK(contains(english, "How it spread in step 1<"));
    CHECK(contains(lanes, "+0.001 s"));
    CHECK(contains(english, "2 operators, 600 dumps"));
    const std::string chinese = open_page(*chromium, page, "#language=zh&later=1").document;
    CHECK(contains(chinese, "<html lang=\"zh\" data-ready=\"1\">"));
    CHECK(contains(chinese, "2 个算子，600 个 dump"));
    CHECK(contains(chinese, "只显示该 step"));
}

TEST_CASE("report page: where the first overflow has no rank, lanes and operators are counted by device") {
    const auto chromium = browser();
    if (!chromium) {
        return;
    }
    BuiltScan built;
    built.add_overflow("/a", std::nullopt, 0).item.path_ids.device_id = 5;
    built.add_overflow("/b", 1, 10).item.path_ids.device_id = 6;
    const std::string document = open_page(*chromium, built.html()).document;
    const std::string lanes = rows_of(document, "lanes");
    CHECK(lanes.find("device 5") < lanes.find("device 6"));
    CHECK(contains(lanes, "device 6"));
    CHECK(contains(rows_of(document, "operators"), "Devices"));
}

TEST_CASE("report page: filters, order and opened rows are those of the address") {
    const auto chromium = browser();
    if (!chromium) {
        return;
    }
    const std::string page = two_operators().html();
    const std::string filtered = open_page(*chromium, page, "#rank=1&step=2-5").document;
    CHECK(contains(filtered, "1 operator, 150 dumps"));
    CHECK_FALSE(contains(rows_of(filtered, "operators"), "net/exp"));
    CHECK(contains(open_page(*chromium, page, "#text=dump59").document, "2 operators, 11 dumps"));
    CHECK(contains(open_page(*chromium, page, "#cause=mine.other").document, "0 operators, 0 dumps"));
    const std::string ordered = rows_of(open_page(*chromium, page, "#sort=-operator").document, "operators");
    CHECK(ordered.find("net/mul") < ordered.find("net/exp"));
    const std::string opened = rows_of(open_page(*chromium, page, "#operators.open=0,d2").document, "operators");
    CHECK(contains(opened, "<dd>/run/dump2</dd>"));
    CHECK(contains(opened, "<dd>2026-03-04 10:00:05.002 (+00:00)</dd>"));
}

TEST_CASE("report page: only visible rows are in the document") {
    const auto chromium = browser();
    if (!chromium) {
        return;
    }
    const std::string opened = open_page(*chromium, two_operators().html(), "#operators.open=0,1").document;
    CHECK(count_of(rows_of(opened, "operators"), "role=\"row\"") < 60);
}

TEST_CASE("report page: keys move in a list and open rows, and a filter that is typed goes to the address") {
    const auto chromium = browser();
    if (!chromium) {
        return;
    }
    const std::string document =
        open_page(*chromium, with_script(two_operators().html(),
                                         "const list = document.querySelector('.list.operators');"
                                         "for (const key of ['ArrowDown', 'Enter', 'ArrowDown', 'ArrowRight'])"
                                         "  list.dispatchEvent(new KeyboardEvent('keydown', { key }));"
                                         "const rank = document.querySelector('input[name=rank]');"
                                         "rank.value = '1'; rank.dispatchEvent(new Event('input'));"
                                         "document.title = location.hash;"))
            .document;
    CHECK(contains(document, "<title>#operators.open=1,d1&amp;rank=1</title>"));
    CHECK(contains(document, "1 operator, 300 dumps"));
    CHECK(contains(rows_of(document, "operators"), "<dd>/run/dump1</dd>"));
}

TEST_CASE("report page: the chain shows its verdict in the language of the page, and opens its reason") {
    const auto chromium = browser();
    if (!chromium) {
        return;
    }
    const std::string chains =
        rows_of(open_page(*chromium, hostile_scan().html(), "#chains.open=0").document, "chains");
    CHECK(contains(chains, ">born here<"));
    CHECK(contains(chains, "output 0 contains &lt;script&gt;"));
}

TEST_CASE("report page: a script that a name could bring in is refused by the page itself") {
    const auto chromium = browser();
    if (!chromium) {
        return;
    }
    // As if the escaping had failed.
    std::string page = hostile_scan().html();
    page.insert(page.find("<main"),
                "<script>document.title='ran'</script><img src=\"x\" onerror=\"document.title='ran'\">");
    const std::string document = open_page(*chromium, page).document;
    CHECK(contains(document, "data-ready=\"1\""));
    CHECK_FALSE(contains(document, "<title>ran</title>"));
}
