// Follows the dumps of a running job: reads the folders repeatedly, and reports new overflows. For the
// report at the end, scan the same paths (scan.hpp).
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include <opdebug/export.h>
#include <opdebug/result.hpp>
#include <opdebug/scan_overview.hpp>

namespace opdebug {
inline namespace v0 {

struct WatchOptions {
    ScanOptions scan;  ///< of each look; `shard`, `api_dumps`, `threads` and `progress` are not used
    /// A file is decoded after it has not changed for this time: it may still be written, and the operator's dump comes
    /// after the overflow dump.
    std::chrono::milliseconds settle{1000};
};

/// A new overflow, or one that was written again.
struct WatchedOverflow {
    ScannedDump scanned;
    ScanItem item;
    bool first_of_rank = false;         ///< the first one seen of its rank; where no rank is known, of its device
    std::vector<ScanGroup> new_groups;  ///< groups that begin with it: names, count 1, first_file
};

/// Follows paths. Nothing is written. Not thread-safe.
class OPDEBUG_API DumpWatch {
public:
    /// A path that is not there is waited for.
    explicit DumpWatch(std::vector<std::string> paths, WatchOptions options = {});
    ~DumpWatch();
    DumpWatch(const DumpWatch&) = delete;
    DumpWatch& operator=(const DumpWatch&) = delete;

    /// Reads the folders once. Decodes new dumps that have not changed for a while, and passes their overflows
    /// on in the order of their times. `last`: also dumps that may still be written. Returns how many dumps
    /// were decoded. Throws what the functions of the caller throw.
    std::uint64_t look(const std::function<void(WatchedOverflow&&)>& use, bool last = false);

    /// Dumps that were there at the last look and may still be written.
    std::uint64_t waiting() const noexcept;

    /// Paths that came or went since the last call.
    std::vector<Diagnostic> take_diagnostics();

private:
    struct State;
    std::unique_ptr<State> state_;
};

}  // namespace v0
}  // namespace opdebug
