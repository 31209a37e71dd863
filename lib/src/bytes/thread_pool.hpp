// Threads that run posted work.
#pragma once

#include <atomic>
#include <cstddef>
#include <exception>
#include <future>
#include <memory>
#include <thread>
#include <utility>
#include <vector>

#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>

namespace opdebug::bytes {

/// Each future receives a result or an exception, and no lack of memory ends the program. A std::packaged_task that did
/// not run allocates memory in its destructor if its future still exists. So dropped work runs as well, and throws.
///
/// Not boost::asio::thread_pool: if the system starts no more threads, its constructor joins running threads that never
/// stop, and hangs.
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
        ended_ = true;
        work_guard_.reset();
        for (std::thread& thread : threads_) {
            thread.join();
        }
    }

    bool has_threads() const noexcept { return !threads_.empty(); }

    /// The future receives what the work returns or throws. Requires has_threads().
    template <class Work>
    auto post(Work work) -> std::future<decltype(work())> {
        using Task = std::packaged_task<decltype(work())()>;
        const auto task = std::make_shared<Task>([this, work = std::move(work)]() mutable {
            if (ended_) {
                throw Dropped();
            }
            return work();
        });
        auto result = task->get_future();
        boost::asio::post(context_, [task] { (*task)(); });
        return result;
    }

private:
    struct Dropped : std::exception {};

    std::atomic<bool> ended_ = false;
    boost::asio::io_context context_;
    boost::asio::executor_work_guard<boost::asio::io_context::executor_type> work_guard_{context_.get_executor()};
    std::vector<std::thread> threads_;
};

}  // namespace opdebug::bytes
