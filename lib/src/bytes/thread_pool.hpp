// Threads that run posted work.
#pragma once

#include <cstddef>
#include <exception>
#include <future>
#include <thread>
#include <utility>
#include <vector>

#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>

namespace opdebug::bytes {

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
        context_.stop();
        for (std::thread& thread : threads_) {
            thread.join();
        }
    }

    bool has_threads() const noexcept { return !threads_.empty(); }

    /// What the work returns or throws is in the future.
    template <class Work>
    auto post(Work work) -> std::future<decltype(work())> {
        std::packaged_task<decltype(work())()> task(std::move(work));
        auto made = task.get_future();
        boost::asio::post(context_, std::move(task));
        return made;
    }

private:
    boost::asio::io_context context_;
    boost::asio::executor_work_guard<boost::asio::io_context::executor_type> work_guard_{context_.get_executor()};
    std::vector<std::thread> threads_;
};

}  // namespace opdebug::bytes
