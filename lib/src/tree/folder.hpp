// The entries of one folder, and real locations of files.
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

/// The kind of an entry in the folder. other: a pipe, socket or device. unknown: the file system does not report it.
/// nothing: removed, or a dangling link.
enum class EntryKind { file, folder, link, other, unknown, nothing };

struct FolderEntry {
    std::string name;
    bool may_be_folder = false;  ///< a folder, a link, or unknown: needs stat()
    EntryKind kind = EntryKind::unknown;
};

/// "cannot {action}: {reason}" for an errno: file_not_found, permission_denied or read_failed.
Error path_error(const std::string& path, std::string_view action, int number);

/// The readable entries of a folder.
struct FolderListing {
    std::vector<FolderEntry> entries;  ///< in byte order of their names, without "." and ".."
    std::optional<Error> failure;      ///< why entries may be missing: file_not_found, permission_denied, read_failed
};
FolderListing list_folder(const std::string& path);

/// The kind of an unknown entry, or of a link's target (`follow`). Fails if the system does not report it.
Result<EntryKind> examine_entry(const std::string& path, bool follow);

/// The error for a folder below Limits::folder_depth, which is not read.
Error folder_too_deep(const std::string& path, const Limits& limits);

/// "folder/name", without doubling a slash.
std::string join_path(std::string_view folder, std::string_view name);

/// The folder part of a path; "." when it has none.
std::string folder_of(std::string_view path);

/// The paths without the folders that another of these folders leads to, and each folder once.
std::vector<std::string> outermost(const std::vector<std::string>& paths, const Limits& limits);

/// The absolute path without links; empty for a dangling path.
std::string real_path(const std::string& path);

/// Device and inode: one folder may have many paths.
using FolderIdentity = std::pair<dev_t, ino_t>;

/// A file by folder and name. Inode numbers would join hard links, which are separate dumps.
using FileIdentity = std::pair<FolderIdentity, std::string>;

/// The identity of the path itself: a link in the last part is not followed. Empty if the folder is gone.
std::optional<FileIdentity> file_identity(const std::string& path);

/// The identity of the target after all links. Empty for a dangling path.
std::optional<FileIdentity> target_identity(const std::string& path);

}  // namespace opdebug::tree
