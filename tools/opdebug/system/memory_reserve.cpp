#include "system/memory_reserve.hpp"

#include <malloc.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <exception>
#include <new>
#include <optional>
#include <string_view>
#include <thread>

#include "system/exit_status.hpp"

namespace opdebug::tool {
namespace {

constexpr std::size_t kReserve = std::size_t{1} << 20U;

// The handlers are functions without arguments, so what they need is global.
std::atomic<void*> reserve = nullptr;

constexpr unsigned kMostThreads = 1024;  // -j takes no more

std::optional<rlim_t> limit_of_address_space() {
    rlimit space{};
    const bool is_limited = ::getrlimit(RLIMIT_AS, &space) == 0 && space.rlim_cur != RLIM_INFINITY;
    return is_limited ? std::optional(space.rlim_cur) : std::nullopt;
}

void give_reserve_back() {
    std::free(reserve.exchange(nullptr));
    throw std::bad_alloc();
}

/// nlohmann_json 3.11 takes memory in destructors, which must not throw: this is where the program gets to when there
/// is none. Other reasons are faults of the program and end as usual.
[[noreturn]] void end_for_want_of_memory() {
    try {
        if (std::current_exception()) {
            throw;
        }
    } catch (const std::bad_alloc&) {
        say_memory_is_short();
        std::_Exit(kSomethingDamaged);
    } catch (...) {
    }
    std::abort();
}

}  // namespace

void keep_memory_in_reserve() {
    reserve = std::malloc(kReserve);
    std::set_new_handler(give_reserve_back);
    std::set_terminate(end_for_want_of_memory);
}

void share_heaps_where_space_is_limited() {
    constexpr rlim_t kSpaceForEach = rlim_t{1} << 30U;  // so that heaps take a sixteenth of the space at most
    if (const auto space = limit_of_address_space()) {
        mallopt(M_ARENA_MAX, static_cast<int>(std::clamp<rlim_t>(*space / kSpaceForEach, 1, kMostThreads)));
    }
}

unsigned threads_that_fit(unsigned wanted) {
    // Measured: one thread needs 64 MiB at least, two 80, eight 128; the stack of a thread that ended may stay.
    constexpr rlim_t kSpaceForEach = rlim_t{40} << 20U;
    const auto space = limit_of_address_space();
    if (!space) {
        return wanted;
    }
    const unsigned most = wanted != 0 ? wanted : std::max(std::thread::hardware_concurrency(), 1U);
    return static_cast<unsigned>(std::clamp<rlim_t>(*space / kSpaceForEach, 1, most));
}

void say_memory_is_short() noexcept {
    constexpr std::string_view kMessage =
        "opdebug: there is not enough memory: raise the limit (ulimit -v), or use fewer threads (-j) or inputs\n";
    (void)!::write(STDERR_FILENO, kMessage.data(), kMessage.size());
}

}  // namespace opdebug::tool
