// Compiled for processors with AVX2 and F16C where the compiler knows them (lib/CMakeLists.txt).
#include "tensor/float_blocks_avx2.hpp"

#if defined(__AVX2__) && defined(__F16C__)

#include "tensor/float_block_kernel.hpp"

namespace opdebug::tensor_stage {

const FloatKernels* const kAvx2FloatKernels = &kKernels;

}  // namespace opdebug::tensor_stage

#else

namespace opdebug::tensor_stage {

const FloatKernels* const kAvx2FloatKernels = nullptr;

}  // namespace opdebug::tensor_stage

#endif
