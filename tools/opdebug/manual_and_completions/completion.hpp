// The completion script for bash, generated from the table of commands.
#pragma once

#include <string>
#include <vector>

#include "command_line/command_line.hpp"

namespace opdebug::tool {

/// The words that a value may be, as far as the program knows them; empty for what is no word. Of log formats the
/// built-in ones: those of a user are not known when the script is written.
std::vector<std::string> words_of(const Value& value);

/// Needs bash 4 and nothing else: the package bash-completion only finds the file. zsh loads it after bashcompinit.
std::string bash_completion();

}  // namespace opdebug::tool
