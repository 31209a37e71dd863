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

/// The same for so many bytes each time: without branches, which processors take wrongly where a size and a place in
/// the cache line decide.
template <std::size_t size>
[[gnu::always_inline]] inline void fetch(const void* begin) noexcept {
    const auto address = reinterpret_cast<std::uintptr_t>(begin);
    for (std::size_t place = 0; place < size; place += kCacheLine) {
        __builtin_prefetch(reinterpret_cast<const void*>(address + place));  // NOLINT(performance-no-int-to-ptr)
    }
    __builtin_prefetch(reinterpret_cast<const void*>(address + size - 1));  // NOLINT(performance-no-int-to-ptr)
}

/// For memory that is written soon and that another core had last: to fetch it for reading does not take it from there.
template <std::size_t size>
[[gnu::always_inline]] inline void fetch_to_write(void* begin) noexcept {
    const auto fetch_line = [](std::uintptr_t address) {
        auto* const line = reinterpret_cast<char*>(address);  // NOLINT(performance-no-int-to-ptr)
#if defined(__x86_64__)
        asm volatile("prefetchw %0" : : "m"(*line));  // does nothing where a processor does not know it
#else
        __builtin_prefetch(line, 1);
#endif
    };
    const auto address = reinterpret_cast<std::uintptr_t>(begin);
    for (std::size_t place = 0; place < size; place += kCacheLine) {
        fetch_line(address + place);
    }
    fetch_line(address + size - 1);
}

}  // namespace opdebug::bytes
