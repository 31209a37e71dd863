#include "report/late_overview.hpp"

#include <exception>
#include <thread>

#include "scan/overview_builder.hpp"

namespace opdebug::report {

void LateOverview::find(const ScanEntries& entries, const std::atomic<bool>& is_unwanted) const {
    const std::lock_guard<std::mutex> lock(mutex_);
    if (found_) {
        return;
    }
    scan_stage::OverviewBuilder overview;
    for (const ScanEntry& entry : entries) {
        if (is_unwanted) {
            return;
        }
        overview.add(entry.item);
    }
    found_ = overview.finish();
}

const ScanOverview& LateOverview::of(const ScanEntries& entries) const {
    find(entries, false);
    return *found_;
}

BegunOverview::BegunOverview(const LateOverview& overview, const ScanEntries& entries, unsigned threads) {
    if ((threads != 0 ? threads : std::thread::hardware_concurrency()) > 1) {
        try {
            thread_ =
                std::async(std::launch::async, [this, &overview, &entries] { overview.find(entries, is_unwanted_); });
            return;
        } catch (const std::exception&) {  // std::system_error, or std::bad_alloc
        }
    }
    overview.of(entries);
}

}  // namespace opdebug::report
