// Counts a dump and links to it once. Dumps are sorted by the bytes of their paths.
#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <string>

#include <opdebug/tree.hpp>

#include "tree/entry.hpp"
#include "tree/folder.hpp"
#include "tree/walk.hpp"

namespace opdebug::tree {
namespace {

/// Whether the folder has a dump of that name that is no link.
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

CountedPaths mark_linked_twice(std::vector<FolderAtWork>& folders) {
    CountedPaths linked_twice;
    const std::map<std::string, Candidate*> links = links_of(folders);
    if (links.empty()) {
        return linked_twice;
    }
    std::map<FolderIdentity, const FolderAtWork*> by_identity;
    for (const FolderAtWork& folder : folders) {
        by_identity.emplace(folder.identity, &folder);
    }
    std::set<FilePlace> targets;
    for (const auto& [path, candidate] : links) {
        const std::optional<FilePlace> target = place_of(path);
        if (!target) {
            continue;  // the link was removed meanwhile: reading it will fail
        }
        const auto home = by_identity.find(target->first);
        const bool is_found = home != by_identity.end() && has_dump(*home->second, target->second);
        candidate->counts_elsewhere = is_found || !targets.insert(*target).second;
        if (candidate->counts_elsewhere) {
            linked_twice.add(path);
        }
    }
    return linked_twice;
}

namespace {

/// Compares the bytes of paths without joining them: names contain no slash.
bool path_is_less(const std::string& prefix_a, const std::string& name_a, const std::string& prefix_b,
                  const std::string& name_b) {
    const std::size_t common = std::min(prefix_a.size(), prefix_b.size());
    if (const int order = prefix_a.compare(0, common, prefix_b, 0, common); order != 0) {
        return order < 0;
    }
    if (prefix_a.size() == prefix_b.size()) {
        return name_a < name_b;
    }
    return prefix_a.size() < prefix_b.size() ? name_a.compare(0, name_a.npos, prefix_b, common, prefix_b.npos) < 0
                                             : prefix_a.compare(common, prefix_a.npos, name_b) < 0;
}

}  // namespace

std::vector<DumpPlace> places_in_path_order(const std::vector<WalkedFolder>& folders) {
    std::vector<DumpPlace> places;
    std::size_t count = 0;
    for (const WalkedFolder& folder : folders) {
        count += folder.dumps.size();
    }
    places.reserve(count);
    for (std::uint32_t i = 0; i < folders.size(); ++i) {
        for (std::uint32_t j = 0; j < folders[i].dumps.size(); ++j) {
            places.push_back({i, j});
        }
    }
    const auto is_less = [&folders](const DumpPlace& a, const DumpPlace& b) {
        if (a.folder == b.folder) {
            return a.dump < b.dump;
        }
        return path_is_less(folders[a.folder].prefix, folders[a.folder].dumps[a.dump].name, folders[b.folder].prefix,
                            folders[b.folder].dumps[b.dump].name);
    };
    // Folders are sorted by path. Only a folder with dumps inside another one changes the order.
    if (!std::is_sorted(places.begin(), places.end(), is_less)) {
        std::sort(places.begin(), places.end(), is_less);
    }
    return places;
}

}  // namespace opdebug::tree
