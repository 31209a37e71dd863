// The commands of the tool. Each takes its arguments (without the command's name) and returns the exit status.
#pragma once

#include <string>
#include <vector>

namespace opdebug::tool {

int decode_command(const std::vector<std::string>& arguments);
int index_command(const std::vector<std::string>& arguments);
int formats_command(const std::vector<std::string>& arguments);
int status_command(const std::vector<std::string>& arguments);
int scan_command(const std::vector<std::string>& arguments);
int convert_command(const std::vector<std::string>& arguments);
int tensors_command(const std::vector<std::string>& arguments);
int overflow_command(const std::vector<std::string>& arguments);

}  // namespace opdebug::tool
