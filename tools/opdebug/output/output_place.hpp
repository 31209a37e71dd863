// Where a result goes: what is written into as it stands, what can be written at all.
#pragma once

#include <optional>
#include <string>

namespace opdebug::tool {

/// The message when Output (output.hpp) could not write a file there: no name, a folder, no folder to put it in, or no
/// permission. What goes wrong later, as a full disk does, is told when it happens.
std::optional<std::string> refuse_output_place(const std::string& path);

/// The message when no folder for results can be made at `path`, or nothing can be written into the one that is there.
/// `option`: the one that named it. Nothing is made yet.
std::optional<std::string> refuse_output_folder(const std::string& option, const std::string& path);

/// The number of a descriptor that the program was started with, for /dev/stdout, /dev/stderr, /dev/fd/N and
/// /proc/self/fd/N. These are links: a file put in their place would be there for every program of the machine.
std::optional<int> descriptor_named(const std::string& path);

/// Whether the path lies in a folder that only the system fills: links there are meant to be followed.
bool is_name_of_system(const std::string& path);

/// Whether the result is written into something that is there, a device, a pipe or an open descriptor, and replaces no
/// file. A link to one counts only where the system made it: elsewhere anybody may have.
bool is_written_in_place(const std::string& path);

}  // namespace opdebug::tool
