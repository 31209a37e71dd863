// opdebug manual: the page as programs for manual pages see it, and what it states next to commands and options.
#include <doctest/doctest.h>

#include <filesystem>
#include <regex>

#include "build_paths.hpp"
#include "help_text.hpp"
#include "skip.hpp"
#include "tool.hpp"

using namespace opdebug::test;

namespace {

std::string page() {
    const ProcessResult run = run_tool({"manual"});
    REQUIRE(run.exit_status == 0);
    REQUIRE(run.err.empty());
    return run.out;
}

}  // namespace

TEST_CASE("manual: the same page in every language and time zone") {
    ProcessOptions chinese;
    chinese.environment = {{"LC_ALL", "zh_CN.UTF-8"}, {"TZ", "Asia/Shanghai"}};
    CHECK(run_tool({"manual"}, chinese).out == page());
}

TEST_CASE("manual: exit statuses and variables are in it") {
    const std::string text = page();
    for (const char* const term :
         {"0", "1", "2", "3", "129, 130, 143", "LC_ALL, LC_MESSAGES, LANG", "TZ", "TMPDIR", "NO_COLOR", "TERM"}) {
        CHECK_MESSAGE(contains(text, ".TP\n\\fB" + std::string(term) + "\\fR\n"), term);
    }
}

TEST_CASE("manual: dots and dashes are text, not requests") {
    for (const std::string& line : lines_of(page())) {
        CAPTURE(line);
        CHECK(std::regex_match(line, std::regex("[^.'].*|\\.(TH|SH|SS|TP|PP|br|nh|ad)( .*)?|\\.\\\\\".*")));
        CHECK_FALSE(std::regex_search(line, std::regex("[^\\\\]--")));  // what is copied into a shell must be ASCII
    }
}

TEST_CASE("manual: mandoc finds no fault") {
    if (!std::filesystem::exists("/usr/bin/mandoc")) {
        skip("mandoc is not installed");
        return;
    }
    const TemporaryDirectory directory;
    REQUIRE(run_tool({"manual", "-o", directory / "opdebug.1"}).exit_status == 0);
    const ProcessResult lint = run_process({"/usr/bin/mandoc", "-T", "lint", "-W", "warning", directory / "opdebug.1"});
    for (const std::string& line : lines_of(lint.out + lint.err)) {
        // The page has no date: builds of one version are equal.
        CHECK_MESSAGE(contains(line, "missing date"), line);
    }
    const ProcessResult shown = run_process({"/usr/bin/mandoc", "-T", "ascii", directory / "opdebug.1"});
    CHECK(shown.exit_status == 0);
    const std::string plain = std::regex_replace(shown.out, std::regex(".\b"), "");
    CHECK(contains(plain, "opdebug convert -d PATH[,PATH...] [-out DIR]"));
    CHECK(contains(plain, "-o, --output FILE"));
    CHECK(contains(plain, "named Opdebug.*."));
}
