// Types and shapes in the header of an operator dump, without reading values.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <opdebug/result.hpp>

namespace opdebug::tensor_stage {

struct DeclaredTensor {
    std::string dtype;  ///< see DumpedTensor::dtype
    std::vector<std::uint64_t> shape;
};

/// Inputs, then outputs, as in a measured dump, but reads only the header. A file of version 1 consists of its header,
/// so it is read completely. Errors: those of reading a file and of its container.
Result<std::vector<DeclaredTensor>> declared_tensors(const std::string& path, const Limits& limits);

}  // namespace opdebug::tensor_stage
