// What is known of single APIs that changes what their values prove. Tables: known_apis.cpp.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include <opdebug/api_dump.hpp>

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

/// From whom to whom values go. batch: its list of P2POps says it.
enum class Flow { everyone, from_root, to_root, send, receive, batch };

struct CommunicationApi {
    std::string_view function;
    Flow flow;
    std::string_view received_position, received_keyword;  ///< where results are written; empty: into all arguments
    std::string_view partner_position, partner_keyword;    ///< root, or the other side; empty: none
    bool sums = false;                                     ///< values of the ranks may be added
    bool without_group = false;                            ///< no dump tells its group
    bool lists_ranks = false;                              ///< what is received is a list, one piece of each rank
};

/// The API, when this is a call between ranks; null otherwise. Tensor.scatter_ and Torch.gather are none.
const CommunicationApi* communication_api(std::string_view api);

}  // namespace opdebug::api_culprits
