// The commands of the tool. Each gets its arguments, returns the exit status and throws UsageError for wrong usage.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <opdebug/report.hpp>
#include <opdebug/result.hpp>

#include "command_line/command_line.hpp"

namespace opdebug::tool {

int decode_command(const ParsedArguments& arguments);
int index_command(const ParsedArguments& arguments);
int scan_command(const ParsedArguments& arguments);
int logs_command(const ParsedArguments& arguments);
int merge_command(const ParsedArguments& arguments);
int status_command(const ParsedArguments& arguments);
int explain_command(const ParsedArguments& arguments);
int convert_command(const ParsedArguments& arguments);
int tensors_command(const ParsedArguments& arguments);
int overflow_command(const ParsedArguments& arguments);
int watch_command(const ParsedArguments& arguments);
int doctor_command(const ParsedArguments& arguments);
int api_command(const ParsedArguments& arguments);
int train_command(const ParsedArguments& arguments);
int next_command(const ParsedArguments& arguments);
int formats_command(const ParsedArguments& arguments);
int completion_command(const ParsedArguments& arguments);
int manual_command(const ParsedArguments& arguments);

/// tensors --against: compares two dumps, and returns the exit status. Empty without --against.
std::optional<int> compare_against(const ParsedArguments& arguments, const ReportOptions& report, const Limits& limits);

/// The names of the commands in the order of help.
const std::vector<std::string_view>& command_names();

/// The commit that the program was built from; empty outside of a checkout.
const char* commit() noexcept;

/// Runs the command that the arguments name, or the one for the paths. Returns the exit status.
int run_program(std::vector<std::string> arguments);

}  // namespace opdebug::tool
