// The options of every command that writes documents.
#pragma once

#include <optional>
#include <string>

#include <opdebug/report.hpp>

#include "command_line/arguments.hpp"

namespace opdebug::tool {

constexpr const char* kTensorsHelp =
    "also measure the operators' own dumps: what their inputs and outputs hold, and whether the bad value was born in "
    "the operator or inherited; reads these files as a whole";

/// Adds --output, --lang and --help.
void add_report_options(CommandLine& line);

/// --output
Option output_option();

/// --lang
Option language_option(const char* summary);

/// The value of --output, if given.
std::optional<std::string> output_path(const ParsedArguments& arguments);

/// Reads --lang, else the environment.
void read_language(const ParsedArguments& arguments, ReportOptions& report);

}  // namespace opdebug::tool
