#include "report/late_overview.hpp"

#include <system_error>
#include <thread>

#include "scan/overview_builder.hpp"

namespace opdebug::report {

const ScanOverview& LateOverview::of(const std::vector<ScanEntry>& entries) const {
    const std::lock_guard<std::mutex> lock(mutex_);
    if (!found_) {
        scan_stage::OverviewBuilder overview;
        for (const ScanEntry& entry : entries) {
            overview.add(entry.item);
        }
        found_ = overview.finish();
    }
    return *found_;
}

std::future<void> LateOverview::begin(const std::vector<ScanEntry>& entries, unsigned threads) const {
    if ((threads != 0 ? threads : std::thread::hardware_concurrency()) <= 1) {
        return {};
    }
    {
        const std::lock_guard<std::mutex> lock(mutex_);
        if (found_) {
            return {};
        }
    }
    try {
        return std::async(std::launch::async, [this, &entries] { of(entries); });
    } catch (const std::system_error&) {
        return {};
    }
}

}  // namespace opdebug::report
