// Shares of a tree: every shard finds the whole tree, by names, and keeps its folders of it.
#pragma once

#include <cstddef>

#include <opdebug/scan.hpp>

#include "bytes/digest.hpp"
#include "tree/walk.hpp"

namespace opdebug::scan_stage {

/// What all shards of a tree agree on. Paths can be added dump by dump, while other threads have work: each byte of the
/// digest waits for the one before, 4 ms for 20,000 paths. The walk must live as long.
class TreeDigest {
public:
    explicit TreeDigest(const tree::Walk& found) : found_(found) {}

    /// Adds the paths of the first `count` dumps, as far as they are not in it.
    void add_up_to(std::size_t count);

    /// Of all dumps.
    ScannedTree whole();

private:
    const tree::Walk& found_;
    std::size_t added_ = 0;
    bytes::Digest digest_;
};

/// Leaves one share of the dumps. Folders are dealt out, the largest first, each to the shard that has the fewest dumps
/// so far. Counts of other files, failures and diagnostics stay with shard 0. `shard.index` is below `shard.count`.
void keep_share(tree::Walk& found, const ScanShard& shard);

}  // namespace opdebug::scan_stage
