#include "scan/shard.hpp"

#include <algorithm>
#include <functional>
#include <numeric>
#include <queue>
#include <utility>
#include <vector>

#include "tree/walk_order.hpp"

namespace opdebug::scan_stage {
namespace {

/// Folders with the shard of each. Paths of folders differ, so their order is certain.
std::vector<std::uint64_t> shards_of(const std::vector<tree::WalkedFolder>& folders, std::uint64_t count) {
    std::vector<std::size_t> order(folders.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::sort(order.begin(), order.end(), [&folders](std::size_t a, std::size_t b) {
        const std::size_t dumps_a = folders[a].dumps.size(), dumps_b = folders[b].dumps.size();
        return dumps_a != dumps_b ? dumps_a > dumps_b : folders[a].prefix < folders[b].prefix;
    });
    using Load = std::pair<std::uint64_t, std::uint64_t>;  // dumps, shard
    std::priority_queue<Load, std::vector<Load>, std::greater<>> least;
    std::vector<std::uint64_t> shards(folders.size());
    std::uint64_t fresh = 0;  // shards without a folder are not in the queue: there may be very many
    for (const std::size_t folder : order) {
        Load load{0, fresh};
        if (fresh < count) {
            ++fresh;
        } else {
            load = least.top();
            least.pop();
        }
        shards[folder] = load.second;
        load.first += folders[folder].dumps.size();
        least.push(load);
    }
    return shards;
}

}  // namespace

void TreeDigest::add_up_to(std::size_t count) {
    for (; added_ < count; ++added_) {
        const tree::DumpPlace place = found_.in_path_order[added_];
        const tree::WalkedFolder& folder = found_.folders[place.folder];
        digest_.add(folder.prefix);
        digest_.add(folder.dumps[place.dump].name);
    }
}

ScannedTree TreeDigest::whole() {
    add_up_to(found_.in_path_order.size());
    return {added_, digest_.text()};
}

void keep_share(tree::Walk& found, const ScanShard& shard) {
    const std::vector<std::uint64_t> shards = shards_of(found.folders, shard.count);
    for (std::size_t i = 0; i < found.folders.size(); ++i) {
        if (shards[i] != shard.index) {
            found.folders[i].dumps = {};
            found.folders[i].operator_files.reset();
        }
    }
    found.in_path_order = tree::places_in_path_order(found.folders);
    if (shard.index != 0) {
        found.op_dumps = 0;
        found.other_files = 0;
        found.failures.clear();
        found.diagnostics.clear();
    }
}

}  // namespace opdebug::scan_stage
