// The dumps of a tree, one by one: read, decoded, located, judged.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <unordered_map>
#include <vector>

#include <opdebug/scan.hpp>

#include "locate/op_dump_folders.hpp"
#include "scan/dump_tree.hpp"
#include "tree/walk.hpp"

namespace opdebug::scan_stage {

/// Reads each dump of a tree once, in any order and in several threads. Operator dumps and mapping.csv of a folder are
/// known from its first dump to its last one, so memory does not grow with the tree. Tree and options must outlive it.
class DumpReader {
public:
    DumpReader(const DumpTree::Contents& tree, const ScanOptions& options);

    /// Failed: nothing could be decoded, or records are missing and none of the others overflowed.
    ScannedDump read(const tree::DumpPosition& place);

private:
    struct FolderInUse {
        std::shared_ptr<OpDumpFolders> op_dumps;
        std::size_t dumps_left = 0;
    };

    std::shared_ptr<OpDumpFolders> enter(std::uint32_t folder);
    /// One of its dumps was read.
    void leave(std::uint32_t folder);

    const tree::Walk& found_;
    const ScanOptions& options_;
    std::mutex mutex_;
    std::unordered_map<std::uint32_t, FolderInUse> folders_;
};

}  // namespace opdebug::scan_stage
