// Facts of one file for its run: its findings so far, and its calls between ranks.
#pragma once

#include <algorithm>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <opdebug/api.hpp>

#include "api_culprits/known_apis.hpp"

namespace opdebug::api_culprits {

/// Missing facts of a verdict.
enum class Awaits {
    nothing,
    earlier,      ///< an earlier bad value of the rank: inputs were measured after the call
    gradient,     ///< the same, for gradients of parameters
    other_ranks,  ///< a bad value from another rank
};

/// A preliminary finding.
struct DraftFinding {
    ApiFinding finding;  ///< without step, rank, stack, file and source
    ApiPhase phase = ApiPhase::forward;
    bool is_module = false;
    Awaits awaits = Awaits::nothing;
    bool negative_only = false;      ///< call between ranks: bad results are only -Inf or the negative limit
    bool strong = false;             ///< NaN or +Inf, which are never intended
    bool makes_mask = false;         ///< deliberate: by the function
    bool is_logarithm = false;       ///< deliberate: the logarithm of zero
    bool is_constant = false;        ///< its bad results are an infinite number or NaN that the program gave
    bool is_first = false;           ///< a first culprit
    bool came_from_rank = false;     ///< inherited from a rank in the files
    std::uint64_t order = 0;         ///< order in its file; mostly its position. Gradients that are written early: last
    std::vector<std::uint64_t> bad;  ///< fingerprints of its bad results
    std::vector<std::uint64_t> bad_weights;
    std::vector<std::uint32_t> bad_pieces;  ///< call that gathers: bad positions in its list
    std::vector<std::size_t> fed_by;        ///< findings that made its bad inputs; empty: not all are known
    std::vector<std::size_t> masks_from;    ///< findings that made its assumed masks
    std::vector<std::uint64_t> untraced;    ///< its bad inputs, if no earlier result has any of them
};

/// Whether the call made a bad value of inputs that are all clean.
inline bool is_origin(const DraftFinding& draft) {
    return draft.finding.verdict == ApiVerdict::born_here || draft.finding.verdict == ApiVerdict::saturated;
}

/// Whether the call made a bad value, or may have made it.
inline bool is_culprit(const DraftFinding& draft) {
    return is_origin(draft) || draft.finding.verdict == ApiVerdict::in_collective ||
           (draft.finding.verdict == ApiVerdict::unknown && draft.phase != ApiPhase::debug);
}

/// Whether a bad value came in.
inline bool has_bad_input(const DraftFinding& draft) {
    return draft.finding.verdict == ApiVerdict::inherited || draft.finding.verdict == ApiVerdict::weight;
}

/// The source of its bad value is known by another fact.
inline void forget_missing_source(DraftFinding& draft) {
    std::erase_if(draft.finding.remarks,
                  [](const Diagnostic& diagnostic) { return diagnostic.code == "source_not_dumped"; });
}

/// Sets the reason of a verdict. Texts: "reason." in lib/data/diagnostics/api.jsonl.
inline void set_reason(LocalizedText text, ApiFinding& finding) {
    finding.because = std::move(text.en);
    finding.because_zh = std::move(text.zh);
}

/// Adds what other calls or ranks show. Texts: "reason_add.", with their separators.
inline void add_reason(const LocalizedText& text, ApiFinding& finding) {
    finding.because += text.en;
    finding.because_zh += text.zh;
}

/// Combination of the ranks' values in a collective. none: they stay separate, or one of them is selected.
enum class Reduction { none, sum, product };

/// One side of a call between ranks.
struct Transfer {
    const CommunicationApi* api = nullptr;
    Flow flow = Flow::everyone;
    std::uint64_t call = 0;  ///< position of the call in its file
    std::uint64_t order = 0;
    std::uint32_t group = 0;              ///< index in FileFacts::groups
    bool lacks_group = false;             ///< the API has a group, but no dump contains it
    std::optional<std::int64_t> partner;  ///< root or peer
    std::int64_t tag = 0;
    bool gives_bad = false;            ///< a value that the rank contributes is bad
    bool gives_mask = false;           ///< a value that the rank contributes is a mask
    bool gives_infinite_mask = false;  ///< with -Inf, not only the negative limit
    bool takes_bad = false;            ///< a result is bad
    bool unknown_input = false;
    Reduction reduction = Reduction::none;
    double magnitude = 0;  ///< largest magnitude that the rank contributes
    double limit = 0;      ///< limit of the type; 0: unknown
    std::optional<std::size_t> draft;
    std::uint32_t exchange = 0;  ///< in Exchanges::all of its step
};

struct Group {
    std::string id;
    std::vector<std::int64_t> ranks;  ///< sorted; empty: unknown
    std::string name;                 ///< if id and ranks are unknown

    // NOLINTNEXTLINE(modernize-use-nullptr): the check takes the comparison with 0 for one of pointers
    friend auto operator<=>(const Group&, const Group&) = default;
};

struct FileFacts {
    ApiFile file;
    std::vector<DraftFinding> drafts;  ///< by position
    std::vector<Transfer> transfers;
    std::vector<Group> groups;
    std::uint64_t left_out = 0;      ///< dropped findings
    std::uint64_t unread_flags = 0;  ///< calls with an unreadable register
    bool has_statistics = false;     ///< at least one floating-point tensor has them
    bool has_values = false;
    bool has_arguments = false;   ///< some call has any input or result
    bool shows_infinity = false;  ///< in a result: the device ran in INF/NaN mode
    bool shows_limit = false;     ///< in a result
    bool has_flags = false;       ///< is_nan
    std::optional<std::uint64_t> first_time;
};

}  // namespace opdebug::api_culprits
