#include "scan/ordered_work.hpp"

#include <algorithm>
#include <chrono>
#include <deque>
#include <future>
#include <utility>

#include "bytes/thread_pool.hpp"

namespace opdebug::scan_stage {
namespace {

/// Batches ahead of the calling thread, for each thread: enough that none waits for a slow neighbour.
constexpr std::size_t kBatchesPerThread = 4;
constexpr std::chrono::milliseconds kTick{100};

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
    bytes::ThreadPool pool(threads > 1 ? threads : 0);
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
