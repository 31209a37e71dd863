// The same work on many things, by several threads.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <future>
#include <system_error>
#include <vector>

namespace opdebug::tool {

/// Calls `work` with each number below `count`, each once, in any order and by up to `threads` threads at once; the
/// calling one is one of them. Where the system gives no more threads, those that there are do the work. Throws what
/// `work` throws, once all threads have ended.
template <class Work>
void in_parallel(std::size_t count, std::size_t threads, const Work& work) {
    std::atomic<std::size_t> next = 0;
    const auto work_on = [&] {
        for (std::size_t i = next++; i < count; i = next++) {
            work(i);
        }
    };
    std::vector<std::future<void>> others;  // each waits for its thread when it goes
    const std::size_t wanted = std::min(threads, count);
    others.reserve(wanted);
    try {
        while (others.size() + 1 < wanted) {
            others.push_back(std::async(std::launch::async, work_on));
        }
    } catch (const std::system_error&) {
    }
    work_on();
    for (std::future<void>& other : others) {
        other.get();
    }
}

}  // namespace opdebug::tool
