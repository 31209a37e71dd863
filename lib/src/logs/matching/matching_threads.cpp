#include "logs/matching/matching_threads.hpp"

#include <algorithm>
#include <system_error>
#include <utility>

namespace opdebug::logs {
namespace {

/// For so many steps no thread is started: a file that fits one read is at its end with them (opened, its start, the
/// rest, the end). That a file is longer shows at its first step with lines that are still to be read.
constexpr std::size_t kStepsAlone = 4;

/// Of one thread: the step that it is at, and one that waits until an earlier one is taken. With the first alone two
/// threads take 0.44 s instead of 0.39 (1,800 waits instead of 100); three and four give nothing more.
constexpr std::size_t kStepsPerThread = 2;

}  // namespace

MatchingThreads::MatchingThreads(LogSteps& steps, const LogFormats& formats, std::uint64_t line_bytes,
                                 const Wanted& wanted, std::size_t threads)
    : steps_(steps),
      formats_(formats),
      line_bytes_(line_bytes),
      wanted_(wanted),
      most_threads_(threads > 1 ? threads - 1 : 0),
      places_(threads > 1 ? threads * kStepsPerThread : 1),
      used_(most_threads_ + 1) {
    threads_.reserve(most_threads_);
}

MatchingThreads::~MatchingThreads() {
    {
        const std::lock_guard lock(mutex_);
        ended_ = true;
    }
    has_room_.notify_all();
    for (std::thread& thread : threads_) {
        thread.join();
    }
}

void MatchingThreads::start_thread() {
    if (threads_.size() == most_threads_) {
        return;
    }
    try {
        threads_.emplace_back([this, thread = threads_.size() + 1] { run(thread); });
    } catch (const std::system_error&) {  // no further thread can be had
        most_threads_ = threads_.size();
    }
}

void MatchingThreads::run(std::size_t thread) {
    std::optional<LineMatcher> matcher;
    while (true) {
        if (make_one(thread, matcher)) {
            continue;
        }
        std::unique_lock lock(mutex_);
        has_room_.wait(lock, [this] { return ended_ || has_room(); });
        if (ended_) {
            return;
        }
    }
}

std::optional<MatchedStep> MatchingThreads::next() {
    while (true) {
        std::unique_lock lock(mutex_);
        Place& place = places_[taken_ % places_.size()];
        const auto is_decided = [this, &place] { return place.is_made || (ended_ && taken_ == claimed_); };
        if (!is_decided()) {
            lock.unlock();
            if (make_one(0, own_)) {
                continue;
            }
            lock.lock();
            made_.wait(lock, is_decided);
        }
        if (!place.is_made) {
            return std::nullopt;
        }
        Place taken = std::exchange(place, {});
        ++taken_;
        lock.unlock();
        has_room_.notify_one();
        if (taken.failure) {
            std::rethrow_exception(taken.failure);
        }
        return std::move(taken.step);
    }
}

void MatchingThreads::give_back(MatchedStep step) {
    const std::lock_guard lock(mutex_);
    used_[step.thread].push_back(std::move(step));
}

/// Nothing where there is no room for a step, or none any more. A thread without a used step takes that of another one
/// where there are as many as places: where threads are more than cores each fills places while it runs, and would keep
/// them. With 16 or 64 threads on two cores this takes 55 MB instead of 170.
std::optional<MatchingThreads::Claim> MatchingThreads::claim(std::size_t thread) {
    const std::lock_guard lock(mutex_);
    if (!has_room()) {
        return std::nullopt;
    }
    Claim claim{claimed_++, {}};
    auto used = used_.begin() + static_cast<std::ptrdiff_t>(thread);
    if (used->empty() && steps_in_memory_ >= places_.size()) {
        used = std::find_if(used_.begin(), used_.end(), [](const auto& steps) { return !steps.empty(); });
    }
    if (used == used_.end() || used->empty()) {
        ++steps_in_memory_;
        return claim;
    }
    claim.used = std::move(used->back());
    used->pop_back();
    return claim;
}

/// There are as many steps, and no more.
void MatchingThreads::end_behind(std::size_t steps) {
    {
        const std::lock_guard lock(mutex_);
        claimed_ = steps;
        ended_ = true;
    }
    has_room_.notify_all();
    made_.notify_one();
}

void MatchingThreads::put(std::size_t step, Place made) {
    const std::lock_guard lock(mutex_);
    made.is_made = true;
    places_[step % places_.size()] = std::move(made);
    if (step == taken_) {
        made_.notify_one();
    }
}

/// Reads the next step and matches it. False where there is no room for it, or none any more. What is thrown belongs to
/// who takes the step.
bool MatchingThreads::make_one(std::size_t thread, std::optional<LineMatcher>& matcher) {
    std::unique_lock reading(reading_);
    std::optional<Claim> claimed = claim(thread);
    if (!claimed) {
        return false;
    }
    Place made;
    made.step.thread = thread;
    try {
        std::optional<LogStep> step = steps_.next(std::move(claimed->used.step.read.part.buffer));
        if (!step) {
            end_behind(claimed->step);
            return false;
        }
        made.step.step = *std::move(step);
        reading.unlock();
        if (thread == 0 && (claimed->step >= kStepsAlone || made.step.step.read.unread)) {
            start_thread();
        }
        finish_reading(made.step.step);
        match(made.step, std::move(claimed->used.lines.lines), matcher);
    } catch (...) {
        if (reading.owns_lock()) {  // who knows what was read
            end_behind(claimed->step + 1);
        }
        made.failure = std::current_exception();
    }
    put(claimed->step, std::move(made));
    return true;
}

/// The bytes of a plain file come from the system to the core that matches them, while other cores read others.
void MatchingThreads::finish_reading(LogStep& step) {
    if (!step.read.unread) {
        return;
    }
    step.read.finish();
    if (step.read.failure) {
        const std::lock_guard reading(reading_);
        steps_.leave(*step.path);
    }
}

void MatchingThreads::match(MatchedStep& step, ReusedList<MatchedLine> memory,
                            std::optional<LineMatcher>& matcher) const {
    const LogPart& part = step.step.read.part;
    if (part.size == 0) {
        step.lines.lines = std::move(memory);  // kept for a step that has lines
        return;
    }
    if (!matcher) {
        matcher.emplace(formats_, line_bytes_, wanted_);
    }
    step.lines = matcher->match(part.text(), 1, std::move(memory));
}

}  // namespace opdebug::logs
