// The kernels for processors with AVX2 and F16C. Data, not a function: nothing that was compiled for such a processor
// runs before its features are checked.
#pragma once

#include "tensor/float_blocks.hpp"

namespace opdebug::tensor_stage {

/// Null when the library was built without them.
extern const FloatKernels* const kAvx2FloatKernels;

}  // namespace opdebug::tensor_stage
