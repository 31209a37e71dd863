// Whether a result can be put where -o says, before the work for it begins.
#pragma once

#include <optional>
#include <string>

namespace opdebug::tool {

/// The message when Output (output.hpp) could not write a file there: no name, a folder, no folder to put it in, or no
/// permission. What goes wrong later, as a full disk does, is told when it happens.
std::optional<std::string> refuse_output_place(const std::string& path);

/// Whether the result is written into something that is there, a device or a pipe, and replaces no file.
bool is_device_or_pipe(const std::string& path);

}  // namespace opdebug::tool
