// The layouts of dump folders: which folder contains which id.
#pragma once

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

}  // namespace opdebug::tree
