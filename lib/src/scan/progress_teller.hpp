// Progress for who watches a scan.
#pragma once

#include <chrono>
#include <functional>

#include <opdebug/scan.hpp>

namespace opdebug::scan_stage {

/// Tells the user's function, but not more often than anybody can see.
class ProgressTeller {
public:
    explicit ProgressTeller(const std::function<void(const ScanProgress&)>& tell) : tell_(tell) {}

    void now(const ScanProgress& progress) {
        if (tell_) {
            tell_(progress);
            last_ = std::chrono::steady_clock::now();
        }
    }
    void now_and_then(const ScanProgress& progress) {
        if (tell_ && std::chrono::steady_clock::now() - last_ >= kInterval) {
            now(progress);
        }
    }

private:
    static constexpr std::chrono::milliseconds kInterval{100};

    const std::function<void(const ScanProgress&)>& tell_;
    std::chrono::steady_clock::time_point last_;
};

}  // namespace opdebug::scan_stage
