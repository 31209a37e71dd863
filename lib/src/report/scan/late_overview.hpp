// What the dumps of a report show together, found when it is first asked for.
#pragma once

#include <atomic>
#include <future>
#include <mutex>
#include <optional>
#include <utility>
#include <vector>

#include <opdebug/scan_overview.hpp>

#include "report/entries/scan_entry.hpp"
#include "report/json/overview_lines.hpp"

namespace opdebug::report {

/// The overview itself, or the text that JSON lines have of it.
enum class OverviewForm { whole, lines };

/// Groups of many dumps take as long as writing all their documents. JSON lines have them behind the dumps, and CSV not
/// at all. Thread-safe, but for set().
class LateOverview {
public:
    /// Of a merged report, whose dumps are not in memory.
    void set(ScanOverview found) { found_ = std::move(found); }

    /// `entries`: all dumps in report order, the same each time.
    const ScanOverview& of(const ScanEntries& entries) const;

    /// The same as text; null where the overview itself was found before.
    const OverviewLines* lines_of(const ScanEntries& entries) const;

private:
    friend class BegunOverview;
    void find(const ScanEntries& entries, OverviewForm form, const std::atomic<bool>& is_unwanted) const;

    mutable std::mutex mutex_;
    mutable std::optional<ScanOverview> found_;
    mutable std::optional<OverviewLines> lines_;
};

/// Looks for the overview in a thread of its own while a writer writes what stands before it; LateOverview waits for
/// the end. `threads` as in ScanOptions: with 1, and where the system gives no thread, it is found at once, so that
/// memory that is short shows itself before anything was written. Its end is that of the thread, which gives up then.
/// The overview and the entries must outlive it.
class BegunOverview {
public:
    BegunOverview(const LateOverview& overview, const ScanEntries& entries, unsigned threads, OverviewForm form);
    ~BegunOverview() { is_unwanted_ = true; }  // its last member waits for the thread
    BegunOverview(const BegunOverview&) = delete;
    BegunOverview& operator=(const BegunOverview&) = delete;

private:
    std::atomic<bool> is_unwanted_ = false;
    std::future<void> thread_;
};

}  // namespace opdebug::report
