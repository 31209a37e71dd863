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

/// What is done with the memory that is fetched. What another core had last is not taken from there to be read.
enum class FetchedTo { be_read, be_written };

template <FetchedTo to>
[[gnu::always_inline]] inline void fetch_line(std::uintptr_t address) noexcept {
    const auto* const line = reinterpret_cast<const char*>(address);  // NOLINT(performance-no-int-to-ptr)
    if constexpr (to == FetchedTo::be_read) {
        __builtin_prefetch(line);
    } else {
#if defined(__x86_64__)
        asm volatile("prefetchw %0" : : "m"(*line));  // does nothing where a processor does not know it
#else
        __builtin_prefetch(line, 1);
#endif
    }
}

/// The same as fetch() for so many bytes each time: without branches, which processors take wrongly where a size and a
/// place in the cache line decide.
template <std::size_t size, FetchedTo to = FetchedTo::be_read>
[[gnu::always_inline]] inline void fetch(const void* begin) noexcept {
    const auto address = reinterpret_cast<std::uintptr_t>(begin);
    for (std::size_t place = 0; place < size; place += kCacheLine) {
        fetch_line<to>(address + place);
    }
    fetch_line<to>(address + size - 1);
}

}  // namespace opdebug::bytes
