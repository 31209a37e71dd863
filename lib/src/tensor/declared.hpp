// What the header of an operator's dump declares of its tensors: types and shapes, without a look at values.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <opdebug/result.hpp>

namespace opdebug::tensor_stage {

struct DeclaredTensor {
    std::string dtype;  ///< as DumpedTensor::dtype
    std::vector<std::uint64_t> shape;
};

/// Inputs, then outputs: what measuring the dump would say, for the cost of its header. A file of version 1 is all
/// header, so all of it is read. Errors: those of reading a file and of its container.
Result<std::vector<DeclaredTensor>> declared_tensors(const std::string& path, const Limits& limits);

}  // namespace opdebug::tensor_stage
