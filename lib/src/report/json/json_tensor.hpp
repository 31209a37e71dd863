// A tensor of an operator's dump as JSON: the same object in the documents of `tensors`, `decode` and `scan`.
#pragma once

#include <opdebug/tensor.hpp>

#include "report/json/json_writer.hpp"

namespace opdebug::report {

/// What the tensor is and what its values show. Keys always present; without statistics their values are null.
void write_tensor(const DumpedTensor& tensor, JsonWriter& json);

/// {"verdict", "because", "bad_input", "bad_output"}; null when nothing was measured.
void write_origin(const std::optional<Origin>& origin, JsonWriter& json);

}  // namespace opdebug::report
