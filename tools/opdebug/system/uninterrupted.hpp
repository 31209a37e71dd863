// Calls of the system that a signal interrupts.
#pragma once

#include <cerrno>
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

}  // namespace opdebug::tool
