// Walks paths: overflow dumps below them, and counts of other files.
// A dump is a file with an overflow dump's name, or a file that the user named. A link with such a name is a dump if
// its target is not found (of several links to one target: the first in path order). Converted outputs are a dump if
// the binary is not in their folder.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include <opdebug/result.hpp>
#include <opdebug/tree.hpp>

#include "tree/folder.hpp"

namespace opdebug::tree {

struct WalkedDump {
    std::string name;                    ///< of the binary, otherwise of the first converted output
    std::vector<std::string> converted;  ///< names of the converted outputs by index; empty: the binary exists
    bool is_link = false;
};

/// A folder with dumps.
struct WalkedFolder {
    std::string prefix;     ///< path of the folder with a slash, or empty
    std::string real_path;  ///< real path if the path contains a link; otherwise empty
    std::vector<WalkedDump> dumps;
    /// False: only files that the user named are known; their folder may contain converted outputs.
    bool was_read = true;
};

/// A dump by its position in Walk::folders.
struct DumpPosition {
    std::uint32_t folder = 0;
    std::uint32_t dump = 0;
};

/// Real path of a dump if it is a link or its path contains one; otherwise empty.
std::string real_path_of(const WalkedFolder& folder, const WalkedDump& dump);

/// A possible API dump: by its name, an archive with the name of such a folder, or any file that the user named.
struct NamedAsApiDump {
    std::string path;
    bool given = false;  ///< the user named it, so it is among the dumps
    bool is_link = false;
};

struct Walk {
    std::vector<WalkedFolder> folders;
    std::vector<DumpPosition> in_path_order;  ///< every dump, by the bytes of its path
    std::vector<NamedAsApiDump>
        named_as_api_dumps;  ///< in the order of the walk: real folders before links; links to files last
    std::uint64_t op_dumps = 0;
    std::uint64_t other_files = 0;        ///< including dangling links, pipes, other paths of a dump
    std::vector<Error> failures;          ///< unreadable paths, folders and mapping files, by path
    std::vector<Diagnostic> diagnostics;  ///< dangling_links, special_files, nearly_dump_names, linked_twice,
                                          ///< unnamed_files, several_names
    bool complete = true;                 ///< false: stopped
};

/// A folder that a walk listed.
struct ListedFolder {
    const std::string& path;
    const std::vector<FolderEntry>& entries;
    bool behind_link = false;  ///< reached through a link below the given paths
};

struct WalkOptions {
    std::function<bool()> stop;                                ///< called for each folder
    std::function<void(std::uint64_t dumps_so_far)> progress;  ///< called for each folder
    std::function<void(const ListedFolder& folder)> listed;    ///< called for each folder, in the caller's thread
    Limits limits;
};

/// Walks the paths. Real folders come before links to folders, including given paths with links. Links are followed in
/// path order. Each folder is read once, so loops end, and repeated or nested paths yield each dump once. Names may be
/// any bytes. Missing paths are failures. Errors: file_not_found, permission_denied or read_failed of the first path if
/// none of `paths` exists.
Result<Walk> walk(const std::vector<std::string>& paths, const WalkOptions& options = {});

/// The positions of all dumps in the folders, in path order.
std::vector<DumpPosition> dumps_in_path_order(const std::vector<WalkedFolder>& folders);

}  // namespace opdebug::tree
