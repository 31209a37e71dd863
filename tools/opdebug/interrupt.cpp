#include "interrupt.hpp"

#include <atomic>
#include <csignal>
#include <cstdint>
#include <ctime>
#include <initializer_list>

namespace opdebug::tool {
namespace {

/// When the first one came, in nanoseconds of the monotonic clock; 0: none. A signal handler can reach nothing else.
std::atomic<std::int64_t> interrupt_time{0};
static_assert(std::atomic<std::int64_t>::is_always_lock_free, "a signal handler may not wait for a lock");

std::int64_t now() noexcept {
    timespec time{};
    clock_gettime(CLOCK_MONOTONIC, &time);  // one of the functions that a handler may call
    return std::int64_t{time.tv_sec} * 1'000'000'000 + time.tv_nsec;
}

extern "C" void note_interrupt(int /*signal*/) {
    std::int64_t none = 0;
    interrupt_time.compare_exchange_strong(none, now());
}

}  // namespace

void catch_interrupts() {
    struct sigaction action {};
    action.sa_handler = note_interrupt;
    action.sa_flags = static_cast<int>(SA_RESETHAND);  // the second one ends the process
    for (const int signal : {SIGINT, SIGTERM}) {
        sigaction(signal, &action, nullptr);
    }
}

bool interrupted() noexcept {
    return interrupt_time != 0;
}

bool interrupted_for(std::chrono::milliseconds time) noexcept {
    const std::int64_t begin = interrupt_time;
    return begin != 0 && now() - begin >= std::chrono::nanoseconds(time).count();
}

}  // namespace opdebug::tool
