// What --help states, read as a user would: the commands, and the options of each.
#pragma once

#include <doctest/doctest.h>

#include <algorithm>
#include <regex>
#include <set>
#include <string>
#include <vector>

#include "tool.hpp"

namespace opdebug::test {

/// An option as help shows it.
struct HelpOption {
    std::set<std::string> spellings;  ///< "-o", "--output"
    bool has_value = false;
    std::string text;  ///< what help states about it, on one line
};

/// The commands that `opdebug --help` lists.
inline std::vector<std::string> commands_of_help() {
    std::vector<std::string> commands;
    const std::regex row("  ([a-z]+)  +[a-z].*");
    for (const std::string& line : lines_of(run_tool({"--help"}).out)) {
        std::smatch found;
        if (std::regex_match(line, found, row)) {
            commands.push_back(found[1]);
        }
    }
    REQUIRE(commands.size() >= 10);
    return commands;
}

/// Every match of the expression's first group.
inline std::set<std::string> all_matches(const std::string& text, const std::regex& expression) {
    std::set<std::string> found;
    for (std::sregex_iterator match(text.begin(), text.end(), expression); match != std::sregex_iterator(); ++match) {
        found.insert((*match)[1]);
    }
    return found;
}

/// The options that `opdebug COMMAND --help` lists, in rows like "  -o, --output FILE       write there".
inline std::vector<HelpOption> options_of_help(const std::string& command) {
    std::vector<HelpOption> options;
    const std::regex row("  ((?:-[a-z], )?--[a-z][-a-z_]*(?:, --[a-z][-a-z_]*)*)( [A-Z+:=]+)?( .*)?");
    const std::regex spelling("(-[-a-z_]+)");
    for (const std::string& line : lines_of(run_tool({command, "--help"}).out)) {
        std::smatch found;
        if (std::regex_match(line, found, row)) {
            options.push_back({all_matches(found[1], spelling), found[2].matched, found[3]});
        } else if (!options.empty()) {
            options.back().text += " " + line.substr(std::min(line.size(), line.find_first_not_of(' ')));
        }
    }
    CAPTURE(command);
    REQUIRE(options.size() >= 2);
    return options;
}

/// All spellings of a command's options.
inline std::set<std::string> spellings_of_help(const std::string& command) {
    std::set<std::string> spellings;
    for (const HelpOption& option : options_of_help(command)) {
        spellings.insert(option.spellings.begin(), option.spellings.end());
    }
    return spellings;
}

}  // namespace opdebug::test
