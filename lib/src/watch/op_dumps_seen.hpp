// What an overflow's answer rests on beside its own dump: the operators' dumps that lay beside it.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>

#include <opdebug/scan.hpp>

namespace opdebug::watch {

/// Remembered of each overflow, so that the end need not decode and locate again what has its answer: of the dumps that
/// fit its tasks only how many there were, and of the one that was taken how it was.
struct OpDumpsSeen {
    using Tasks = std::array<std::optional<std::uint64_t>, 2>;

    std::uint64_t of_tasks = 0;
    std::string taken;  ///< its name in the folder; empty: none
    std::int64_t size = -1, changed_ns = 0;
    Tasks tasks;             ///< of the record, and of the dump's name where its ids may answer
    bool is_unsure = false;  ///< the answer may be another one whatever the folder shows

    /// `began_ns`: UTC nanoseconds when the overflow dump began to be read; what was written since may not have been
    /// seen. `op_dumps`: those with which it was located.
    static OpDumpsSeen of(const ScannedDump& scanned, std::int64_t began_ns, OpDumpFolders& op_dumps,
                          const Limits& limits);

    /// Whether the overflow dump at this path would be located otherwise now.
    bool may_differ(const std::string& file, OpDumpFolders& op_dumps, const Limits& limits) const;
};

}  // namespace opdebug::watch
