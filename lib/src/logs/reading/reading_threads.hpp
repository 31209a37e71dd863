// Threads that read parts of logs; the statements of the lines are processed in the order of the parts.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <future>
#include <memory>
#include <mutex>
#include <optional>
#include <vector>

#include <opdebug/logs.hpp>

#include "bytes/thread_pool.hpp"
#include "logs/files/log_parts.hpp"
#include "logs/reading/part_reader.hpp"

namespace opdebug::logs {

/// A step of reading with what its lines state.
struct ReadStep {
    LogStep step;
    StatedLines lines;
};

/// The calling thread reads the files; threads take the lines apart.
class ReadingThreads {
public:
    /// `threads`: 1, or if the system starts none: the calling thread does all. `steps` and `formats` must outlive
    /// this.
    ReadingThreads(LogSteps& steps, const LogFormats& formats, std::uint64_t line_bytes, const Wanted& wanted,
                   std::size_t threads);

    /// The next step in order; null after the last. Throws what reading it threw.
    std::unique_ptr<ReadStep> next();

private:
    std::unique_ptr<ReadStep> read(LogStep step);

    LogSteps& steps_;
    const LogFormats& formats_;
    std::uint64_t line_bytes_;
    Wanted wanted_;
    std::size_t most_threads_;
    std::size_t taken_ = 0;
    bool ended_ = false;  ///< there are no more steps
    std::mutex mutex_;    ///< of `idle_`
    std::vector<std::unique_ptr<PartReader>> idle_;
    std::deque<std::future<std::unique_ptr<ReadStep>>> ahead_;  ///< in order
    std::optional<bytes::ThreadPool> pool_;                     ///< last: its threads use the other members
};

/// Used by the calling thread alone. `options` must outlive it.
class ReadingWatch {
public:
    explicit ReadingWatch(const ReadLogsOptions& options) : options_(options) {}

    /// Calls the caller's `stop`; once it returned true, the answer stays.
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
