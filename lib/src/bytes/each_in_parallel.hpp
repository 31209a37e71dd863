// Independent pieces of work in several threads.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <future>
#include <system_error>
#include <thread>
#include <vector>

namespace opdebug::bytes {

/// As many threads as are wished, at most 1024; 0: as many as the machine runs at once.
inline unsigned thread_count(unsigned wished) noexcept {
    return wished != 0 ? std::min(wished, 1024U) : std::max(1U, std::thread::hardware_concurrency());
}

/// Calls work(0), work(1), ... work(count - 1), each once, in at most `threads` threads: the caller's own, and what the
/// machine gives next to it. What one of the calls throws is thrown again when no thread works any more.
template <class Work>
void each_in_parallel(std::size_t count, unsigned threads, const Work& work) {
    std::atomic<std::size_t> next{0};
    const auto work_on = [&next, &work, count] {
        for (std::size_t index = next++; index < count; index = next++) {
            work(index);
        }
    };
    std::vector<std::future<void>> others;
    try {
        while (others.size() + 1 < std::min<std::size_t>(threads, count)) {
            others.push_back(std::async(std::launch::async, work_on));
        }
    } catch (const std::system_error&) {  // the system gives no more threads
    }
    work_on();
    for (std::future<void>& other : others) {
        other.get();
    }
}

}  // namespace opdebug::bytes
