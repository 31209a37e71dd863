#include "scan/in_flight.hpp"

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <exception>
#include <mutex>
#include <optional>
#include <system_error>
#include <thread>
#include <utility>

namespace opdebug::scan_stage {
namespace {

/// Batches made or being made that were not taken yet, for each thread: enough that none waits for a slow neighbour.
constexpr std::size_t kBatchesPerThread = 4;
constexpr std::chrono::milliseconds kTick{100};

struct MadeBatch {
    Batch batch;
    std::optional<std::size_t> maker;  ///< the number of the thread; nothing: the calling one
};

class InFlight {
public:
    explicit InFlight(const InOrder& work) : work_(work), slots_(work.threads * kBatchesPerThread) {}
    InFlight(const InFlight&) = delete;
    InFlight& operator=(const InFlight&) = delete;

    ~InFlight() {
        {
            const std::lock_guard<std::mutex> lock(mutex_);
            cancelled_ = true;
        }
        room_.notify_all();
        for (std::thread& thread : threads_) {
            thread.join();
        }
    }

    /// How many threads could be started.
    std::size_t start() {
        const std::size_t wanted = std::min<std::size_t>(work_.threads - (work_.caller_makes ? 1 : 0), work_.batches);
        used_.resize(wanted);
        threads_.reserve(wanted);
        try {
            while (threads_.size() < wanted) {
                threads_.emplace_back([this, maker = threads_.size()] { work(maker); });
            }
        } catch (const std::system_error&) {
            // The system gives no more threads: those that there are do the work.
        }
        return threads_.size();
    }

    /// Takes a batch back that is not needed any more. The thread that made it frees it: what one thread allocates
    /// and another frees goes back to the first one's heap under its lock, in the way of what that allocates next.
    void give_back(MadeBatch made) {
        if (made.maker) {
            const std::lock_guard<std::mutex> lock(mutex_);
            used_[*made.maker].push_back(std::move(made.batch));
        }
    }

    /// Waits for the next batch in order. A thread more than there are cores would take turns with the others, and
    /// what one thread made and another takes is in the wrong core's cache: so the waiting one makes what comes next.
    MadeBatch next() {
        std::unique_lock<std::mutex> lock(mutex_);
        std::optional<MadeBatch>& slot = slots_[taken_ % slots_.size()];
        while (!slot && !failure_) {
            const bool makes = work_.caller_makes && !cancelled_ && is_claimable();
            if (makes) {
                make_claimed(lock);
            }
            if (makes || ready_.wait_for(lock, kTick) == std::cv_status::timeout) {
                lock.unlock();
                work_.tick();
                lock.lock();
            }
        }
        if (failure_) {
            std::rethrow_exception(failure_);
        }
        MadeBatch made = std::move(*slot);
        slot.reset();
        ++taken_;
        lock.unlock();
        room_.notify_one();
        return made;
    }

private:
    bool is_claimable() const { return claimed_ < work_.batches && claimed_ < taken_ + slots_.size(); }

    std::optional<std::size_t> claim(std::size_t maker) {
        std::vector<Batch> used;  // freed behind the lock
        std::unique_lock<std::mutex> lock(mutex_);
        used.swap(used_[maker]);
        room_.wait(lock, [this] { return cancelled_ || claimed_ == work_.batches || is_claimable(); });
        return cancelled_ || claimed_ == work_.batches ? std::nullopt : std::optional(claimed_++);
    }

    /// In the calling thread. The lock is open meanwhile. What this throws ends the work.
    void make_claimed(std::unique_lock<std::mutex>& lock) {
        const std::size_t index = claimed_++;
        lock.unlock();
        Batch batch = work_.make(index);
        lock.lock();
        cancelled_ = cancelled_ || batch.stopped;
        slots_[index % slots_.size()] = MadeBatch{std::move(batch), std::nullopt};
    }

    void work(std::size_t maker) {
        while (const auto index = claim(maker)) {
            std::optional<Batch> batch;
            std::exception_ptr failure;
            try {
                batch = work_.make(*index);
            } catch (...) {
                failure = std::current_exception();
            }
            {
                const std::lock_guard<std::mutex> lock(mutex_);
                cancelled_ = cancelled_ || failure || batch->stopped;
                failure_ = failure_ ? failure_ : failure;
                if (batch) {
                    slots_[*index % slots_.size()] = MadeBatch{*std::move(batch), maker};
                }
            }
            ready_.notify_one();
        }
        room_.notify_all();  // when all is claimed or cancelled, nobody waits on
    }

    const InOrder& work_;
    std::mutex mutex_;
    std::condition_variable ready_;  ///< a batch was made
    std::condition_variable room_;   ///< a batch was taken
    std::vector<std::optional<MadeBatch>> slots_;
    std::vector<std::vector<Batch>> used_;  ///< taken, and to be freed, by the threads that made them
    std::size_t claimed_ = 0;
    std::size_t taken_ = 0;
    bool cancelled_ = false;
    std::exception_ptr failure_;
    std::vector<std::thread> threads_;
};

void run_alone(const InOrder& work) {
    for (std::size_t i = 0; i < work.batches; ++i) {
        Batch batch = work.make(i);
        const bool stopped = batch.stopped;
        work.take(batch);
        work.tick();
        if (stopped) {
            return;
        }
    }
}

}  // namespace

void run_in_order(const InOrder& work) {
    if (work.threads <= 1 || work.batches <= 1) {
        run_alone(work);
        return;
    }
    InFlight in_flight(work);
    if (in_flight.start() == 0) {
        run_alone(work);
        return;
    }
    for (std::size_t i = 0; i < work.batches; ++i) {
        MadeBatch made = in_flight.next();
        const bool stopped = made.batch.stopped;
        work.take(made.batch);
        in_flight.give_back(std::move(made));
        work.tick();
        if (stopped) {
            return;
        }
    }
}

}  // namespace opdebug::scan_stage
