// Completion scripts for shells, made from the table of commands.
#pragma once

#include <string>

namespace opdebug::tool {

/// Needs bash 4 and nothing else: the package bash-completion only finds the file.
std::string bash_completion();

/// Both for a folder of zsh's fpath, under the name _opdebug, and to be sourced after compinit.
std::string zsh_completion();

}  // namespace opdebug::tool
