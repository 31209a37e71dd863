// The entries of one folder, and where a file really lies.
#pragma once

#include <sys/types.h>

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <opdebug/result.hpp>

namespace opdebug::tree {

/// What the folder itself says of an entry. other: a pipe, socket or device. Some file systems leave it unknown.
/// nothing: it is gone, or a link leads nowhere.
enum class EntryKind { file, folder, link, other, unknown, nothing };

struct FolderEntry {
    std::string name;
    bool may_be_folder = false;  ///< a folder, a link, or unknown: only stat() can tell
    EntryKind kind = EntryKind::unknown;
};

/// "cannot {action}: {reason}" for an errno: file_not_found, permission_denied or read_failed.
Error path_error(const std::string& path, std::string_view action, int number);

/// What could be read of a folder.
struct FolderListing {
    std::vector<FolderEntry> entries;  ///< in byte order of their names, without "." and ".."
    std::optional<Error> failure;      ///< why entries may be missing: file_not_found, permission_denied, read_failed
};
FolderListing list_folder(const std::string& path);

/// What an entry of unknown kind is, or where a link leads to (`follow`); a failure when the system does not tell.
Result<EntryKind> examine_entry(const std::string& path, bool follow);

/// The error for a folder that is not read because it lies deeper than Limits::folder_depth.
Error folder_too_deep(const std::string& path, const Limits& limits);

/// "folder/name", without doubling a slash.
std::string join_path(std::string_view folder, std::string_view name);

/// The folder part of a path; "." when it has none.
std::string folder_of(std::string_view path);

/// A file by its folder and its name there: inode numbers of files would make one of hard links, which are dumps of
/// their own names.
using FilePlace = std::pair<std::pair<dev_t, ino_t>, std::string>;

/// Where a path leads in the end, links followed; nothing when it leads nowhere any more.
std::optional<FilePlace> place_of(const std::string& path);

/// The same of the path's last name as it stands there, also of a link; nothing when its folder is gone.
std::optional<FilePlace> place_in_folder(const std::string& path);

}  // namespace opdebug::tree
