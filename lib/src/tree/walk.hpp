// Everything below some paths: which files are overflow dumps, and how many others there are.
//
// What counts as one dump: a file with an overflow dump's name, or a file that was given itself; a symbolic link with
// such a name whose target is not found as well (of several links to one target the first in path order); the converted
// outputs of a dump whose binary is not in their folder.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <functional>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include <opdebug/result.hpp>
#include <opdebug/tree.hpp>

#include "tree/folder.hpp"

namespace opdebug::tree {

/// Device and inode: one folder may have many paths.
using FolderIdentity = std::pair<dev_t, ino_t>;

struct WalkedDump {
    std::string name;                    ///< of the binary, else of the first converted output
    std::vector<std::string> converted;  ///< names of the converted outputs by index; empty: the binary is there
    std::string converted_beside;        ///< of a binary: the first of its converted outputs in its folder
    bool is_link = false;
};

/// A folder that holds dumps.
struct WalkedFolder {
    std::string prefix;     ///< what stands before a name: the folder's path with a slash, or nothing
    std::string real_path;  ///< where the folder lies, if a link stands in its path; empty: none does
    std::vector<WalkedDump> dumps;
    /// The names of all files beside them that name operators, so that nobody has to list the folder again. Nothing
    /// where it was not read, or not wholly, where mapping.csv has to be asked, and where names of other folders take
    /// the room.
    std::optional<std::vector<std::string>> operator_files;
    /// False: only files that were given themselves are known, and converted outputs may lie beside those that were.
    bool was_read = true;
};

/// A dump by its place in Walk::folders.
struct DumpPlace {
    std::uint32_t folder = 0;
    std::uint32_t dump = 0;
};

/// Where a dump really lies, if a link stands in its path or is its file; empty: none does.
std::string real_path_of(const WalkedFolder& folder, const WalkedDump& dump);

/// A file that may be a dump of API calls by its name, an archive called like a folder of such, or a file that was
/// given itself, whatever it is called.
struct NamedAsApiDump {
    std::string path;
    bool given = false;  ///< it was given itself, and is among the dumps
    bool is_link = false;
};

struct Walk {
    std::vector<WalkedFolder> folders;
    std::vector<DumpPlace> in_path_order;  ///< every dump, by the bytes of its path
    std::vector<NamedAsApiDump>
        named_as_api_dumps;  ///< in the order of the walk: real folders before links; links to files last
    std::uint64_t op_dumps = 0;
    std::uint64_t other_files = 0;        ///< also what no path leads to, pipes, further ways to a dump
    std::vector<Error> failures;          ///< given paths, folders and lists of names that could not be read, by path
    std::vector<Diagnostic> diagnostics;  ///< dangling_links, special_files, nearly_dump_names, linked_twice,
                                          ///< unnamed_files, several_names
    bool complete = true;                 ///< false: stopped
};

/// A folder as a walk lists it.
struct ListedFolder {
    const std::string& path;
    const std::vector<FolderEntry>& entries;
    bool behind_link = false;  ///< it is read because a link below the given paths led to it, or above it
    FolderIdentity identity;
    std::uint64_t op_dumps = 0;  ///< of Walk::op_dumps those that lie in it
};

struct WalkOptions {
    std::function<bool()> stop;                                ///< asked for each folder
    std::function<void(std::uint64_t dumps_so_far)> progress;  ///< told for each folder
    std::function<void(const ListedFolder& folder)> listed;    ///< told for each folder, in the caller's thread
    Limits limits;
    /// Of WalkedFolder::operator_files together. The names of 80,000 fit: a tree of millions is to need no more memory.
    std::size_t operator_file_name_bytes = std::size_t{4} << 20;
};

/// Walks. Real folders come before links to folders, also before given paths with links in them; links are followed in
/// path order. Each folder is read once, so loops end and paths given twice
/// or inside one another give each dump once. Names are bytes of any kind. A path that is not there is among the
/// failures. Error: file_not_found, permission_denied or read_failed, of the first path, when none of `paths` is there.
Result<Walk> walk(const std::vector<std::string>& paths, const WalkOptions& options = {});

/// The places of all dumps of the folders, in path order.
std::vector<DumpPlace> places_in_path_order(const std::vector<WalkedFolder>& folders);

/// What searches for one purpose have in common.
class CommonSearch {
public:
    /// To be called with all paths before the first search: a file that is given itself is no other file of a folder.
    void add_given(const std::string& path);

    /// Whether the folder is listed for the first time; from now on it is not.
    bool is_first_time(FolderIdentity folder) { return listed_.insert(folder).second; }

    /// The same of a folder that lies too deep to be listed. Below another path it need not.
    bool is_first_time_too_deep(FolderIdentity folder) { return too_deep_.insert(folder).second; }
    bool is_given(FolderIdentity folder, std::string_view name) const;

private:
    std::set<FolderIdentity> listed_;
    std::set<FolderIdentity> too_deep_;
    std::set<std::pair<FolderIdentity, std::string>> given_files_;
};

/// As find() of the public header. Other files, failures and remarks are those of folders that no search before met;
/// the dumps are all.
Result<FoundDumps> find(const std::string& path, const Limits& limits, CommonSearch& common);

}  // namespace opdebug::tree
