// Inside of a DumpTree: what the walk found.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include <opdebug/scan.hpp>

#include "api_dump/dump_files.hpp"
#include "scan/time_folders.hpp"
#include "tree/walk.hpp"

namespace opdebug::scan_stage {

/// As find_dump_tree() of the public header; tells each folder that it lists.
Result<DumpTree> find_dump_tree(const std::vector<std::string>& paths, const ScanOptions& options,
                                std::function<void(const tree::ListedFolder&)> listed);

}  // namespace opdebug::scan_stage

struct opdebug::DumpTree::Contents {
    std::vector<std::string> inputs;
    tree::Walk found;  ///< of a shard: its dumps
    std::optional<ScanShard> shard;
    std::optional<ScannedTree> whole;                ///< of a shard: the tree of all
    std::vector<scan_stage::FirstDump> first_dumps;  ///< of a shard: by its folders, but of the tree of all
    std::optional<api_dump::FoundDumps> api;         ///< of the whole tree; of a shard other than 0: the first
};
