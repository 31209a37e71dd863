#include "tree/walk_order.hpp"

#include <algorithm>
#include <string>

namespace opdebug::tree {
namespace {

/// Order of path bytes, without putting the paths together: names hold no slash.
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
    // Folders come by path: only one with dumps inside another one with dumps changes the order.
    if (!std::is_sorted(places.begin(), places.end(), is_less)) {
        std::sort(places.begin(), places.end(), is_less);
    }
    return places;
}

}  // namespace opdebug::tree
