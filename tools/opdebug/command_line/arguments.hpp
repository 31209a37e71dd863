// Parses a command's arguments: long options are never abbreviated, "-" is a file name, "--" ends the options.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <boost/program_options/variables_map.hpp>

#include "command_line/command_line.hpp"

namespace opdebug::tool {

/// The values of the options, or the exit status after help or wrong usage (reported on stderr). Words are valid, and
/// output files are writable as far as can be checked.
struct ParsedArguments {
    std::optional<int> exit_status;
    boost::program_options::variables_map values;
    std::vector<std::string> positionals;
    std::string form;         ///< format of the result: a word of --format, if the command has it
    std::string report_form;  ///< the same for --report, the format of the file of -o

    bool has(const std::string& name) const { return values.count(name) != 0; }
    std::string text(const std::string& name) const { return values[name].as<std::string>(); }
    std::vector<std::string> texts(const std::string& name) const {
        return has(name) ? values[name].as<std::vector<std::string>>() : std::vector<std::string>();
    }
};
ParsedArguments parse_arguments(const CommandLine& line, const std::vector<std::string>& arguments);

/// A decimal number without sign; empty for other texts.
std::optional<std::uint64_t> parse_count(const std::string& text);

/// Reports the message and the way to help on stderr; returns the exit status for wrong usage. After an interrupt
/// during the checks, reports the interrupt and returns its status.
int usage_error(const std::string& usage, const std::string& message);

}  // namespace opdebug::tool
