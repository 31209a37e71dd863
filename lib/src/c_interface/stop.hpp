// Asks a caller's function whether to give up.
#pragma once

#include <atomic>
#include <chrono>
#include <thread>

#include <opdebug/opdebug.h>

namespace opdebug::c_interface {

/// The library asks often and from several threads; the caller is asked now and then, and in its own thread, as C
/// programs and interpreters need it.
class Stop {
public:
    Stop(opdebug_stop* ask, void* data) : ask_(ask), data_(data) {}

    /// True: give up. Any thread.
    bool operator()() {
        if (ask_ != nullptr && std::this_thread::get_id() == caller_ && !asked_) {
            const Clock::time_point now = Clock::now();
            if (now >= next_) {
                next_ = now + kInterval;
                asked_ = ask_(data_) != 0;
            }
        }
        return asked_;
    }

    /// Whether the caller said so before. Asks nobody.
    bool gave_up() const { return asked_; }

private:
    using Clock = std::chrono::steady_clock;
    static constexpr std::chrono::milliseconds kInterval{20};

    opdebug_stop* ask_;
    void* data_;
    std::thread::id caller_ = std::this_thread::get_id();
    std::atomic<bool> asked_ = false;
    Clock::time_point next_;  ///< of the calling thread only
};

}  // namespace opdebug::c_interface
