#include "tensor/float_blocks.hpp"

#if defined(__x86_64__)
#include <cpuid.h>
#endif

#include "tensor/float_blocks_avx2.hpp"

namespace opdebug::tensor_stage {
namespace {

bool has_avx2_and_f16c() noexcept {
#if defined(__x86_64__)
    // clang 14 does not know the name "f16c". The check of AVX2 includes whether the system saves its registers.
    unsigned eax = 0;
    unsigned ebx = 0;
    unsigned ecx = 0;
    unsigned edx = 0;
    return __builtin_cpu_supports("avx2") && __get_cpuid(1, &eax, &ebx, &ecx, &edx) != 0 && (ecx & bit_F16C) != 0;
#else
    return false;
#endif
}

}  // namespace

const FloatKernels* avx2_float_kernels() noexcept {
    // Asked once: cpuid leaves a virtual machine, which took longer than all else that a small tensor needs.
    static const bool usable = has_avx2_and_f16c();
    return usable ? kAvx2FloatKernels : nullptr;
}

const FloatKernels& fastest_float_kernels() noexcept {
    const FloatKernels* const avx2 = avx2_float_kernels();
    return avx2 != nullptr ? *avx2 : portable_float_kernels();
}

}  // namespace opdebug::tensor_stage
