// Threads that match parts of logs.
#pragma once

#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <future>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "logs/log_parts.hpp"
#include "logs/matched_lines.hpp"

namespace opdebug::logs {

/// What a part states, and its memory.
struct MatchedPart {
    MatchedLines lines;
    std::string buffer;
};

/// The threads stay until the end and keep what they learnt of lines: to start one for each megabyte took a tenth of
/// the processor time. The caller's own thread is one of them: it matches when it would wait for the others. One more
/// thread than the machine has cores had to be woken for each part, and most parts were read in another core's cache.
class MatchingThreads {
public:
    /// `threads`: with the caller's own. `formats` must outlive this.
    MatchingThreads(const LogFormats& formats, std::uint64_t line_bytes, const Wanted& wanted, std::size_t threads);
    MatchingThreads(const MatchingThreads&) = delete;
    MatchingThreads& operator=(const MatchingThreads&) = delete;
    /// Waits for the part that each thread is at; others are forgotten.
    ~MatchingThreads();

    /// `memory`: of lines that are done with. The number of the first line is 1.
    std::future<MatchedPart> match(LogPart part, StatingLines memory);

    /// Matches the part that waits longest for a thread, in the caller's. False where none waits.
    bool match_one_here();

private:
    struct Work {
        LogPart part;
        StatingLines memory;
        std::promise<MatchedPart> done;
    };
    void start_thread();
    void run();
    std::optional<Work> take_waiting();  ///< under the mutex
    static void do_work(Work work, LineMatcher& matcher);

    const LogFormats& formats_;
    std::uint64_t line_bytes_;
    Wanted wanted_;
    std::size_t most_threads_;  ///< beside the caller's
    LineMatcher own_;           ///< of the caller's thread
    std::vector<std::thread> threads_;
    std::mutex mutex_;  ///< of what follows
    std::condition_variable changed_;
    std::deque<Work> waiting_;
    bool ends_ = false;
};

}  // namespace opdebug::logs
