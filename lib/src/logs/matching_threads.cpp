#include "logs/matching_threads.hpp"

#include <exception>
#include <optional>
#include <system_error>
#include <utility>

namespace opdebug::logs {

MatchingThreads::MatchingThreads(const LogFormats& formats, std::uint64_t line_bytes, const Wanted& wanted,
                                 std::size_t threads)
    : formats_(formats),
      line_bytes_(line_bytes),
      wanted_(wanted),
      most_threads_(threads > 1 ? threads - 1 : 0),
      own_(formats, line_bytes, wanted) {
    threads_.reserve(most_threads_);
}

MatchingThreads::~MatchingThreads() {
    {
        const std::lock_guard lock(mutex_);
        ends_ = true;
        waiting_.clear();
    }
    changed_.notify_all();
    for (std::thread& thread : threads_) {
        thread.join();
    }
}

void MatchingThreads::start_thread() {
    try {
        threads_.emplace_back([this] { run(); });
    } catch (const std::system_error&) {  // no further thread can be had
        most_threads_ = threads_.size();
    }
}

std::future<MatchedPart> MatchingThreads::match(LogPart part, StatingLines memory) {
    if (threads_.size() < most_threads_) {
        start_thread();
    }
    Work work{std::move(part), std::move(memory), {}};
    std::future<MatchedPart> done = work.done.get_future();
    if (threads_.empty()) {
        do_work(std::move(work), own_);
        return done;
    }
    {
        const std::lock_guard lock(mutex_);
        waiting_.push_back(std::move(work));
    }
    changed_.notify_one();
    return done;
}

std::optional<MatchingThreads::Work> MatchingThreads::take_waiting() {
    if (waiting_.empty()) {
        return std::nullopt;
    }
    std::optional<Work> first(std::move(waiting_.front()));
    waiting_.pop_front();
    return first;
}

bool MatchingThreads::match_one_here() {
    std::unique_lock lock(mutex_);
    std::optional<Work> work = take_waiting();
    lock.unlock();
    if (!work) {
        return false;
    }
    do_work(*std::move(work), own_);
    return true;
}

void MatchingThreads::do_work(Work work, LineMatcher& matcher) {
    try {
        MatchedLines lines = matcher.match(work.part.text(), 1, std::move(work.memory));
        work.done.set_value({std::move(lines), std::move(work.part.buffer)});
    } catch (...) {  // whatever it is, it belongs to who waits for the part
        work.done.set_exception(std::current_exception());
    }
}

void MatchingThreads::run() {
    std::optional<LineMatcher> matcher;
    while (true) {
        std::unique_lock lock(mutex_);
        changed_.wait(lock, [this] { return ends_ || !waiting_.empty(); });
        if (ends_) {
            return;
        }
        Work work = *take_waiting();
        lock.unlock();
        try {
            if (!matcher) {
                matcher.emplace(formats_, line_bytes_, wanted_);
            }
        } catch (const std::bad_alloc&) {
            work.done.set_exception(std::current_exception());
            continue;
        }
        do_work(std::move(work), *matcher);
    }
}

}  // namespace opdebug::logs
