// The entries of one folder.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <opdebug/limits.hpp>
#include <opdebug/result.hpp>

namespace opdebug::tree {

/// What the folder itself says of an entry. other: a pipe, socket or device. Some file systems leave it unknown.
enum class EntryKind { file, folder, link, other, unknown };

struct FolderEntry {
    std::string name;
    bool may_be_folder = false;  ///< a folder, a link, or unknown: only stat() can tell
    EntryKind kind = EntryKind::unknown;
};

/// "cannot {action}: {reason}" for an errno: file_not_found, permission_denied or read_failed.
Error path_error(const std::string& path, std::string_view action, int number);

/// The entries in byte order of their names, without "." and "..". Errors: file_not_found, permission_denied,
/// read_failed.
Result<std::vector<FolderEntry>> list_folder(const std::string& path);

/// The error for a folder that is not read because it lies deeper than Limits::folder_depth.
Error folder_too_deep(const std::string& path, const Limits& limits);

/// "folder/name", without doubling a slash.
std::string join_path(std::string_view folder, std::string_view name);

/// The folder part of a path; "." when it has none.
std::string folder_of(std::string_view path);

}  // namespace opdebug::tree
