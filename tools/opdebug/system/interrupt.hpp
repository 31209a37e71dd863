// Ctrl-C and other signals: long work ends early with its results so far, and interrupted calls are repeated.
#pragma once

#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstddef>
#include <string_view>
#include <type_traits>

namespace opdebug::tool {

/// Makes SIGINT (Ctrl-C), SIGTERM and SIGHUP (closed terminal) only set a flag. A second SIGINT or SIGTERM ends the
/// process immediately. Signals that the parent ignores stay ignored (nohup).
void catch_interrupts();

/// Whether an interrupt came. Thread-safe.
bool interrupted() noexcept;

/// Whether an interrupt came at least that long ago.
bool interrupted_for(std::chrono::milliseconds time) noexcept;

/// The exit status for the first interrupt, as in shells: 128 plus its number.
int interrupted_status() noexcept;

/// Repeats a call that signals interrupt. Null or a negative number means failure, with errno set.
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

/// Writes all of it. Returns false on failure, with errno set.
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
