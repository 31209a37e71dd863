// What is known of single APIs that changes what their values prove. The names: lib/data/api/known.json.
#pragma once

#include <string_view>

#include <opdebug/api_dump.hpp>

#include "api_culprits/known_apis_file.hpp"

namespace opdebug::api_culprits {

/// The part that names the function: "linear" of "Functional.linear"; of an ATen overload the part behind the prefix.
std::string_view function_of(std::string_view api);

/// Its result is memory that nobody wrote yet: whatever it holds is no evidence.
bool leaves_memory_as_it_is(std::string_view function);

/// It makes constants or masks, where -Inf and the negative limit are meant.
bool makes_masks(std::string_view function);

/// Masked values are its usual food: scores that were masked before.
bool takes_masked_values(std::string_view function);

/// An argument of that API that is overwritten, or gives only its shape.
bool is_not_read(std::string_view function, const ApiValue& argument);

/// A result that is no number to judge: the random states among those of npu_fusion_attention.
bool is_no_result(std::string_view function, const ApiValue& output);

/// "add_", not "__add__": it writes into its first argument.
bool is_in_place(std::string_view function);

/// An argument that is the API's weight or bias.
bool is_weight_argument(std::string_view function, const ApiValue& argument);

/// The first part of a value's index: "1" of "1.0".
std::string_view first_of(std::string_view index);

/// The API, when this is a call between ranks; null otherwise. A function is known by its namespace, wherever it is in
/// the name ("Torch.c10d.broadcast_"): Tensor.scatter_ and Torch.gather are none.
const CommunicationApi* communication_api(std::string_view api);

}  // namespace opdebug::api_culprits
