// Paths → the dumps below them, by name; for a shard, its part of them.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include <opdebug/scan.hpp>

#include "api_dump/dump_files.hpp"
#include "bytes/digest.hpp"
#include "bytes/free_descriptors.hpp"
#include "tree/walk.hpp"

namespace opdebug::scan_stage {

/// As many as the options wish, or as the machine runs at once, where each can open files.
inline unsigned threads_of(const ScanOptions& options) {
    constexpr unsigned kMostThreads = 1024;
    const unsigned threads = options.threads != 0 ? options.threads : std::thread::hardware_concurrency();
    return bytes::threads_with_files(std::clamp(threads, 1U, kMostThreads));
}

/// Tells the user's function, but not more often than anybody can see.
class ProgressTeller {
public:
    explicit ProgressTeller(const std::function<void(const ScanProgress&)>& tell) : tell_(tell) {}

    void now(const ScanProgress& progress) {
        if (tell_) {
            tell_(progress);
            last_ = std::chrono::steady_clock::now();
        }
    }
    void now_and_then(const ScanProgress& progress) {
        if (tell_ && std::chrono::steady_clock::now() - last_ >= kInterval) {
            now(progress);
        }
    }

private:
    static constexpr std::chrono::milliseconds kInterval{100};

    const std::function<void(const ScanProgress&)>& tell_;
    std::chrono::steady_clock::time_point last_;
};

/// When the first dump was written (UTC microseconds). Nothing where no name tells.
using FirstDump = std::optional<std::uint64_t>;

/// Whether anybody asks: dumps are brought to the clock of logs, by a zone that the user did not give.
bool asks_for_first_dumps(const ScanOptions& options) noexcept;

/// The first dumps of {time} folders, by the folder's path (tree::time_folder_of_file()).
class FirstDumps {
public:
    void note(const std::string& time_folder, std::string_view name);
    FirstDump of(const std::string& time_folder) const;

private:
    std::map<std::string, FirstDump> by_folder_;
};

/// For each of Walk::folders: the first dump below the same {time} folder. Nothing where it lies below none.
std::vector<FirstDump> first_dumps_of(const std::vector<tree::WalkedFolder>& folders);

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

/// Every shard is to know whether there are API dumps, but shard 0 alone reads them.
bool reads_api_dumps(const std::optional<ScanShard>& shard);

/// Takes converted dumps out of the walk whose binary is found too, wherever it lies: of the same name, with the
/// records that a converter writes of it. Ids that the converted dump's folders state must be those of the binary's
/// folders, for ranks may have dumps of one name and content. They are counted as other files, and told
/// (converted_copies). Of `options`, `stop` and `decode` are used; a dump that cannot be read is no copy.
void leave_out_converted_copies(tree::Walk& found, const ScanOptions& options);

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
