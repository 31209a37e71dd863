// The folders below some paths: read once and then told by the system, or read again and again.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <opdebug/watch.hpp>

#include "watch/folder_events.hpp"
#include "watch/numbered_dumps.hpp"
#include "watch/pending_dumps.hpp"

namespace opdebug::watch {

class WatchedFolders {
public:
    /// What is found goes to `pending`; both outlive this.
    WatchedFolders(const std::vector<std::string>& paths, const WatchOptions& options, PendingDumps& pending);

    /// Takes what changed since the last time; paths that are awaited, and when polling all folders, when they are due.
    void look(Clock::time_point now);
    /// The same at once, whatever is due.
    void look_now(Clock::time_point now);
    /// Takes for the last time what the system told; when polling, reads the folders once more.
    void finish(Clock::time_point now);

    /// When look() is due although nothing was told; nothing: never.
    std::optional<Clock::time_point> next_due() const;
    /// Becomes readable when something changed; -1 when polling.
    int descriptor() const noexcept { return events_ ? events_->descriptor() : -1; }
    bool is_polling() const noexcept { return !events_; }

    /// What lies there now beside overflow dumps; paths that are not there and folders that could not be read.
    void tell(Scan& scan) const;
    std::vector<Diagnostic> take_diagnostics() { return std::exchange(diagnostics_, {}); }

private:
    struct Root {
        std::string path;
        bool there = false, was_there = false;
        bool awaited = false;  ///< that it is not there was told
        std::pair<dev_t, ino_t> leads_to{};
    };
    struct FolderToRead {
        std::string path;
        std::uint64_t depth = 0;
    };
    void poll_because(Severity severity, const char* code, const std::string& reason);
    bool add_watch(const std::string& folder);
    void read_folder(const std::string& folder, std::uint64_t depth, Clock::time_point now);
    void read_folders(const std::string& top, Clock::time_point now);
    void read_everything(Clock::time_point now);
    void look_at_roots(Clock::time_point now);
    void take_changes(Clock::time_point now);
    bool forget(const std::string& path) { return events_ && events_->forget(path); }
    void add_file(const std::string& folder, std::string_view name, Clock::time_point now, bool written);
    void add_numbered_dumps(Clock::time_point now);

    const WatchOptions& options_;
    PendingDumps& pending_;
    std::vector<Root> roots_;
    std::optional<FolderEvents> events_;  ///< nothing: polling
    Clock::time_point next_poll_{};       ///< when polling, or when a path is awaited
    NumberedDumps numbered_;
    std::set<std::string> with_numbers_;  ///< folders in which a mapping.csv or a number came
    Clock::time_point next_numbers_{};    ///< when they may be looked at
    std::vector<Diagnostic> diagnostics_;
    std::vector<FolderToRead> to_read_;       ///< of the walk that is going on
    std::vector<FolderToRead> linked_;        ///< of it, too: a folder has its own path rather than that of a link
    std::set<std::pair<dev_t, ino_t>> read_;  ///< by it: one folder may have many paths
};

}  // namespace opdebug::watch
