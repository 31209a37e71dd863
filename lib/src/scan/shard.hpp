// Shares of a tree: every shard finds the whole tree, by names, and keeps its folders of it.
#pragma once

#include <opdebug/scan.hpp>

#include "tree/walk.hpp"

namespace opdebug::scan_stage {

/// What all shards of a tree agree on.
ScannedTree whole_tree(const tree::Walk& found);

/// Leaves one share of the dumps. Folders are dealt out, the largest first, each to the shard that has the fewest dumps
/// so far. Counts of other files, failures and diagnostics stay with shard 0. `shard.index` is below `shard.count`.
void keep_share(tree::Walk& found, const ScanShard& shard);

}  // namespace opdebug::scan_stage
