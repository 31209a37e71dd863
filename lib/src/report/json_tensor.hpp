// A tensor of an operator's dump as JSON: the same object in the documents of `tensors`, `decode` and `scan`.
#pragma once

#include <opdebug/tensor.hpp>

#include "report/json_text.hpp"

namespace opdebug::report {

/// What the tensor is and what its values show. Keys always present; without statistics their values are null.
Json tensor_to_json(const DumpedTensor& tensor);

/// {"verdict", "because", "bad_input", "bad_output"}; null when nothing was measured.
Json origin_to_json(const std::optional<Origin>& origin);

}  // namespace opdebug::report
