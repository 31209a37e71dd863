// The folders of a path: their ids, and links among them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include <opdebug/tree.hpp>

namespace opdebug::tree {

/// The ids in the folders of a path, and where they are. Views are parts of the path.
struct FolderIds {
    PathIds ids;
    std::string_view time_folder;  ///< the path of the {time} folder; empty if there is none
    /// The path above the rank folder, or above the time folder if there is no rank, and above a step folder directly
    /// above it. Without both: the folder of the file.
    std::string_view root;
};

/// The last part of the path is a file.
FolderIds match_folder_layouts(std::string_view path);

/// Number of links in the path as given. The system reports the working folder without links.
std::size_t links_in(const std::string& path);

/// The ids of the path as given; missing ids are read from `real_path` (docs/internals/formats.md, "Directories"), if
/// it is not empty.
PathIds with_ids_behind_links(PathIds written, const std::string& real_path);

/// Whether the path is absolute and without "..". parse_path_ids() then equals path_ids_as_written().
bool shows_all_folders(std::string_view path) noexcept;

/// path_ids_of_file() without the targets of links: the only system call reads the working folder.
PathIds path_ids_as_written(const std::string& path);

}  // namespace opdebug::tree
