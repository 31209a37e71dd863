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

/// The document of the page after its scripts ran, as the browser writes it. `part`: behind the # of the address.
std::string document_of(const std::string& chromium, const std::string& page, const std::string& part = {}) {
    const TemporaryDirectory directory;
    const std::string file = write_file(directory / "report.html", page);
    std::vector<std::string> arguments{chromium,
                                       "--headless",
                                       "--disable-gpu",
                                       "--disable-dev-shm-usage",
                                       "--no-first-run",
                                       "--disable-background-networking",
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
    return result.out;
}

/// Where the cells of the group table's rows stand: by their number of dumps.
std::vector<std::size_t> places_of(const std::string& document, const std::vector<std::string>& counts) {
    std::vector<std::size_t> places;
    for (const std::string& count : counts) {
        places.push_back(
            document.find("<td class=\"number\" data-key=\"" + count + "\">", document.find("<table id=\"groups\"")));
    }
    return places;
}

}  // namespace

TEST_CASE("report page: its own script runs, those in names do not, and the names are there as text") {
    const auto chromium = browser();
    if (!chromium) {
        return;
    }
    const std::string document = document_of(*chromium, hostile_scan().html());
    CHECK(contains(document, "data-ready=\"1\""));
    CHECK(contains(document, "<title>opdebug scan: 24 of 31 dumps overflowed</title>"));
    CHECK(contains(document, "&lt;script&gt;document.title='ran'&lt;/script&gt;"));
    CHECK(contains(document, "x\" onmouseover=\"document.title='ran'"));
    CHECK_FALSE(contains(document, "<img"));
    CHECK_FALSE(contains(document, "<td autofocus"));
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
    const std::string document = document_of(*chromium, run.out);
    CHECK(contains(document, "data-ready=\"1\""));
    CHECK(contains(document, "<title>opdebug scan: "));
    CHECK(contains(document, "&lt;script&gt;document.title='ran'&lt;script&gt;"));
    CHECK(contains(document, "{{script}}{{title}}"));
    CHECK(count_of(document, "<script") == 1);
    for (const char* element : {"<img", "<plaintext", "<textarea", "<!--"}) {
        CHECK_MESSAGE(!contains(document.substr(0, document.find("<script>")), element), element);
    }
}

TEST_CASE("report page: tables are sorted by the column in the address, numbers as numbers") {
    const auto chromium = browser();
    if (!chromium) {
        return;
    }
    const std::string page = hostile_scan().html();
    const std::vector<std::size_t> before = places_of(page, {"14", "8", "2"});
    REQUIRE(before[0] < before[1]);
    REQUIRE(before[1] < before[2]);
    const std::string document = document_of(*chromium, page, "#groups=0,ascending&language=zh");
    const std::vector<std::size_t> after = places_of(document, {"2", "8", "14"});
    CHECK(after[0] < after[1]);
    CHECK(after[1] < after[2]);
    CHECK(after[2] != std::string::npos);
    CHECK(contains(document, "aria-sort=\"ascending\""));
    CHECK(contains(document, "<html lang=\"zh\" data-ready=\"1\">"));
}

TEST_CASE("report page: the chain shows its verdict in the language of the page, and unfolds its dumps") {
    const auto chromium = browser();
    if (!chromium) {
        return;
    }
    const std::string document = document_of(*chromium, hostile_scan().html(), "#chains=6,descending");
    const std::string chains = document.substr(document.find("<table id=\"chains\""));
    const std::string row = chains.substr(chains.find("<tbody>"), chains.find("</tbody>") - chains.find("<tbody>"));
    CHECK(contains(row, "<strong><span class=\"en\" lang=\"en\">born here</span>"));
    CHECK(contains(row, "output 0 holds &lt;script&gt;"));
    CHECK(contains(row, "<details><summary>"));
    CHECK(contains(row, "28 more"));
    CHECK(contains(chains, "aria-sort=\"descending\""));
}

TEST_CASE("report page: a script that a name could bring in is refused by the page itself") {
    const auto chromium = browser();
    if (!chromium) {
        return;
    }
    // As if the escaping had failed.
    std::string page = hostile_scan().html();
    page.insert(page.find("</header>"),
                "<script>document.title='ran'</script><img src=\"x\" onerror=\"document.title='ran'\">");
    const std::string document = document_of(*chromium, page);
    CHECK(contains(document, "data-ready=\"1\""));
    CHECK_FALSE(contains(document, "<title>ran</title>"));
}
