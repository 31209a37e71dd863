// One dump of a tree: read, decoded, located, judged.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <opdebug/scan.hpp>

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

}  // namespace opdebug::scan_stage
