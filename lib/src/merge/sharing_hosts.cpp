#include "merge/sharing_hosts.hpp"

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <map>
#include <utility>

namespace opdebug::merge {
namespace {

/// Paths, and how many shares there are.
using ScanOfShares = std::pair<std::vector<std::string>, std::uint64_t>;

struct SharedTree {
    std::map<std::uint64_t, std::set<std::string>> hosts_of_shares;
    std::set<std::string> hosts;

    void add(std::uint64_t share, const std::string& host) {
        hosts_of_shares[share].insert(host);
        hosts.insert(host);
    }
};

using TreesByDigest = std::map<std::string, SharedTree>;

SharedTree put_together(const TreesByDigest& trees) {
    SharedTree all;
    for (const auto& [digest, tree] : trees) {
        for (const auto& [share, hosts] : tree.hosts_of_shares) {
            for (const std::string& host : hosts) {
                all.add(share, host);
            }
        }
    }
    return all;
}

/// The trees of equal paths. They are several where two hosts scanned the same share of different trees; else they may
/// be one that changed meanwhile (trees_differ).
std::vector<SharedTree> told_apart(const TreesByDigest& by_digest) {
    const SharedTree all = put_together(by_digest);
    std::vector<SharedTree> trees;
    bool are_several = false;
    for (const auto& [digest, tree] : by_digest) {
        trees.push_back(tree);
        are_several = are_several ||
                      std::any_of(tree.hosts_of_shares.begin(), tree.hosts_of_shares.end(), [&all](const auto& share) {
                          return share.second != all.hosts_of_shares.at(share.first);
                      });
    }
    return are_several ? trees : std::vector<SharedTree>{all};
}

}  // namespace

std::set<std::string, std::less<>> sharing_hosts(const std::vector<std::shared_ptr<Part>>& parts) {
    std::map<ScanOfShares, TreesByDigest> scans;
    std::set<std::string, std::less<>> of_own_trees, of_shared_trees, sharing;
    for (const auto& part : parts) {
        for (const report::PartName& name : part->head.parts) {
            if (name.shard && name.shard->count > 1) {
                scans[{name.inputs, name.shard->count}][name.tree.digest].add(name.shard->index, name.host);
            } else {
                of_own_trees.insert(name.host);
            }
        }
    }
    for (const auto& [scan, by_digest] : scans) {
        for (const SharedTree& tree : told_apart(by_digest)) {
            if (tree.hosts.size() > 1) {
                of_shared_trees.insert(tree.hosts.begin(), tree.hosts.end());
            } else if (tree.hosts_of_shares.size() == scan.second) {
                of_own_trees.insert(tree.hosts.begin(), tree.hosts.end());
            }
        }
    }
    std::set_difference(of_shared_trees.begin(), of_shared_trees.end(), of_own_trees.begin(), of_own_trees.end(),
                        std::inserter(sharing, sharing.end()));
    return sharing;
}

}  // namespace opdebug::merge
