// The pattern of a log format: a regular expression of Boost.Regex (Perl syntax), read byte by byte.
#pragma once

#include <cstddef>
#include <mutex>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <boost/container/small_vector.hpp>
#include <boost/regex.hpp>

#include "logs/text/bounded_text.hpp"

namespace opdebug::logs {

/// As in Perl, ^ and $ are the ends of the text. Otherwise they also match at a carriage return.
constexpr boost::regex::flag_type kPatternSyntax = boost::regex::perl | boost::regex::no_mod_m;

/// What the groups of each name captured, by the index of the name: of several groups of one name the first that took
/// part; empty where none did.
using CapturedTexts = boost::container::small_vector<std::string_view, 32>;

/// Compiled when it is first needed, for a log needs some ten of 240 built-in patterns. Thread-safe.
class FormatPattern {
public:
    /// `captures`: the names of its groups, each once.
    FormatPattern(std::string pattern, std::vector<std::string> captures)
        : pattern_(std::move(pattern)), captures_(std::move(captures)) {}

    /// Throws boost::regex_error.
    void compile();

    /// The first match in the text, leftmost first. `texts` are set for a match. Throws std::runtime_error when the
    /// steps are used up.
    bool search(std::string_view text, StepsLeft& steps, CapturedTexts& texts);

private:
    /// A group of the expression and the index of its name.
    struct NamedGroup {
        int group;
        std::size_t capture;
    };
    void find_groups();

    std::string pattern_;
    std::vector<std::string> captures_;
    boost::regex expression_;
    std::vector<NamedGroup> groups_;
    std::once_flag is_compiled_;
};

}  // namespace opdebug::logs
