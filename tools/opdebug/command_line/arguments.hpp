// Reading a command's arguments: long options are never abbreviated, "-" is a file name, "--" ends the options.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <boost/program_options/variables_map.hpp>

#include "command_line/command_line.hpp"

namespace opdebug::tool {

/// The values of the options, or the exit status when help was shown or the usage is wrong (said on stderr). A value
/// that is a word is one of its words, and a file to write can be written as far as is known before.
struct ParsedArguments {
    std::optional<int> exit_status;
    boost::program_options::variables_map values;
    std::vector<std::string> positionals;
    std::string form;         ///< of the result, where there is --format: one of its words
    std::string report_form;  ///< the same of --report, which names the form of the file of -o

    bool has(const std::string& name) const { return values.count(name) != 0; }
    std::string text(const std::string& name) const { return values[name].as<std::string>(); }
    std::vector<std::string> texts(const std::string& name) const {
        return has(name) ? values[name].as<std::vector<std::string>>() : std::vector<std::string>();
    }
};
ParsedArguments parse_arguments(const CommandLine& line, const std::vector<std::string>& arguments);

/// A decimal number without sign; nothing for other texts.
std::optional<std::uint64_t> parse_count(const std::string& text);

/// Says on stderr what is wrong and where help is; returns the exit status for wrong usage. Where an interrupt came
/// while the arguments were examined, it says that instead, and returns its status.
int usage_error(const std::string& usage, const std::string& message);

}  // namespace opdebug::tool
