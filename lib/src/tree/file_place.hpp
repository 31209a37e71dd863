// Where a file really lies: one file may have many paths.
#pragma once

#include <sys/types.h>

#include <optional>
#include <string>
#include <utility>

namespace opdebug::tree {

/// A file by its folder and its name there: inode numbers of files would make one of hard links, which are dumps of
/// their own names.
using FilePlace = std::pair<std::pair<dev_t, ino_t>, std::string>;

/// Where a path leads in the end, links followed; nothing when it leads nowhere any more.
std::optional<FilePlace> place_of(const std::string& path);

/// The same of the path's last name as it stands there, also of a link; nothing when its folder is gone.
std::optional<FilePlace> place_in_folder(const std::string& path);

}  // namespace opdebug::tree
