// The commands of the tool, and the table of them.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <opdebug/report.hpp>
#include <opdebug/result.hpp>

#include "command_line/command_line.hpp"

namespace opdebug::tool {

CommandLine decode_command_line();
int decode_command(const std::vector<std::string>& arguments);

CommandLine index_command_line();
int index_command(const std::vector<std::string>& arguments);

CommandLine formats_command_line();
int formats_command(const std::vector<std::string>& arguments);

CommandLine status_command_line();
int status_command(const std::vector<std::string>& arguments);

CommandLine logs_command_line();
int logs_command(const std::vector<std::string>& arguments);

CommandLine train_command_line();
int train_command(const std::vector<std::string>& arguments);

CommandLine next_command_line();
int next_command(const std::vector<std::string>& arguments);

CommandLine explain_command_line();
int explain_command(const std::vector<std::string>& arguments);

CommandLine scan_command_line();
int scan_command(const std::vector<std::string>& arguments);

CommandLine merge_command_line();
int merge_command(const std::vector<std::string>& arguments);

CommandLine convert_command_line();
int convert_command(const std::vector<std::string>& arguments);

CommandLine api_command_line();
int api_command(const std::vector<std::string>& arguments);

CommandLine tensors_command_line();
int tensors_command(const std::vector<std::string>& arguments);

/// Adds --against, --slot and --fail-on of tensors.
void add_against_options(CommandLine& line);

/// Compares two dumps, and returns the exit status. Empty without --against.
std::optional<int> compare_against(const ParsedArguments& arguments, const std::string& usage, ReportOptions report,
                                   const Limits& limits);

CommandLine overflow_command_line();
int overflow_command(const std::vector<std::string>& arguments);

CommandLine watch_command_line();
int watch_command(const std::vector<std::string>& arguments);

CommandLine doctor_command_line();
int doctor_command(const std::vector<std::string>& arguments);

CommandLine completion_command_line();
int completion_command(const std::vector<std::string>& arguments);

CommandLine manual_command_line();
int manual_command(const std::vector<std::string>& arguments);

struct Command {
    std::string_view name;
    std::string_view summary;  ///< one line
    CommandLine (*command_line)();
    int (*run)(const std::vector<std::string>&);
};

constexpr const char* kProgramSummary = "explains overflow dumps (OpDebug files) of Ascend NPUs";

/// The commands in the order of help.
const std::vector<Command>& command_table();

/// Runs the command that the arguments name, or the one for the paths. Returns the exit status.
int run_program(std::vector<std::string> arguments);

/// The options of the program without a command.
std::vector<Option> program_options();

}  // namespace opdebug::tool
