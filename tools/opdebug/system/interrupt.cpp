#include "system/interrupt.hpp"

#include <atomic>
#include <csignal>
#include <cstdint>
#include <ctime>

#include "output/messages.hpp"

namespace opdebug::tool {
namespace {

/// Time of the first interrupt, in nanoseconds of the monotonic clock; 0: none. Atomic, because a signal handler sets
/// it.
std::atomic<std::int64_t> interrupt_time{0};
/// Its signal number. Set before the time.
std::atomic<int> interrupt_signal{0};
static_assert(std::atomic<std::int64_t>::is_always_lock_free, "a signal handler may not wait for a lock");
static_assert(std::atomic<int>::is_always_lock_free, "a signal handler may not wait for a lock");

std::int64_t now() noexcept {
    timespec time{};
    clock_gettime(CLOCK_MONOTONIC, &time);  // async-signal-safe
    return std::int64_t{time.tv_sec} * 1'000'000'000 + time.tv_nsec;
}

void handle(int signal, void (*handler)(int)) noexcept {
    struct sigaction action {};
    action.sa_handler = handler;
    sigaction(signal, &action, nullptr);  // async-signal-safe
}

extern "C" void note_interrupt(int signal) {
    int none = 0;
    if (interrupt_signal.compare_exchange_strong(none, signal)) {
        interrupt_time = now();
    }
    if (signal != SIGHUP) {  // a closed terminal sends two hangups: from the shell and from the system
        handle(signal, SIG_DFL);
    }
}

}  // namespace

void catch_interrupts() {
    for (const int signal : {SIGHUP, SIGINT, SIGTERM}) {
        struct sigaction before {};
        sigaction(signal, nullptr, &before);
        if (before.sa_handler != SIG_DFL) {
            continue;  // ignored by the parent (nohup; "&" in a script), or already set
        }
        handle(signal, note_interrupt);
    }
}

bool interrupted() noexcept {
    return interrupt_time != 0;
}

bool interrupted_for(std::chrono::milliseconds time) noexcept {
    const std::int64_t begin = interrupt_time;
    return begin != 0 && now() - begin >= std::chrono::nanoseconds(time).count();
}

int interrupted_status() noexcept {
    return kInterrupted + interrupt_signal;
}

}  // namespace opdebug::tool
