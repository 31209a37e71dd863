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
    ScanOptions scan;  ///< for each look, without `shard`, `api_dumps`, `threads` and `progress`
    /// A file is decoded after it has not changed for this time, because writing may continue and the operator dump is
    /// written later.
    std::chrono::milliseconds settle{1000};
};

/// A new or rewritten overflow.
struct WatchedOverflow {
    ScannedDump scanned;
    ScanItem item;
    bool first_of_rank = false;         ///< the first of its rank, or of its device if the rank is unknown
    std::vector<ScanGroup> new_groups;  ///< groups that start with it: names, count 1, first_file
};

/// Follows paths. Writes nothing. Not thread-safe.
class OPDEBUG_API DumpWatch {
public:
    /// Waits for missing paths.
    explicit DumpWatch(std::vector<std::string> paths, WatchOptions options = {});
    ~DumpWatch();
    DumpWatch(const DumpWatch&) = delete;
    DumpWatch& operator=(const DumpWatch&) = delete;

    /// Reads the folders once. Decodes new dumps that have not changed for a while, and passes their overflows
    /// on in the order of their times. `last`: also dumps that may still be written. Returns how many dumps
    /// were decoded. Throws what the functions of the caller throw.
    std::uint64_t look(const std::function<void(WatchedOverflow&&)>& use, bool last = false);

    /// Number of dumps that may still be written.
    std::uint64_t waiting() const noexcept;

    /// Paths that appeared or disappeared since the last call.
    std::vector<Diagnostic> take_diagnostics();

private:
    struct State;
    std::unique_ptr<State> state_;
};

}  // namespace v0
}  // namespace opdebug
