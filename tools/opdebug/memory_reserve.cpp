#include "memory_reserve.hpp"

#include <unistd.h>

#include <atomic>
#include <cstdlib>
#include <exception>
#include <new>
#include <string_view>

#include "exit_status.hpp"

namespace opdebug::tool {
namespace {

constexpr std::size_t kReserve = std::size_t{1} << 20U;

// The handlers are functions without arguments, so what they need is global.
std::atomic<void*> reserve = nullptr;

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

void say_memory_is_short() noexcept {
    constexpr std::string_view kMessage =
        "opdebug: there is not enough memory: raise the limit (ulimit -v), or use fewer threads (-j) or inputs\n";
    (void)!::write(STDERR_FILENO, kMessage.data(), kMessage.size());
}

}  // namespace opdebug::tool
