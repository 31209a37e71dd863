#include "report/scan/scan_contents.hpp"

#include <cstddef>
#include <exception>
#include <thread>

#include "bytes/fetch.hpp"
#include "scan/overview.hpp"

namespace opdebug::report {
namespace {

/// Prefetches the memory of the next dumps: each has some ten cache lines in five locations, and the overview would
/// wait for one after the other. The pointers to a location must be there before.
[[gnu::always_inline]] inline void fetch_ahead(const ScanEntries& entries, std::size_t number) noexcept {
    constexpr std::size_t kAhead = 4;
    if (number + 3 * kAhead < entries.size()) {
        bytes::fetch(&entries[number + 3 * kAhead].item, sizeof(ScanItem));
    }
    if (number + 2 * kAhead < entries.size()) {
        const ScanItem& item = entries[number + 2 * kAhead].item;
        bytes::fetch(item.causes.data(), sizeof(ScanCause));
        bytes::fetch(item.file.data(), item.file.size());
        bytes::fetch(item.operator_name.data(), item.operator_name.size());
    }
    if (number + kAhead < entries.size()) {
        const ScanItem& item = entries[number + kAhead].item;
        if (!item.causes.empty()) {
            __builtin_prefetch(item.causes.front().id.data());
        }
    }
}

}  // namespace

void LateOverview::find(const ScanEntries& entries, OverviewForm form, const std::atomic<bool>& is_unwanted) const {
    scan_stage::OverviewBuilder overview;  // goes after the lock: who waits for the overview need not wait for that
    const std::lock_guard<std::mutex> lock(mutex_);
    if (found_ || (lines_ && form == OverviewForm::lines)) {
        return;
    }
    for (std::size_t i = 0; i < entries.size(); ++i) {
        if (is_unwanted) {
            return;
        }
        fetch_ahead(entries, i);
        overview.add(entries[i].item);
    }
    if (form == OverviewForm::lines) {
        lines_ = report::lines_of(overview);
    } else {
        found_ = overview.finish();
    }
}

const ScanOverview& LateOverview::of(const ScanEntries& entries) const {
    find(entries, OverviewForm::whole, false);
    return *found_;
}

const OverviewLines* LateOverview::lines_of(const ScanEntries& entries) const {
    find(entries, OverviewForm::lines, false);
    return lines_ ? &*lines_ : nullptr;
}

BegunOverview::BegunOverview(const LateOverview& overview, const ScanEntries& entries, unsigned threads,
                             OverviewForm form) {
    if ((threads != 0 ? threads : std::thread::hardware_concurrency()) > 1) {
        try {
            thread_ = std::async(std::launch::async,
                                 [this, &overview, &entries, form] { overview.find(entries, form, is_unwanted_); });
            return;
        } catch (const std::exception&) {  // std::system_error, or std::bad_alloc
        }
    }
    overview.find(entries, form, is_unwanted_);
}

}  // namespace opdebug::report
