// Threads that read parts of logs; the statements of the lines are processed in the order of the parts.
#pragma once

#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <memory>
#include <mutex>
#include <optional>
#include <thread>
#include <vector>

#include <opdebug/logs.hpp>
#include "logs/files/log_parts.hpp"
#include "logs/reading/part_reader.hpp"

namespace opdebug::logs {

/// A step of reading with what its lines state.
struct ReadStep {
    LogStep step;
    StatedLines lines;
};

/// Whoever is free reads what comes next, so the lines are in the cache of the core that takes them apart. The caller's
/// own thread is one of them: it reads when it would wait for the others.
class ReadingThreads {
public:
    /// `threads`: with the caller's own, which does all of the work where the machine has no other one. `steps` and
    /// `formats` must outlive this.
    ReadingThreads(LogSteps& steps, const LogFormats& formats, std::uint64_t line_bytes, const Wanted& wanted,
                   std::size_t threads);
    ReadingThreads(const ReadingThreads&) = delete;
    ReadingThreads& operator=(const ReadingThreads&) = delete;
    /// Waits for the step that each thread is at; others are forgotten.
    ~ReadingThreads();

    /// The next step in order; null after the last. Throws what reading it threw.
    std::unique_ptr<ReadStep> next();

private:
    struct Place {
        bool is_made = false;
        std::unique_ptr<ReadStep> step;
        std::exception_ptr failure;
    };

    void start_thread();
    void run();
    bool make_one(std::optional<PartReader>& reader);
    bool has_room() const noexcept { return !ended_ && claimed_ < taken_ + places_.size(); }
    bool claim(std::size_t& step);
    void end_behind(std::size_t steps);
    void put(std::size_t step, Place made);

    LogSteps& steps_;
    const LogFormats& formats_;
    std::uint64_t line_bytes_;
    Wanted wanted_;
    std::size_t most_threads_;          ///< next to the caller's
    std::optional<PartReader> own_;     ///< of the caller's thread
    std::mutex reading_;                ///< of `steps_`; who holds it may lock the other one, too
    std::mutex mutex_;                  ///< of what follows
    std::condition_variable made_;      ///< the next step in order
    std::condition_variable has_room_;  ///< or there is nothing more to do
    std::vector<Place> places_;         ///< of steps that were claimed and not passed on, by number, again and again
    std::size_t claimed_ = 0;
    std::size_t taken_ = 0;
    bool ended_ = false;  ///< no step is to be claimed any more
    std::vector<std::thread> threads_;
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
