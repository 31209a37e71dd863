// Links to folders on a walk: those that wait, and the one below which folders are read.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <tuple>

#include "tree/folder.hpp"

namespace opdebug::tree {

/// A link that waits until nothing real is left. In the order in which they are followed.
struct FolderLink {
    std::size_t links = 0;  ///< in its path, with itself
    std::string path;
    bool operator<(const FolderLink& other) const noexcept {
        return std::tie(links, path) < std::tie(other.links, other.path);
    }
};

struct LinkedFolder {
    std::uint64_t depth = 0;
    bool given = false;
};

struct FollowedLink {
    std::size_t links = 0;  ///< 0: none, the folders are real
    std::string path, real_path;

    /// Where a folder below the link lies; empty: no link leads to it.
    std::string real_path_of(const std::string& folder) const {
        const std::size_t below = std::min(folder.find_first_not_of('/', path.size()), folder.size());
        return real_path.empty() || below == folder.size() ? real_path : join_path(real_path, folder.substr(below));
    }
};

}  // namespace opdebug::tree
