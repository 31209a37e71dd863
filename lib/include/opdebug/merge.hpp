// One report of several: the shards of a scan, or the scans of several hosts.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <opdebug/export.h>
#include <opdebug/result.hpp>
#include <opdebug/scan.hpp>
#include <opdebug/scan_report.hpp>

namespace opdebug {
inline namespace v0 {

/// A report as JSON lines in a regular file: plain, gzip or Zstandard, as its first bytes show. A part
/// (ScanReportOptions::partial) lists all dumps. In other reports, dumps that are counted but not listed are in no
/// group.
struct MergeInput {
    std::string path;
    std::string name = {};  ///< what messages call it; empty: the path
};

/// How the merged report is written.
struct MergeOptions {
    /// language, host (not used), partial, color, temporary_folder; `first` narrows the timeline. Whether clean dumps
    /// and tensors are shown, the parts decide. With `partial` the result can be merged again, and missing shards are
    /// not reported.
    ScanReportOptions report;
};

/// How many parts there were. given == merged + repeated + unusable.
struct MergeCounts {
    std::uint64_t given = 0;
    std::uint64_t merged = 0;    ///< those that were cut included
    std::uint64_t repeated = 0;  ///< all that they hold is in other parts
    std::uint64_t unusable = 0;  ///< cannot be read, no report, or of another version
    std::uint64_t cut = 0;       ///< of the merged ones: ends are missing, or lines damaged, of them or their parts
    std::uint64_t missing = 0;   ///< shards that no part is of
    std::uint64_t repeated_dumps = 0;
};

/// The merged report, and what became of the parts.
struct Merge {
    ScanReport report;  ///< finished
    Scan scan;          ///< counts, failures, diagnostics and the report on API dumps of all parts
    MergeCounts counts;
};

/// Merges. The report of parts is that of one scan over all that they scanned, byte for byte in every form. What
/// is wrong with a part is told in the diagnostics (part_unusable, part_cut, part_repeated, part_missing, trees_differ,
/// dumps_repeated, parts_differ, part_is_ordinary), and costs only that part. The parts are read when the report is
/// written, too, so they must stay; packed ones are unpacked into the temporary folder. Memory: some 50 MB for the
/// reading of however many parts, and what groups need; with tensors, and for the page of HTML, also the items of all
/// overflowed dumps; and the findings in API dumps. Error: invalid_argument when there is no usable part; write_failed
/// for the temporary folder. Thread-safe.
OPDEBUG_API Result<Merge> merge_reports(const std::vector<MergeInput>& inputs, const MergeOptions& options = {});

}  // namespace v0
}  // namespace opdebug
