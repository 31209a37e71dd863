#include "logs/reading/reading_threads.hpp"

#include <utility>

namespace opdebug::logs {
namespace {

/// Steps before the first thread starts: a file that fits one read ends with them.
constexpr std::size_t kStepsAlone = 4;

/// Steps ahead of the calling thread, for each thread.
constexpr std::size_t kStepsPerThread = 2;

}  // namespace

ReadingThreads::ReadingThreads(LogSteps& steps, const LogFormats& formats, std::uint64_t line_bytes,
                               const Wanted& wanted, std::size_t threads)
    : steps_(steps), formats_(formats), line_bytes_(line_bytes), wanted_(wanted), most_threads_(threads) {}

/// Steps that are read at the same time have a reader each, which keeps the prefixes of lines for later steps.
std::unique_ptr<ReadStep> ReadingThreads::read(LogStep step) {
    auto made = std::make_unique<ReadStep>();
    made->step = std::move(step);
    if (made->step.read.lines.empty()) {
        return made;
    }
    std::unique_ptr<PartReader> reader;
    {
        const std::lock_guard lock(mutex_);
        if (!idle_.empty()) {
            reader = std::move(idle_.back());
            idle_.pop_back();
        }
    }
    if (reader == nullptr) {
        reader = std::make_unique<PartReader>(formats_, line_bytes_, wanted_);
    }
    made->lines = reader->read(made->step.read.lines);
    const std::lock_guard lock(mutex_);
    idle_.push_back(std::move(reader));
    return made;
}

std::unique_ptr<ReadStep> ReadingThreads::next() {
    if (!pool_ && taken_ >= kStepsAlone && most_threads_ > 1) {
        pool_.emplace(most_threads_);
    }
    ++taken_;
    const bool has_threads = pool_ && pool_->has_threads();
    const std::size_t most_ahead = has_threads ? most_threads_ * kStepsPerThread : 1;
    while (!ended_ && ahead_.size() < most_ahead) {
        std::optional<LogStep> step = steps_.next();
        ended_ = !step;
        if (step && !has_threads) {
            return read(*std::move(step));
        }
        if (step) {
            ahead_.push_back(pool_->post([this, step = *std::move(step)]() mutable { return read(std::move(step)); }));
        }
    }
    if (ahead_.empty()) {
        return nullptr;
    }
    std::future<std::unique_ptr<ReadStep>> first = std::move(ahead_.front());
    ahead_.pop_front();
    return first.get();
}

}  // namespace opdebug::logs
