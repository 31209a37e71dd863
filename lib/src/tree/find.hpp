// Searches whose paths may overlap: what several of them meet is counted and told once.
#pragma once

#include <set>
#include <string>
#include <utility>

#include <opdebug/tree.hpp>

#include "tree/walk.hpp"

namespace opdebug::tree {

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
