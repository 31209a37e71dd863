// The options of every command that reads logs.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include <opdebug/named_text.hpp>

#include "arguments.hpp"

namespace opdebug::tool {

/// Adds --log-formats.
void add_log_formats_option(options::options_description& description);

/// The definition files of --log-formats, checked together with the built-in ones; a message when one cannot be read
/// or is not sound.
std::optional<std::string> read_log_formats(const ParsedArguments& arguments, std::vector<NamedText>& files);

/// The number of -j: 0 when it is not given. A message when it is none from 1 to 1024.
std::optional<std::string> read_threads(const ParsedArguments& arguments, unsigned& threads);

}  // namespace opdebug::tool
