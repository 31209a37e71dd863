// Links to dumps that are found under their own path as well must not count twice.
#include <algorithm>
#include <map>
#include <optional>
#include <set>

#include <opdebug/tree.hpp>

#include "tree/file_place.hpp"
#include "tree/folder.hpp"
#include "tree/walk_folder.hpp"

namespace opdebug::tree {
namespace {

/// Whether the folder has a dump of that name which is no link.
bool has_dump(const FolderAtWork& folder, const std::string& name) {
    const auto found =
        std::lower_bound(folder.candidates.begin(), folder.candidates.end(), name,
                         [](const Candidate& candidate, const std::string& wanted) { return candidate.name < wanted; });
    return found != folder.candidates.end() && found->name == name && !found->is_link;
}

/// All links among the candidates, by path.
std::map<std::string, Candidate*> links_of(std::vector<FolderAtWork>& folders) {
    std::map<std::string, Candidate*> links;
    for (FolderAtWork& folder : folders) {
        for (Candidate& candidate : folder.candidates) {
            if (candidate.is_link) {
                links.emplace(join_path(folder.path, candidate.name), &candidate);
            }
        }
    }
    return links;
}

}  // namespace

LinkedTwice mark_linked_twice(std::vector<FolderAtWork>& folders) {
    LinkedTwice result;
    const std::map<std::string, Candidate*> links = links_of(folders);
    if (links.empty()) {
        return result;
    }
    std::map<FolderIdentity, const FolderAtWork*> by_identity;
    for (const FolderAtWork& folder : folders) {
        by_identity.emplace(folder.identity, &folder);
    }
    std::set<FilePlace> linked;
    for (const auto& [path, candidate] : links) {
        const std::optional<FilePlace> target = place_of(path);
        if (!target) {
            continue;  // cut just now: reading it will fail
        }
        const auto home = by_identity.find(target->first);
        const bool is_found = home != by_identity.end() && has_dump(*home->second, target->second);
        candidate->counts_elsewhere = is_found || !linked.insert(*target).second;
        if (candidate->counts_elsewhere && result.count++ == 0) {
            result.first = path;
        }
    }
    return result;
}

}  // namespace opdebug::tree
