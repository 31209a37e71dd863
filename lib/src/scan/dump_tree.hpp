// Paths → the dumps below them, by name; for a shard, its part of them.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <opdebug/scan.hpp>

#include "api_dump/dump_files.hpp"
#include "tree/walk.hpp"

namespace opdebug::scan_stage {

/// Calls the user's function.
class ProgressReporter {
public:
    explicit ProgressReporter(const std::function<void(const ScanProgress&)>& use) : use_(use) {}

    void report(const ScanProgress& progress) {
        if (use_) {
            use_(progress);
            last_ = std::chrono::steady_clock::now();
        }
    }
    /// Reports, unless the last report is very recent.
    void report_if_due(const ScanProgress& progress) {
        if (use_ && std::chrono::steady_clock::now() - last_ >= kInterval) {
            report(progress);
        }
    }

private:
    static constexpr std::chrono::milliseconds kInterval{100};

    const std::function<void(const ScanProgress&)>& use_;
    std::chrono::steady_clock::time_point last_;
};

/// What all shards of a tree agree on.
ScannedTree digest_of(const tree::Walk& found);

/// Every shard looks for API dumps, but only shard 0 reads them.
bool reads_api_dumps(const std::optional<ScanShard>& shard);

/// See find_dump_tree() of the public header. `listed` receives each folder that is listed.
Result<DumpTree> find_dump_tree(const std::vector<std::string>& paths, const ScanOptions& options,
                                std::function<void(const tree::ListedFolder&)> listed);

}  // namespace opdebug::scan_stage

struct opdebug::DumpTree::Contents {
    std::vector<std::string> inputs;
    tree::Walk found;  ///< of a shard: its dumps
    std::optional<ScanShard> shard;
    std::optional<ScannedTree> whole;       ///< of a shard: the tree of all
    std::optional<api_dump::DumpList> api;  ///< of the whole tree; shards other than 0: the first one
};
