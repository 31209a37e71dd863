// Ctrl-C and other signals: long work ends early with what was done so far, and calls that one interrupts are made
// again.
#pragma once

#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstddef>
#include <string_view>
#include <type_traits>

namespace opdebug::tool {

/// From here on SIGINT (Ctrl-C), SIGTERM and SIGHUP (the terminal is gone) only set a flag. A second SIGINT or SIGTERM
/// ends the process at once, as it would without us. What the starter of the program ignores stays ignored (nohup).
void catch_interrupts();

/// Whether one came. May be asked from any thread.
bool interrupted() noexcept;

/// Whether one came at least that long ago.
bool interrupted_for(std::chrono::milliseconds time) noexcept;

/// The exit status that tells of the first one, as shells have it: 128 and its number.
int interrupted_status() noexcept;

/// Makes a call again until no signal interrupts it. Null or a negative number tells that it failed, with errno set.
template <class Call>
auto uninterrupted(const Call& call) {
    while (true) {
        const auto result = call();
        bool failed = false;
        if constexpr (std::is_pointer_v<decltype(result)>) {
            failed = result == nullptr;
        } else {
            failed = result < 0;
        }
        if (!failed || errno != EINTR) {
            return result;
        }
    }
}

/// Writes all of it. False where that failed, with errno set.
inline bool write_fully(int descriptor, std::string_view text) {
    while (!text.empty()) {
        const ssize_t count = uninterrupted([&] { return ::write(descriptor, text.data(), text.size()); });
        if (count < 0) {
            return false;
        }
        text.remove_prefix(static_cast<std::size_t>(count));
    }
    return true;
}

}  // namespace opdebug::tool
