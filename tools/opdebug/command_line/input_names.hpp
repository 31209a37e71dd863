// Names under which commands read files below a folder: a result must not take one.
#pragma once

#include <optional>
#include <string>

namespace opdebug::tool {

/// Whether a file of that name counts as an input below a folder: a dump, converted JSON, mapping.csv, a number that
/// stands for a name that was too long, a dump of API calls or what lies beside one.
bool has_name_of_input(const std::string& path);

/// Whether the file that is there now is a dump of API calls, by its content: it may have any name, and links lead to
/// it.
bool is_api_dump(const std::string& path);

/// The message when a new file at `path` would have such a name where files of such names lie: the next scan would read
/// it with them, whatever this command reads.
std::optional<std::string> refuse_name_beside_inputs(const std::string& path);

}  // namespace opdebug::tool
