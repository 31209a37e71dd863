// The option of every command that reads dumps or logs: how much is taken of what files claim and hold.
#pragma once

#include <optional>
#include <string>

#include <opdebug/limits.hpp>

#include "command_line/arguments.hpp"

namespace opdebug::tool {

/// --limit
Option limit_option();

/// Reads NAME=NUMBER of each --limit, where K, M and G behind the number are powers of 1024; a message when one is
/// wrong.
std::optional<std::string> read_limit_option(const ParsedArguments& arguments, Limits& limits);

}  // namespace opdebug::tool
