// Whether a path shows the folders that ids are read from.
#pragma once

#include <string_view>

namespace opdebug::tree {

/// Whether the path begins at the root and goes down only: parse_path_ids() then reads what path_ids_of_file() does.
bool shows_all_folders(std::string_view path) noexcept;

}  // namespace opdebug::tree
