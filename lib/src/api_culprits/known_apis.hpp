// What is known of single APIs that changes what their values prove. The names: lib/data/api/known.json.
#pragma once

#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include <opdebug/api.hpp>
#include <opdebug/result.hpp>

namespace opdebug::api_culprits {

/// From whom to whom values go. batch: its list of P2POps says it.
enum class Flow { everyone, from_root, to_root, send, receive, batch };

/// A call between ranks.
struct CommunicationApi {
    std::string name;  ///< of a function with its namespace: "Distributed.all_reduce"
    Flow flow = Flow::everyone;
    std::string received_position, received_keyword;  ///< where results are written; empty: into all arguments
    std::string partner_position, partner_keyword;    ///< root, or the other side; empty: none
    bool partner_0_by_default = false;                ///< where no partner is told, it is rank 0
    bool received_off_root = false;                   ///< but the root, all ranks receive into all arguments
    bool sums = false;                                ///< values of the ranks may be added
    bool without_group = false;                       ///< no dump names its group
    bool lists_ranks = false;                         ///< what is received is a list, one piece of each rank
    bool computes = false;                            ///< it computes, too: a bad value may be born in it
    bool waits = false;                               ///< it returns the results of earlier calls between ranks
};

/// What a file says of APIs, by the names of their functions or operators.
struct KnownApis {
    using Names = std::set<std::string, std::less<>>;
    using Positions = std::map<std::string, Names, std::less<>>;  ///< of arguments or results: "0", "1", ...
    using Calls = std::map<std::string, CommunicationApi, std::less<>>;

    Names makes_masks, takes_masked_values, first_argument_not_read, writes_first_argument;
    std::vector<std::string> begins_unwritten_memory;  ///< what the names of such APIs begin with
    Positions weights, random_states;
    Calls functions_between_ranks;  ///< by namespace and function: "Distributed.all_reduce"
    Calls operators_between_ranks;
};

/// Reads a file of that format. Error: catalogue_invalid, with the place.
Result<KnownApis> read_known_apis(const std::string& name, const std::string& text);

/// What the library carries. The same object for every call.
const KnownApis& built_in_known_apis();

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
