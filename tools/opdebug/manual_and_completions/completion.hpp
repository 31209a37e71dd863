// Completion scripts for shells, made from the table of commands.
#pragma once

#include <string>
#include <vector>

#include "command_line/command_line.hpp"

namespace opdebug::tool {

/// The words that a value may be, as far as the program knows them; empty for what is no word. Of log formats the
/// built-in ones: those of a user are not known when the script is written.
std::vector<std::string> words_of(const Value& value);

/// Needs bash 4 and nothing else: the package bash-completion only finds the file.
std::string bash_completion();

/// For a folder of fish's completions, or to be sourced. fish 3 or newer.
std::string fish_completion();

/// Both for a folder of zsh's fpath, under the name _opdebug, and to be sourced after compinit.
std::string zsh_completion();

}  // namespace opdebug::tool
