// float16, bfloat16 and float32 counted at about the speed of memory.
//
// The same source (float_block_kernel.hpp) is compiled twice: for every machine, and on x86-64 for processors with AVX2
// and F16C, which is two to three times as fast (docs/performance.md). Both give the same results, bit for bit.
#pragma once

#include <cstddef>
#include <cstdint>

namespace opdebug::tensor_stage {

/// Elements are counted in groups of this many.
constexpr std::size_t kFloatGroup = 16;

/// What a block of elements shows. Without initialisers on purpose: nothing of it may be instantiated by the part that
/// is compiled for newer processors.
struct FloatBlock {
    std::uint32_t nan, pos_inf, neg_inf, saturated, subnormal, zero;
    std::uint32_t finite;
    std::uint32_t max_bits, min_bits;  ///< of the finite elements; meaningless when there is none
    double sum;                        ///< of the finite elements: 16 sums of every 16th, added in order
};

/// Counts a block: at most kElementsPerBlock elements, a multiple of kFloatGroup, at any address. `specials_expected`
/// changes nothing but the speed: Inf, NaN or values at the limit are likely.
using CountFloats = void (*)(const std::uint8_t* bytes, std::size_t elements, bool specials_expected,
                             FloatBlock& block) noexcept;

struct FloatKernels {
    CountFloats float16;
    CountFloats bfloat16;
    CountFloats float32;
};

/// For every machine.
const FloatKernels& portable_float_kernels() noexcept;

/// Null when this processor has not what they need, or the library was built without them.
const FloatKernels* avx2_float_kernels() noexcept;

/// The fastest that this processor can run.
const FloatKernels& fastest_float_kernels() noexcept;

}  // namespace opdebug::tensor_stage
