// Calls of the system that a signal interrupts.
#pragma once

#include <unistd.h>

#include <cerrno>
#include <cstddef>
#include <string_view>
#include <type_traits>

namespace opdebug::tool {

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
