// Facts about APIs that change the evidence of their values. The names: lib/data/api/known.json.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>

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
    std::string tag_position;                         ///< of messages
    bool partner_0_by_default = false;                ///< an unknown partner is rank 0
    bool received_off_root = false;                   ///< all ranks except the root receive into all arguments
    bool sums = false;                                ///< values of the ranks may be added
    bool lists_ranks = false;                         ///< it receives a list with one piece of each rank
    bool without_group = false;                       ///< its group is in no dump
    bool computes = false;                            ///< it also computes, so a bad value may be born here
    bool waits = false;                               ///< it returns the results of earlier calls between ranks
};

/// Finds names without a copy of the text.
struct NameHash {
    using is_transparent = void;
    std::size_t operator()(std::string_view name) const noexcept { return std::hash<std::string_view>{}(name); }
};
using Names = std::unordered_set<std::string, NameHash, std::equal_to<>>;
template <class Value>
using ByName = std::unordered_map<std::string, Value, NameHash, std::equal_to<>>;

/// What is known of an API.
struct KnownApi {
    bool makes_masks = false;          ///< constants or masks, where -Inf and the negative limit are intended
    bool writes_number = false;        ///< a number that is an argument; an infinite one is intended
    bool takes_masked_values = false;  ///< its usual input: masked scores
    bool takes_logarithm = false;      ///< -Inf is the logarithm of zero: a mask, if nothing bad comes of it
    bool first_is_not_read = false;    ///< its first argument is overwritten, or only its shape is used
    bool writes_first = false;         ///< into its first argument: "add_", not "__add__"
    bool leaves_memory = false;        ///< its result is unwritten memory, whose content is no evidence
    Names weights;                     ///< positions of its weight and bias: "1", ...
    Names no_results;                  ///< positions of reserved outputs and random states
    const CommunicationApi* communication = nullptr;  ///< null: no call between ranks

    /// Whether the API overwrites the argument or uses only its shape.
    bool is_not_read(const ApiValue& argument) const;

    /// Whether the result is no number to judge.
    bool is_no_result(const ApiValue& output) const;

    /// Whether the argument is the API's weight or bias.
    bool is_weight(const ApiValue& argument) const;
};

KnownApi known_api(std::string_view api);

/// The name of the function: "linear" in "Functional.linear"; for an ATen overload the part after the prefix.
std::string_view function_of(std::string_view api);

/// The first part of a value's index: "1" in "1.0".
std::string_view first_of(std::string_view index);

/// The API if it is a call between ranks, or null. Its namespace identifies a function anywhere in the name
/// ("Torch.c10d.broadcast_"): Tensor.scatter_ and Torch.gather are no such calls.
const CommunicationApi* communication_api(std::string_view api);

}  // namespace opdebug::api_culprits
