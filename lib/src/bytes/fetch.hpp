// Memory that is read soon, asked for early.
#pragma once

#include <cstddef>
#include <cstdint>

namespace opdebug::bytes {

constexpr std::size_t kCacheLine = 64;

/// Has the processor fetch `size` bytes. Nothing is read and nothing needs to be there: of an empty list `begin` is
/// null, to which nothing may be added as to a pointer, so that addresses are numbers here. Inlined by order: GCC takes
/// away calls of functions that do nothing but fetch, and it stands in code for newer processors, too.
[[gnu::always_inline]] inline void fetch(const void* begin, std::size_t size) noexcept {
    const auto address = reinterpret_cast<std::uintptr_t>(begin);
    for (std::uintptr_t line = address & ~(kCacheLine - 1); line < address + size; line += kCacheLine) {
        __builtin_prefetch(reinterpret_cast<const void*>(line));  // NOLINT(performance-no-int-to-ptr)
    }
}

/// Calls fetch_line(address) for each cache line of so many bytes: without branches, which processors take wrongly
/// where a size and a place in the cache line decide.
template <std::size_t size, class FetchLine>
[[gnu::always_inline]] inline void fetch_lines(const void* begin, const FetchLine& fetch_line) noexcept {
    const auto address = reinterpret_cast<std::uintptr_t>(begin);
    const auto at = [address](std::size_t place) {
        return reinterpret_cast<const char*>(address + place);  // NOLINT(performance-no-int-to-ptr)
    };
    for (std::size_t place = 0; place < size; place += kCacheLine) {
        fetch_line(at(place));
    }
    fetch_line(at(size - 1));
}

/// The same as fetch() for so many bytes each time.
template <std::size_t size>
[[gnu::always_inline]] inline void fetch(const void* begin) noexcept {
    fetch_lines<size>(begin, [](const char* line) { __builtin_prefetch(line); });
}

/// For memory that is written soon and that another core had last: to fetch it for reading does not take it from there.
template <std::size_t size>
[[gnu::always_inline]] inline void fetch_to_write(const void* begin) noexcept {
    fetch_lines<size>(begin, [](const char* line) {
#if defined(__x86_64__)
        asm volatile("prefetchw %0" : : "m"(*line));  // does nothing where a processor does not know it
#else
        __builtin_prefetch(line, 1);
#endif
    });
}

}  // namespace opdebug::bytes
