// The table of commands. Help, the manual page and the completions of shells are made from it.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "command_line/command_line.hpp"

namespace opdebug::tool {

struct Command {
    std::string_view name;
    std::string_view summary;  ///< one line
    CommandLine (*command_line)();
    int (*run)(const std::vector<std::string>&);
};

constexpr const char* kProgramSummary = "explains overflow dumps (OpDebug files) of Ascend NPUs";

/// In the order of help.
const std::vector<Command>& command_table();

/// What the program takes in place of a command.
std::vector<Option> program_options();

}  // namespace opdebug::tool
