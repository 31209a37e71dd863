#include "scan/ordered_work.hpp"

#include <algorithm>
#include <chrono>
#include <deque>
#include <exception>
#include <future>
#include <thread>
#include <utility>
#include <vector>

#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>

namespace opdebug::scan_stage {
namespace {

/// Batches ahead of the calling thread, for each thread: enough that none waits for a slow neighbour.
constexpr std::size_t kBatchesPerThread = 4;
constexpr std::chrono::milliseconds kTick{100};

/// Threads that run posted work. Not boost::asio::thread_pool: if the system starts no more threads, its constructor
/// joins running threads that never stop, and hangs.
class ThreadPool {
public:
    /// Fewer threads if the system starts no more.
    explicit ThreadPool(std::size_t threads) {
        threads_.reserve(threads);
        try {
            while (threads_.size() < threads) {
                threads_.emplace_back([this] { context_.run(); });
            }
        } catch (const std::exception&) {  // std::system_error or std::bad_alloc
        }
    }
    ThreadPool(const ThreadPool&) = delete;
    ThreadPool& operator=(const ThreadPool&) = delete;
    /// Drops work that has not started.
    ~ThreadPool() {
        context_.stop();
        for (std::thread& thread : threads_) {
            thread.join();
        }
    }

    bool has_threads() const noexcept { return !threads_.empty(); }

    std::future<Batch> post(std::function<Batch()> make) {
        std::packaged_task<Batch()> task(std::move(make));
        std::future<Batch> batch = task.get_future();
        boost::asio::post(context_, std::move(task));
        return batch;
    }

private:
    boost::asio::io_context context_;
    boost::asio::executor_work_guard<boost::asio::io_context::executor_type> work_guard_{context_.get_executor()};
    std::vector<std::thread> threads_;
};

/// False: the batch was the last one.
bool take(const OrderedWork& work, Batch batch) {
    work.take(batch);
    work.tick();
    return !batch.stopped;
}

void run_alone(const OrderedWork& work) {
    for (std::size_t i = 0; i < work.batches && take(work, work.make(i)); ++i) {
    }
}

}  // namespace

void run_in_order(const OrderedWork& work) {
    const std::size_t threads = std::min<std::size_t>(work.threads, work.batches);
    ThreadPool pool(threads > 1 ? threads : 0);
    if (!pool.has_threads()) {
        run_alone(work);
        return;
    }
    std::deque<std::future<Batch>> ahead;
    std::size_t posted = 0;
    const auto post_more = [&] {
        for (; posted < work.batches && ahead.size() < threads * kBatchesPerThread; ++posted) {
            ahead.push_back(pool.post([&work, index = posted] { return work.make(index); }));
        }
    };
    for (post_more(); !ahead.empty(); post_more()) {
        while (ahead.front().wait_for(kTick) == std::future_status::timeout) {
            work.tick();
        }
        Batch batch = ahead.front().get();
        ahead.pop_front();
        if (!take(work, std::move(batch))) {
            return;
        }
    }
}

}  // namespace opdebug::scan_stage
