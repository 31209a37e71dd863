// The caller's eye on long reading: how much was read, and whether it shall end early.
#pragma once

#include <cstddef>
#include <cstdint>

#include <opdebug/logs.hpp>

namespace opdebug::logs {

/// Used by the calling thread alone. `options` must outlive it.
class ReadingWatch {
public:
    explicit ReadingWatch(const ReadLogsOptions& options) : options_(options) {}

    /// Asks the caller; once it said yes, the answer stays.
    bool must_stop() {
        stopped_ = stopped_ || (options_.stop && options_.stop());
        return stopped_;
    }
    bool stopped() const noexcept { return stopped_; }
    void add(std::size_t bytes) {
        bytes_ += bytes;
        if (options_.progress) {
            options_.progress(bytes_);
        }
    }

private:
    const ReadLogsOptions& options_;
    std::uint64_t bytes_ = 0;
    bool stopped_ = false;
};

}  // namespace opdebug::logs
