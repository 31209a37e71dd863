// Dumps that were found and not given yet: they may still be written.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <unordered_set>
#include <utility>

#include <opdebug/watch.hpp>

#include "tree/file_place.hpp"

namespace opdebug::watch {

using Clock = std::chrono::steady_clock;

/// What became of a dump when it was tried. not_a_file: a pipe, socket or device, or a link that leads nowhere; again:
/// it was given under another path.
enum class Tried { given, waits, gone, not_a_file, again };

class PendingDumps {
public:
    explicit PendingDumps(const WatchOptions& options) : options_(options) {}

    /// A file that has the name of a dump, or a number that stands for it; those that were added before are passed
    /// over.
    void add(const std::string& file, std::string_view name, Clock::time_point now);

    /// Tries those that are due; `last`: all, and takes them as they are. Ends early when options.scan.stop says so.
    void try_due(Clock::time_point now, bool last, const std::function<void(ScannedDump&&)>& use);

    /// When the next one is due; nothing when none waits.
    std::optional<Clock::time_point> next_due() const;

    std::uint64_t waiting() const noexcept { return pending_.size(); }
    /// Dumps that were gone before they could be decoded, since the last call.
    std::uint64_t take_gone() noexcept;

private:
    struct Pending {
        Clock::time_point found, changed, due;
        std::int64_t size = -1;
        std::int64_t changed_ns = 0;  ///< the file's own time of change
        bool is_old = false;          ///< it was written long before: nobody is at work on it
    };
    Tried try_one(const std::string& file, Pending& pending, Clock::time_point now, bool last,
                  const std::shared_ptr<OpDumpFolders>& op_dumps, const std::function<void(ScannedDump&&)>& use);
    bool must_wait(const ScannedDump& scanned, const Pending& pending, Clock::time_point now) const;

    const WatchOptions& options_;
    /// By the time in the name, then by path: of dumps that come together the earliest is given first.
    std::map<std::pair<std::uint64_t, std::string>, Pending> pending_;
    std::unordered_set<std::string> known_;  ///< pending or given
    /// What was given, with the file's own time of change, for the system gives the number of a deleted folder to a new
    /// one. Paths to watch may overlap, links lead to dumps, and folders are renamed while a job runs.
    std::set<std::pair<tree::FilePlace, std::int64_t>> given_;
    std::uint64_t gone_ = 0;
};

}  // namespace opdebug::watch
