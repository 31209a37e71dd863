// The commands of the tool. Each takes its arguments (without the command's name) and returns the exit status; beside
// it stands what it accepts.
#pragma once

#include <string>
#include <vector>

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

}  // namespace opdebug::tool
