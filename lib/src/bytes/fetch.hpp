// Prefetching of memory.
#pragma once

#include <cstddef>
#include <cstdint>

namespace opdebug::bytes {

constexpr std::size_t kCacheLine = 64;

/// Prefetches `size` bytes. The memory need not exist: `begin` of an empty list is null. Pointer arithmetic on null is
/// undefined, so addresses are numbers here. Always inlined: GCC removes calls of functions that only prefetch, and
/// code for newer processors calls this function too.
[[gnu::always_inline]] inline void fetch(const void* begin, std::size_t size) noexcept {
    const auto address = reinterpret_cast<std::uintptr_t>(begin);
    for (std::uintptr_t line = address & ~(kCacheLine - 1); line < address + size; line += kCacheLine) {
        __builtin_prefetch(reinterpret_cast<const void*>(line));  // NOLINT(performance-no-int-to-ptr)
    }
}

/// Whether the caller reads or writes the memory. For reading, a line stays shared with other cores.
enum class FetchedTo { be_read, be_written };

template <FetchedTo to>
[[gnu::always_inline]] inline void fetch_line(std::uintptr_t address) noexcept {
    const auto* const line = reinterpret_cast<const char*>(address);  // NOLINT(performance-no-int-to-ptr)
    if constexpr (to == FetchedTo::be_read) {
        __builtin_prefetch(line);
    } else {
#if defined(__x86_64__)
        asm volatile("prefetchw %0" : : "m"(*line));  // no operation on processors without it
#else
        __builtin_prefetch(line, 1);
#endif
    }
}

/// fetch() with a constant size. It has no branches, because size and alignment make them hard to predict.
template <std::size_t size, FetchedTo to = FetchedTo::be_read>
[[gnu::always_inline]] inline void fetch(const void* begin) noexcept {
    const auto address = reinterpret_cast<std::uintptr_t>(begin);
    for (std::size_t place = 0; place < size; place += kCacheLine) {
        fetch_line<to>(address + place);
    }
    fetch_line<to>(address + size - 1);
}

}  // namespace opdebug::bytes
