// Threads that read parts of logs and match them; what they state is taken in the order of the parts.
#pragma once

#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "logs/files/log_steps.hpp"
#include "logs/matching/matched_lines.hpp"

namespace opdebug::logs {

/// A step of reading with what its lines state; the number of the first is 1.
struct MatchedStep {
    LogStep step;
    MatchedLines lines;
    std::size_t thread = 0;  ///< that made it; 0: the caller's
};

/// Whoever is free reads what comes next, and matches it: so the lines are in the cache of the core that matches them.
/// Two threads take 0.68 s of processor time for 0.85 GB; with one that reads for all it is 0.74 s.
/// Under the lock only the end of the next part is looked for (LogRead::unread): to read all of it there makes the
/// threads wait for each other a thousand times, and gains nothing.
/// The threads stay until the end and keep the prefixes of lines: to start one for each megabyte takes a tenth of
/// the processor time. The caller's own thread is one of them: it reads and matches when it would wait for the others.
/// One more thread than the machine has cores would have to be woken for each part.
class MatchingThreads {
public:
    /// `threads`: with the caller's own, which does all of the work where the machine has no further one. `steps` and
    /// `formats` must outlive this.
    MatchingThreads(LogSteps& steps, const LogFormats& formats, std::uint64_t line_bytes, const Wanted& wanted,
                    std::size_t threads);
    MatchingThreads(const MatchingThreads&) = delete;
    MatchingThreads& operator=(const MatchingThreads&) = delete;
    /// Waits for the step that each thread is at; others are forgotten.
    ~MatchingThreads();

    /// The next step in order; nothing behind the last. Throws what reading or matching it threw.
    std::optional<MatchedStep> next();

    /// Takes back a step that is done with: its memory is used again by the thread that made it, mostly. It has it in
    /// its cache, and what another thread frees goes through the locks of malloc's heaps. For a part of launch lines
    /// memory takes as long to get as to fill.
    void give_back(MatchedStep step);

private:
    struct Claim {
        std::size_t step = 0;
        MatchedStep used;  ///< an earlier one, for its memory
    };
    struct Place {
        bool is_made = false;
        MatchedStep step;
        std::exception_ptr failure;
    };

    void start_thread();
    void run(std::size_t thread);
    bool make_one(std::size_t thread, std::optional<LineMatcher>& matcher);
    void finish_reading(LogStep& step);
    void match(MatchedStep& step, ReusedList<MatchedLine> memory, std::optional<LineMatcher>& matcher) const;
    bool has_room() const noexcept { return !ended_ && claimed_ < taken_ + places_.size(); }
    std::optional<Claim> claim(std::size_t thread);
    void end_behind(std::size_t steps);
    void put(std::size_t step, Place made);

    LogSteps& steps_;
    const LogFormats& formats_;
    std::uint64_t line_bytes_;
    Wanted wanted_;
    std::size_t most_threads_;          ///< beside the caller's
    std::optional<LineMatcher> own_;    ///< of the caller's thread
    std::mutex reading_;                ///< of `steps_`; who holds it may lock the other one, too
    std::mutex mutex_;                  ///< of what follows
    std::condition_variable made_;      ///< the step that is taken next
    std::condition_variable has_room_;  ///< or there is nothing more to do
    std::vector<Place> places_;         ///< of steps that were claimed and not taken, by number, again and again
    std::vector<std::vector<MatchedStep>> used_;  ///< done with, by the threads that made them
    std::size_t steps_in_memory_ = 0;             ///< on their way, and used ones
    std::size_t claimed_ = 0;
    std::size_t taken_ = 0;
    bool ended_ = false;  ///< no step is to be claimed any more
    std::vector<std::thread> threads_;
};

}  // namespace opdebug::logs
