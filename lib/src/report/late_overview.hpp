// What the dumps of a report show together, found when it is first asked for.
#pragma once

#include <future>
#include <mutex>
#include <optional>
#include <utility>
#include <vector>

#include <opdebug/scan.hpp>

#include "report/scan_entry.hpp"

namespace opdebug::report {

/// Groups of many dumps take as long as writing all their documents. JSON lines have them behind the dumps, and CSV not
/// at all. Thread-safe, but for set().
class LateOverview {
public:
    /// Of a merged report, whose dumps are not in memory.
    void set(ScanOverview found) { found_ = std::move(found); }

    /// `entries`: all dumps in report order, the same each time.
    const ScanOverview& of(const std::vector<ScanEntry>& entries) const;

    /// Begins to look for it while the caller does something else; of() waits for the end. `threads` as in ScanOptions:
    /// with 1, and where the system gives no thread, nothing begins. The entries must outlive what is returned.
    [[nodiscard]] std::future<void> begin(const std::vector<ScanEntry>& entries, unsigned threads) const;

private:
    mutable std::mutex mutex_;
    mutable std::optional<ScanOverview> found_;
};

}  // namespace opdebug::report
