#include "tensor/float_block_kernel.hpp"

namespace opdebug::tensor_stage {

const FloatKernels& portable_float_kernels() noexcept {
    return kKernels;
}

}  // namespace opdebug::tensor_stage
