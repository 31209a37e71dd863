#include "logs/reading/reading_threads.hpp"

#include <system_error>
#include <utility>

namespace opdebug::logs {
namespace {

/// For so many steps no thread is started: a file that fits one read is at its end with them.
constexpr std::size_t kStepsAlone = 4;

/// Of one thread: the step that it is at, and one that waits until an earlier one is processed.
constexpr std::size_t kStepsPerThread = 2;

}  // namespace

ReadingThreads::ReadingThreads(LogSteps& steps, const LogFormats& formats, std::uint64_t line_bytes,
                               const Wanted& wanted, std::size_t threads)
    : steps_(steps),
      formats_(formats),
      line_bytes_(line_bytes),
      wanted_(wanted),
      most_threads_(threads > 1 ? threads - 1 : 0),
      places_(threads > 1 ? threads * kStepsPerThread : 1) {
    threads_.reserve(most_threads_);
}

ReadingThreads::~ReadingThreads() {
    {
        const std::lock_guard lock(mutex_);
        ended_ = true;
    }
    has_room_.notify_all();
    for (std::thread& thread : threads_) {
        thread.join();
    }
}

void ReadingThreads::start_thread() {
    if (threads_.size() == most_threads_) {
        return;
    }
    try {
        threads_.emplace_back([this] { run(); });
    } catch (const std::system_error&) {  // the system gives no more threads
        most_threads_ = threads_.size();
    }
}

void ReadingThreads::run() {
    std::optional<PartReader> reader;
    while (true) {
        if (make_one(reader)) {
            continue;
        }
        std::unique_lock lock(mutex_);
        has_room_.wait(lock, [this] { return ended_ || has_room(); });
        if (ended_) {
            return;
        }
    }
}

std::unique_ptr<ReadStep> ReadingThreads::next() {
    while (true) {
        std::unique_lock lock(mutex_);
        Place& place = places_[taken_ % places_.size()];
        const auto is_decided = [this, &place] { return place.is_made || (ended_ && taken_ == claimed_); };
        if (!is_decided()) {
            if (taken_ >= kStepsAlone) {
                start_thread();
            }
            lock.unlock();
            if (make_one(own_)) {
                continue;
            }
            lock.lock();
            made_.wait(lock, is_decided);
        }
        if (!place.is_made) {
            return nullptr;
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

/// False where there is no space for a step, or none any more.
bool ReadingThreads::claim(std::size_t& step) {
    const std::lock_guard lock(mutex_);
    step = claimed_;
    claimed_ += has_room() ? 1U : 0U;
    return step != claimed_;
}

/// There are as many steps, and no more.
void ReadingThreads::end_behind(std::size_t steps) {
    {
        const std::lock_guard lock(mutex_);
        claimed_ = steps;
        ended_ = true;
    }
    has_room_.notify_all();
    made_.notify_one();
}

void ReadingThreads::put(std::size_t step, Place made) {
    const std::lock_guard lock(mutex_);
    made.is_made = true;
    places_[step % places_.size()] = std::move(made);
    if (step == taken_) {
        made_.notify_one();
    }
}

/// Makes the next step. False where there is no space for it, or none any more. What is thrown belongs to who takes the
/// step.
bool ReadingThreads::make_one(std::optional<PartReader>& reader) {
    std::unique_lock reading(reading_);
    std::size_t number = 0;
    if (!claim(number)) {
        return false;
    }
    Place made;
    try {
        std::optional<LogStep> step = steps_.next();
        if (!step) {
            end_behind(number);
            return false;
        }
        reading.unlock();
        made.step = std::make_unique<ReadStep>();
        made.step->step = *std::move(step);
        if (!made.step->step.read.lines.empty()) {
            if (!reader) {
                reader.emplace(formats_, line_bytes_, wanted_);
            }
            made.step->lines = reader->read(made.step->step.read.lines);
        }
    } catch (...) {
        if (reading.owns_lock()) {  // who knows what was read
            end_behind(number + 1);
        }
        made.failure = std::current_exception();
    }
    put(number, std::move(made));
    return true;
}

}  // namespace opdebug::logs
