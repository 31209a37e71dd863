// Pieces of work that are done in any order, and taken in theirs.
#pragma once

#include <cstddef>
#include <mutex>
#include <vector>

namespace opdebug::logs {

/// Each thread that has done a piece takes what is next, as far as it is done. No thread waits for another one that is
/// taking: that one goes on with what was done meanwhile.
class TakenInOrder {
public:
    explicit TakenInOrder(std::size_t count) : done_(count) {}

    /// The piece is done. Calls take(0), take(1), ..., over all calls each once, and one at a time. After one that
    /// throws none is taken any more.
    template <class Take>
    void add(std::size_t piece, const Take& take) {
        std::unique_lock lock(mutex_);
        done_[piece] = true;
        if (is_taking_) {
            return;
        }
        is_taking_ = true;
        while (next_ < done_.size() && done_[next_]) {
            const std::size_t taken = next_++;
            lock.unlock();
            take(taken);
            lock.lock();
        }
        is_taking_ = false;
    }

private:
    std::mutex mutex_;
    std::vector<bool> done_;
    std::size_t next_ = 0;  ///< to be taken
    bool is_taking_ = false;
};

}  // namespace opdebug::logs
