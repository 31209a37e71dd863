// The manual page and the bash completion know the commands and options of --help, and no others.
// docs/reference/commands.md is written from --help (tests/lint/reference.py).
#include <doctest/doctest.h>

#include <regex>

#include "bash_completion.hpp"
#include "build_paths.hpp"
#include "help_text.hpp"
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
    CHECK(listed(all_matches(part(manual, ".SH SYNOPSIS\n", "\n.SH "), std::regex("opdebug\\\\fR \\\\fB([a-z]+)"))) ==
          listed(commands));
    CHECK(listed(names_of(BashCompletion().offered({""}))) == listed(commands));
}

TEST_CASE("options in place of a command are known everywhere and answer") {
    const Names options{"-h", "--help", "--version"};
    CHECK(listed(names_of(BashCompletion().offered({"-"}))) == listed(options));
    const std::string manual = run_tool({"manual"}).out;
    for (const std::string& option : options) {
        CAPTURE(option);
        CHECK(run_tool({option}).exit_status == 0);
        CHECK(contains(part(manual, ".SH DESCRIPTION", ".SH COMMANDS"),
                       "\\fB" + std::regex_replace(option, std::regex("-"), "\\-") + "\\fR"));
    }
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

TEST_CASE("bash's words for a value are those that --help names") {
    const BashCompletion bash;  // in an empty folder: it has no files to offer
    std::size_t words = 0;
    for (const std::string& command : commands_of_help()) {
        for (const HelpOption& option : options_of_help(command)) {
            for (const std::string& spelling : option.has_value ? option.spellings : Names()) {
                CAPTURE(spelling);
                for (const std::string& word : bash.offered({command, spelling, ""})) {
                    CHECK_MESSAGE(contains(option.text, word), command, " ", word);
                    ++words;
                }
            }
        }
    }
    CHECK(words >= 20);
}

TEST_CASE("--version tells the version of the project") {
    const std::string project = read_file(std::string(source_folder) + "/CMakeLists.txt");
    const Names version = all_matches(project, std::regex("project\\(opdebug VERSION ([0-9]+\\.[0-9]+\\.[0-9]+)"));
    REQUIRE(version.size() == 1);
    CHECK(run_tool({"--version"}).out == "opdebug " + *version.begin() + "\n");
    CHECK(contains(run_tool({"manual"}).out, "\"opdebug " + *version.begin() + "\""));
}

TEST_CASE("completion and manual: wrong usage, and a place that cannot be written") {
    CHECK(run_tool({"completion"}).exit_status == 2);
    for (const char* shell : {"zsh", "fish", "tcsh"}) {
        const ProcessResult other = run_tool({"completion", shell});
        CHECK(other.exit_status == 2);
        CHECK(other.out.empty());
        CHECK(contains(other.err, std::string("no completion for '") + shell + "': use bash"));
        CHECK(contains(other.err, "bashcompinit") == (shell == std::string("zsh")));
    }
    CHECK(run_tool({"completion", "bash", "bash"}).exit_status == 2);
    CHECK(run_tool({"manual", "page"}).exit_status == 2);
    const TemporaryDirectory directory;
    const ProcessResult absent = run_tool({"manual", "-o", directory / "absent/opdebug.1"});
    CHECK(absent.exit_status == 2);
    CHECK(
        contains(absent.err, directory / "absent/opdebug.1 cannot be written: " + directory / "absent: No such file"));
    CHECK(run_tool({"completion", "bash", "-o", directory / "opdebug"}).exit_status == 0);
    CHECK(read_file(directory / "opdebug") == run_tool({"completion", "bash"}).out);
}
