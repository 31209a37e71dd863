// One tensor of an operator's dump measured, and an operator's array in a .npy file.
#pragma once

#include <opdebug/tensor.hpp>

#include "bytes/file.hpp"
#include "container/container.hpp"
#include "tensor/pieces.hpp"

namespace opdebug::tensor_stage {

/// Error: interrupted; damage of the tensor is among its diagnostics.
Result<DumpedTensor> measure_tensor(const container::Tensor& tensor, Container form, PieceReader& reader,
                                    const OpDumpOptions& options);

/// A .npy file as a dump with one tensor. Names and ids are those of the file's name, where it is an operator's.
Result<OpDump> measure_npy(const bytes::FileReader& file, const OpDumpOptions& options);

}  // namespace opdebug::tensor_stage
