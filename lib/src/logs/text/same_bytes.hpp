// Comparing some bytes, a dozen or two, at the place where it is asked for.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

namespace opdebug::logs {

/// Word by word: each line is compared with some texts that it may hold, and to call memcmp took as long as all else of
/// that.
inline bool same_bytes(const char* a, const char* b, std::size_t size) noexcept {
    const auto differ = [a, b](std::size_t place) {
        std::uint64_t of_a = 0;
        std::uint64_t of_b = 0;
        std::memcpy(&of_a, a + place, sizeof of_a);
        std::memcpy(&of_b, b + place, sizeof of_b);
        return of_a != of_b;
    };
    constexpr std::size_t kWord = sizeof(std::uint64_t);
    if (size < kWord) {
        return std::memcmp(a, b, size) == 0;
    }
    for (std::size_t place = 0; place + kWord < size; place += kWord) {
        if (differ(place)) {
            return false;
        }
    }
    return !differ(size - kWord);
}

}  // namespace opdebug::logs
