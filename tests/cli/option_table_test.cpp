// The manual page and the bash completion know the commands and options of --help, and no others.
// docs/reference/commands.md is written from --help (tests/lint/reference.py).
#include <doctest/doctest.h>

#include <filesystem>
#include <regex>

#include "bash_completion.hpp"
#include "build_paths.hpp"
#include "help_text.hpp"
#include "skip.hpp"
#include "tool.hpp"

using namespace opdebug::test;

namespace {

using Names = std::set<std::string>;

/// "-out" is "--out"; what has one letter stays.
Names with_two_dashes(const Names& spellings) {
    Names result;
    for (const std::string& spelling : spellings) {
        result.insert(spelling.size() > 2 && spelling[1] != '-' ? "-" + spelling : spelling);
    }
    return result;
}

/// The text between `begin` and the next `end`.
std::string part(const std::string& text, const std::string& begin, const std::string& end) {
    const std::size_t from = text.find(begin);
    REQUIRE_MESSAGE(from != std::string::npos, begin);
    return text.substr(from, text.find(end, from + begin.size()) - from);
}

Names names_of(const std::vector<std::string>& list) {
    return {list.begin(), list.end()};
}

/// For messages that name what is missing or too many.
std::string listed(const Names& names) {
    std::string text;
    for (const std::string& name : names) {
        text += name + " ";
    }
    return text;
}

}  // namespace

TEST_CASE("every text knows the commands of --help, and no others") {
    const Names commands = names_of(commands_of_help());
    const std::string manual = run_tool({"manual"}).out;
    CHECK(listed(all_matches(part(manual, ".SH COMMANDS\n", "\n.SH "), std::regex("\n\\.SS ([^\n]+)"))) ==
          listed(commands));
    CHECK(listed(all_matches(part(manual, ".SH SYNOPSIS\n", "\n.SH "), std::regex("opdebug ([a-z]+)"))) ==
          listed(commands));
    CHECK(listed(names_of(BashCompletion().offered({""}))) == listed(commands));
}

TEST_CASE("the manual page has the options of --help, and no others") {
    const std::string manual = run_tool({"manual"}).out;
    for (const std::string& command : commands_of_help()) {
        CAPTURE(command);
        std::string section = part(manual, "\n.SS " + command + "\n", "\n.S");
        section = std::regex_replace(section, std::regex("\\\\-"), "-");
        Names found;
        for (const std::string& row : all_matches(section, std::regex("\n\\.TP\n([^\n]+)"))) {
            const Names spellings = all_matches(row, std::regex("\\\\fB(-[^\\\\]+)\\\\fR"));
            found.insert(spellings.begin(), spellings.end());
        }
        CHECK(listed(found) == listed(spellings_of_help(command)));
    }
}

TEST_CASE("bash completes the options of --help, and no others") {
    const BashCompletion bash;
    for (const std::string& command : commands_of_help()) {
        CAPTURE(command);
        const Names known = spellings_of_help(command);
        CHECK(listed(names_of(bash.offered({command, "-"}))) == listed(known));
        for (const char letter : std::string("abcdefghijklmnopqrstuvwxyz")) {
            for (const std::string& spelling : bash.offered({command, std::string("-") + letter})) {
                CHECK_MESSAGE(known.count(*with_two_dashes({spelling}).begin()) == 1, spelling);
            }
        }
    }
}

TEST_CASE("--version tells the version of the project") {
    const std::string project = read_file(std::string(source_folder) + "/CMakeLists.txt");
    const Names version = all_matches(project, std::regex("project\\(opdebug VERSION ([0-9]+\\.[0-9]+\\.[0-9]+)"));
    REQUIRE(version.size() == 1);
    CHECK(run_tool({"--version"}).out.starts_with("opdebug " + *version.begin()));
    CHECK(contains(run_tool({"manual"}).out, "\"opdebug " + *version.begin() + "\""));
}

TEST_CASE("manual: dots and dashes are text, not requests") {
    for (const std::string& line : lines_of(run_tool({"manual"}).out)) {
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
