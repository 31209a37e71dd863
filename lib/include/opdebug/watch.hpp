// Follows the dumps of a running job: which are new since the last look, which is the first overflow of its rank, and
// which begin a group that was not there before.
//
// The binaries that a job writes are followed; converted JSON is left to scans.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <opdebug/export.h>
#include <opdebug/result.hpp>
#include <opdebug/scan_overview.hpp>

namespace opdebug {
inline namespace v0 {

/// How changes are noticed. inotify: the system tells; polling: the folders are read again and again.
enum class WatchMethod { inotify, polling };

/// "inotify" or "polling". Static storage.
OPDEBUG_API std::string_view to_string(WatchMethod method) noexcept;

/// What is done with dumps that come, and how long is waited for them.
struct WatchOptions {
    ScanOptions scan;   ///< decode, locate, locate_overflowed, tensors, host_utc_offset_minutes and stop are used
    bool poll = false;  ///< read the folders again and again, also where the system would tell
    std::chrono::milliseconds poll_interval{2000};
    /// A file that cannot be decoded is tried again until it did not change for so long; then it failed.
    std::chrono::milliseconds quiet{5000};
    /// The operator's dump is written behind the overflow dump: so long the operator is waited for.
    std::chrono::milliseconds op_dump_wait{500};
};

/// Why a dump comes. came: it is new; written: it was given before, and has been written or made anew since;
/// looked_again: it is given by finish() as a scan would find it now, for its operator's dump came behind it, or it was
/// renamed.
enum class WatchReason { came, written, looked_again };

/// A dump that is new, or one that was given before as it is now.
struct WatchedDump {
    ScannedDump scanned;
    std::uint64_t number = 0;  ///< of the dump: those that come count from 0, one that was given before keeps its own
    WatchReason reason = WatchReason::came;
    ScanItem item;
    bool first_of_rank = false;         ///< the first overflow that was seen of its rank, else of its device
    std::vector<ScanGroup> new_groups;  ///< groups of overflows that begin with it: names, count 1, first_file
};

/// Follows paths. Nothing is written. Not thread-safe.
class OPDEBUG_API DumpWatch {
public:
    /// A path that is not there is waited for. Network file systems, and where the system has no room for watches, are
    /// polled.
    explicit DumpWatch(std::vector<std::string> paths, WatchOptions options = {});
    ~DumpWatch();
    DumpWatch(const DumpWatch&) = delete;
    DumpWatch& operator=(const DumpWatch&) = delete;

    /// Waits until something changed below the paths, a look is due, `longest` is over, or a signal came.
    void wait(std::chrono::milliseconds longest);

    /// Gives the dumps that are new or written since the last look, and whole. At the first look these are all that are
    /// there.
    void look(const std::function<void(WatchedDump&&)>& use);

    /// Gives the dumps that are still being written, as they are, then those given before that a scan would tell other
    /// things of now; until options.scan.stop says so. To be called before scan().
    void finish(const std::function<void(WatchedDump&&)>& use);

    WatchMethod method() const noexcept;

    /// Files that are there and could not be decoded yet.
    std::uint64_t waiting() const noexcept;

    /// What is remarkable since the last call: a change of the method and why, a path that came or went, dumps that
    /// were gone before they could be read.
    std::vector<Diagnostic> take_diagnostics();

    /// The watch as the scan of all dumps that were given, each once, for ScanReport::finish(). Operators' dumps and
    /// other files are counted as they are there now.
    Scan scan() const;

private:
    struct State;
    std::unique_ptr<State> state_;
};

}  // namespace v0
}  // namespace opdebug
