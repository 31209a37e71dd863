// Threads for posted work: each future receives a result or an exception.
#include "bytes/thread_pool.hpp"

#include <chrono>
#include <future>
#include <optional>
#include <stdexcept>
#include <thread>
#include <utility>
#include <vector>

#include <doctest/doctest.h>

using opdebug::bytes::ThreadPool;

TEST_CASE("thread pool: futures receive what the work returns or throws") {
    ThreadPool pool(3);
    REQUIRE(pool.has_threads());
    std::vector<std::future<int>> results;
    for (int number = 0; number < 50; ++number) {
        results.push_back(pool.post([number] { return number % 7 == 3 ? throw std::runtime_error("3") : number; }));
    }
    for (int number = 0; number < 50; ++number) {
        CAPTURE(number);
        std::future<int>& result = results[static_cast<std::size_t>(number)];
        if (number % 7 == 3) {
            CHECK_THROWS_AS(result.get(), std::runtime_error);
        } else {
            CHECK(result.get() == number);
        }
    }
}

TEST_CASE("thread pool: no future waits for a pool that ended") {
    std::optional<ThreadPool> pool(std::in_place, 2);
    std::promise<void> begun;
    std::vector<std::future<void>> results;
    results.push_back(pool->post([&begun] { begun.set_value(); }));
    for (int number = 0; number < 100; ++number) {
        results.push_back(pool->post([] { std::this_thread::sleep_for(std::chrono::milliseconds(1)); }));
    }
    begun.get_future().wait();
    pool.reset();
    for (std::future<void>& result : results) {
        CHECK(result.wait_for(std::chrono::seconds(0)) == std::future_status::ready);
    }
    CHECK_NOTHROW(results.front().get());
    CHECK_THROWS_AS(results.back().get(), std::exception);
}

TEST_CASE("thread pool: none without threads") {
    CHECK_FALSE(ThreadPool(0).has_threads());
}
