// Facts about APIs that change the evidence of their values. The names: lib/data/api/known.json.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include <opdebug/api.hpp>

namespace opdebug::api_culprits {

/// Direction of values. batch: its list of P2POps contains it.
enum class Flow { everyone, from_root, to_root, send, receive, batch };

/// A call between ranks.
struct CommunicationApi {
    std::string name;  ///< function with namespace: "Distributed.all_reduce"
    Flow flow = Flow::everyone;
    std::string received_position, received_keyword;  ///< arguments for results; empty: all arguments
    std::string partner_position, partner_keyword;    ///< root or peer; empty: none
    bool partner_0_by_default = false;                ///< an unknown partner is rank 0
    bool received_off_root = false;                   ///< all ranks except the root receive into all arguments
    bool sums = false;                                ///< values of the ranks may be added
    bool lists_ranks = false;                         ///< it receives a list with one piece of each rank
    bool without_group = false;                       ///< its group is in no dump
    bool computes = false;                            ///< it also computes, so a bad value may be born here
    bool waits = false;                               ///< it returns the results of earlier calls between ranks
};

/// The data file about APIs, by names of functions or operators.
struct KnownApis {
    /// Finds names without a copy of the text.
    struct Hash {
        using is_transparent = void;
        std::size_t operator()(std::string_view name) const noexcept { return std::hash<std::string_view>{}(name); }
    };
    template <class Value>
    using ByName = std::unordered_map<std::string, Value, Hash, std::equal_to<>>;
    using Names = std::unordered_set<std::string, Hash, std::equal_to<>>;
    using Positions = ByName<Names>;  ///< positions of arguments or results: "0", "1", ...
    using Calls = ByName<CommunicationApi>;

    Names makes_masks, takes_masked_values, takes_logarithm, first_argument_not_read, writes_first_argument;
    std::vector<std::string> begins_unwritten_memory;  ///< prefixes of such APIs
    Positions weights, no_results;
    Calls functions_between_ranks;  ///< by namespace and function: "Distributed.all_reduce"
    Calls operators_between_ranks;
};

/// The data of the library. The same object for every call.
const KnownApis& built_in_known_apis();

/// The name of the function: "linear" in "Functional.linear"; for an ATen overload the part after the prefix.
std::string_view function_of(std::string_view api);

/// Whether its result is unwritten memory, whose content is no evidence.
bool leaves_memory_as_it_is(std::string_view function);

/// Whether it makes constants or masks, where -Inf and the negative limit are intended.
bool makes_masks(std::string_view function);

/// Whether -Inf is the logarithm of zero: a mask, if nothing bad comes of it.
bool takes_logarithm(std::string_view function);

/// Whether masked values are its usual input: masked scores.
bool takes_masked_values(std::string_view function);

/// Whether the API overwrites the argument or uses only its shape.
bool is_not_read(std::string_view function, const ApiValue& argument);

/// Whether the result is no number to judge: a reserved output or a random state.
bool is_no_result(std::string_view function, const ApiValue& output);

/// Whether it writes into its first argument: "add_", not "__add__".
bool is_in_place(std::string_view function);

/// Whether the argument is the API's weight or bias.
bool is_weight_argument(std::string_view function, const ApiValue& argument);

/// The first part of a value's index: "1" in "1.0".
std::string_view first_of(std::string_view index);

/// The API if it is a call between ranks, or null. Its namespace identifies a function anywhere in the name
/// ("Torch.c10d.broadcast_"): Tensor.scatter_ and Torch.gather are no such calls.
const CommunicationApi* communication_api(std::string_view api);

}  // namespace opdebug::api_culprits
