// What one file gives to the judging of its run: its findings so far, and its calls between ranks.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include <opdebug/api.hpp>

#include "api_culprits/known_apis.hpp"

namespace opdebug::api_culprits {

/// What a verdict still waits for.
enum class Awaits {
    nothing,
    earlier,      ///< whether the rank showed a bad value before: inputs were measured after the call
    gradient,     ///< the same, for gradients of parameters
    other_ranks,  ///< whether another rank gave the bad value
};

/// A finding in the making.
struct DraftFinding {
    ApiFinding finding;  ///< without step, rank, stack, file and source
    ApiPhase phase = ApiPhase::forward;
    bool is_module = false;
    Awaits awaits = Awaits::nothing;
    bool negative_only = false;      ///< of a call between ranks: its bad results are -Inf or the negative limit
    bool strong = false;             ///< NaN, +Inf: what nobody writes on purpose; not only limits and -Inf
    bool is_first = false;           ///< a first culprit
    bool came_from_rank = false;     ///< inherited from a rank that is here
    std::uint64_t order = 0;         ///< where it counts in its file; its position, mostly
    std::string behind;              ///< of a gradient that was written early: the backward that it counts behind
    bool results_seen = false;       ///< of a module: calls before it gave all of its bad results
    std::vector<std::uint64_t> bad;  ///< fingerprints of its bad results
    std::vector<std::uint64_t> bad_weights;
    std::vector<std::uint32_t> bad_pieces;  ///< of a call that gathers: the places in its list that arrived bad
    std::vector<std::size_t> fed_by;        ///< findings of the file that gave its bad inputs; empty: not all are known
    std::vector<std::size_t> masks_from;    ///< findings of the file that gave what it took for masks
    std::vector<std::uint64_t> untraced;    ///< of its bad inputs, where no earlier result of the file has any of them
};

/// How far behind a module the calls inside it may stand: their order in backwards is that of hooks (a real file:
/// Module.conv1.Conv2d.backward.0 in front of Functional.conv2d.0.backward).
constexpr std::uint64_t kSwapped = 4;

/// Of two lists of fingerprints.
inline bool has_one_of(const std::vector<std::uint64_t>& prints, const std::vector<std::uint64_t>& wanted) {
    return std::find_first_of(prints.begin(), prints.end(), wanted.begin(), wanted.end()) != prints.end();
}

/// What a collective makes of the values of its ranks. none: they stay apart, or one of them is taken.
enum class Reduction { none, sum, product };

/// One side of what a call between ranks does.
struct Transfer {
    const CommunicationApi* api = nullptr;
    Flow flow = Flow::everyone;
    std::uint64_t call = 0;  ///< position of the call in its file
    std::uint64_t order = 0;
    std::uint32_t group = 0;              ///< in FileFacts::groups
    bool group_is_untold = false;         ///< the API has one, and no dump tells it
    std::optional<std::int64_t> partner;  ///< root, or the other side
    std::int64_t tag = 0;
    bool gives_bad = false;            ///< a value that the rank contributes is bad
    bool gives_mask = false;           ///< a value that the rank contributes is a mask
    bool gives_infinite_mask = false;  ///< with -Inf, not only the negative limit
    bool takes_bad = false;            ///< a result is
    bool unknown_input = false;
    Reduction reduction = Reduction::none;
    double magnitude = 0;  ///< the largest of what the rank contributes
    double limit = 0;      ///< of the type; 0: not known
    std::optional<std::size_t> draft;
};

struct Group {
    std::string id;
    std::vector<std::int64_t> ranks;  ///< sorted; empty: not told
    std::string name;                 ///< instead of both
    bool operator<(const Group& other) const {
        return std::tie(id, ranks, name) < std::tie(other.id, other.ranks, other.name);
    }
};

struct FileFacts {
    ApiFile file;
    std::vector<DraftFinding> drafts;  ///< by position
    std::vector<Transfer> transfers;
    std::vector<Group> groups;
    std::uint64_t left_out = 0;      ///< findings that were not kept
    std::uint64_t unread_flags = 0;  ///< calls whose register could not be read
    bool has_statistics = false;     ///< at least one floating-point tensor has them
    bool has_values = false;
    bool has_arguments = false;   ///< some call has an input or result of whatever kind
    bool shows_infinity = false;  ///< in a result: the device ran in INF/NaN mode
    bool shows_limit = false;     ///< in a result
    bool has_flags = false;       ///< is_nan
    std::optional<std::uint64_t> first_time;
};

}  // namespace opdebug::api_culprits
