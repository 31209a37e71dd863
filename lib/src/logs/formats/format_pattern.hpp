// The pattern of a log format, compiled when it is first needed.
#pragma once

#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <boost/regex.hpp>

#include "logs/patterns/pattern_program.hpp"

namespace opdebug::logs {

/// Of 240 built-in patterns a log needs some ten: to compile all of them was a third of loading. Thread-safe.
class FormatPattern {
public:
    /// `captures`: its named groups. `compiled`: what compile_pattern() made of it, where that was asked before.
    FormatPattern(std::string pattern, std::vector<std::string> captures, std::optional<PatternProgram> compiled)
        : pattern_(std::move(pattern)), captures_(std::move(captures)), program_(std::move(compiled)) {}

    /// Nothing where the pattern is not plain enough.
    const std::optional<PatternProgram>& program();

    /// The same for Boost.Regex, for lines on which the program does not know. Throws boost::regex_error.
    const boost::regex& expression();

private:
    std::string pattern_;
    std::vector<std::string> captures_;
    std::optional<PatternProgram> program_;
    boost::regex expression_;
    std::once_flag has_program_, has_expression_;
};

}  // namespace opdebug::logs
