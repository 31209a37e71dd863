// Where the folders that ids are read from stand in a path.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace opdebug::tree {

/// Whether the path begins at the root and goes down only: parse_path_ids() then reads what path_ids_of_file() does.
bool shows_all_folders(std::string_view path) noexcept;

/// The path of the {time} folder that a file lies below, the one that path_ids_of_file() takes PathIds::time from, from
/// the root on. Nothing where it lies below none.
std::optional<std::string> time_folder_of_file(const std::string& path);

}  // namespace opdebug::tree
