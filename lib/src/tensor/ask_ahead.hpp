// Memory that will be counted, asked for early.
#pragma once

#include <cstddef>
#include <cstdint>

namespace opdebug::tensor_stage {

/// 2 to 8 KiB do the same.
constexpr std::size_t kBytesAhead = 4096;

/// Once for each cache line or more often. The instructions of a few cache lines fill a processor, so that it does not
/// see the loads behind them in time: where its own guesses do not help (a virtual Xeon), float16 in memory takes 2.7
/// times as long without this. From the second cache it costs nothing, nor does it where the tensor has ended: nothing
/// is read there. Inlined by order: it stands in code for newer processors, too.
[[gnu::always_inline]] inline void ask_ahead(const std::uint8_t* bytes) noexcept {
    const std::uintptr_t ahead = reinterpret_cast<std::uintptr_t>(bytes) + kBytesAhead;
    __builtin_prefetch(reinterpret_cast<const void*>(ahead));  // NOLINT(performance-no-int-to-ptr): may be behind all
}

/// The same for each cache line of `count` bytes.
[[gnu::always_inline]] inline void ask_ahead(const std::uint8_t* bytes, std::size_t count) noexcept {
    constexpr std::size_t kCacheLine = 64;
    for (std::size_t place = 0; place < count; place += kCacheLine) {
        ask_ahead(bytes + place);
    }
}

}  // namespace opdebug::tensor_stage
