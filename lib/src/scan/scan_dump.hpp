// One dump of a tree: read, decoded, located, judged.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include <opdebug/scan.hpp>

#include "locate/op_dump_folders.hpp"
#include "tree/folder.hpp"
#include "tree/walk.hpp"

namespace opdebug::scan_stage {

/// Where one dump is to be read.
struct DumpFiles {
    std::string file;
    std::vector<std::string> converted;  ///< the converted outputs that stand for it; empty: `file` is the dump
    std::string converted_beside;        ///< a converted output of `file` that could be read instead; empty: none
    bool outputs_are_all = true;         ///< of `converted`; false: others may lie beside them
    std::string real_path;               ///< where `file` lies, if a link stands in its path; empty: none does
};

/// Reads and judges a dump. failed: nothing could be decoded, or records are missing and none that is there overflowed,
/// so that nobody can say whether there was an overflow. `op_dumps`: those of the dump's folder, and its mapping.csv;
/// `first_of_time_folder_us`: as in LocateOptions.
ScannedDump scan_dump(const DumpFiles& files, const ScanOptions& options,
                      const std::shared_ptr<OpDumpFolders>& op_dumps,
                      const std::optional<std::uint64_t>& first_of_time_folder_us);

/// Operator dumps and mapping.csv of the folders that are being worked on; they are open as far as `may_be_open` lets.
/// A folder is forgotten with its last dump, so memory does not grow with the tree.
class FoldersInFlight {
public:
    FoldersInFlight(const tree::Walk& found, std::size_t may_be_open) : found_(found), may_be_open_(may_be_open) {}

    /// The folder, for some of its dumps.
    std::shared_ptr<OpDumpFolders> begin(std::uint32_t folder) {
        const std::lock_guard<std::mutex> lock(mutex_);
        Entry& entry = entries_[folder];
        if (!entry.op_dumps) {
            const tree::WalkedFolder& walked = found_.folders[folder];
            entry = {std::make_shared<OpDumpFolders>(), walked.dumps.size()};
            OpDumpFolders::Contents& contents = entry.op_dumps->contents();
            if (walked.operator_files) {
                contents.listed = {tree::folder_of(walked.prefix + "x"), &*walked.operator_files};
            }
            if (entries_.size() <= may_be_open_) {
                contents.open.emplace(walked.prefix);
            }
        }
        return entry.op_dumps;
    }
    /// So many of its dumps were read.
    void end(std::uint32_t folder, std::size_t dumps) {
        const std::lock_guard<std::mutex> lock(mutex_);
        const auto entry = entries_.find(folder);
        entry->second.left -= dumps;
        if (entry->second.left == 0) {
            entries_.erase(entry);
        }
    }

private:
    struct Entry {
        std::shared_ptr<OpDumpFolders> op_dumps;
        std::size_t left = 0;
    };
    const tree::Walk& found_;
    const std::size_t may_be_open_;
    std::mutex mutex_;
    std::unordered_map<std::uint32_t, Entry> entries_;
};

}  // namespace opdebug::scan_stage
