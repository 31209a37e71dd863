// What a shell offered at the end of command lines, and what it was to offer.
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "tool.hpp"

namespace opdebug::test {

using Words = std::set<std::string>;
using WordsOfLines = std::map<std::string, Words>;

/// Of what a shell printed: "> " and the line, then a row for each word, with a tab in front of its description.
inline WordsOfLines words_of_lines(const ProcessResult& run) {
    REQUIRE_MESSAGE(run.exit_status == 0, run.err);
    CHECK(run.err.empty());
    WordsOfLines words;
    std::string line;
    for (const std::string& row : lines_of(run.out)) {
        if (row.rfind("> ", 0) == 0) {
            line = row.substr(2);
            words[line];
        } else {
            words[line].insert(row.substr(0, row.find('\t')));
        }
    }
    return words;
}

inline std::vector<std::string> lines_in(const WordsOfLines& words) {
    std::vector<std::string> lines;
    for (const auto& item : words) {
        lines.push_back(item.first);
    }
    return lines;
}

inline void check_words(const WordsOfLines& found, const WordsOfLines& expected) {
    for (const auto& item : expected) {
        CAPTURE(item.first);
        const auto words = found.find(item.first);
        REQUIRE(words != found.end());
        CHECK(words->second == item.second);
    }
}

}  // namespace opdebug::test
