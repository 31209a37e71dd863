// The operators' dumps that `opdebug tensors` measures.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include <opdebug/limits.hpp>

namespace opdebug::tool {

/// The dumps to measure, and what went wrong while they were looked for.
struct TensorInputs {
    std::vector<std::string> files;
    bool one_file = false;        ///< a single file, not a folder
    bool found_any_path = false;  ///< at least one of the paths is there
    std::size_t failed = 0;       ///< paths and folders
};

/// Looks for them, and says what goes wrong. What lies below several folders counts once, whatever links lead there; a
/// file that is given twice is meant so.
TensorInputs find_tensor_inputs(const std::vector<std::string>& paths, const Limits& limits);

}  // namespace opdebug::tool
