// The form of lib/data/api/known.json, and what the built-in file says.
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

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

/// Reads a file of that form. Error: catalogue_invalid, with the place.
Result<KnownApis> read_known_apis(const std::string& name, const std::string& text);

/// What the library carries. The same object for every call.
const KnownApis& built_in_known_apis();

}  // namespace opdebug::api_culprits
