// Integers of 16 to 64 bits counted at about the speed of memory.
#pragma once

#include <cstddef>
#include <cstdint>

namespace opdebug::tensor_stage {

/// Holds the sum of 2^63 numbers of 64 bits. GCC's and clang's; both know it on every 64-bit machine.
__extension__ using WideInteger = __int128;

/// Few enough for counters of 16 bits; short, so that memory behind a block comes while the block is counted.
constexpr std::size_t kIntegerBlockBytes = 2048;

template <class Integer>
struct IntegerBlock {
    Integer max, min;
    WideInteger sum;
    std::uint32_t zero, saturated;
};

/// Counts a block: at least one element, at most kIntegerBlockBytes, at any address.
template <class Integer>
using CountIntegers = IntegerBlock<Integer> (*)(const std::uint8_t* bytes, std::size_t elements) noexcept;

struct IntegerKernels {
    CountIntegers<std::int16_t> int16;
    CountIntegers<std::int32_t> int32;
    CountIntegers<std::int64_t> int64;
    CountIntegers<std::uint16_t> uint16;
    CountIntegers<std::uint32_t> uint32;
    CountIntegers<std::uint64_t> uint64;
};

/// For every machine.
const IntegerKernels& portable_integer_kernels() noexcept;

/// With AVX2 where the processor has it.
const IntegerKernels& fastest_integer_kernels() noexcept;

}  // namespace opdebug::tensor_stage
