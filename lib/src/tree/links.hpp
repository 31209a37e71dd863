// Links in the path of a file or folder, and what is read from where they lead.
#pragma once

#include <cstddef>
#include <string>

#include <opdebug/tree.hpp>

namespace opdebug::tree {

/// How many links stand in the path as it is written. The working folder has none: the system tells it without.
std::size_t links_in(const std::string& path);

/// Where the path leads, from the root on; empty where it leads nowhere.
std::string real_path(const std::string& path);

/// The ids of the path as it is written; what these leave open is read from `real_path` (docs/format.md,
/// "Directories"). Empty: there are no others.
PathIds with_ids_behind_links(PathIds written, const std::string& real_path);

}  // namespace opdebug::tree
