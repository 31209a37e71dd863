// Chains of overflowing operators: the overflowed dumps of one step in the order of time, and where the first bad value
// (NaN, Inf, saturated) appears as far as the operators' dumps show it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <opdebug/export.h>
#include <opdebug/scan_overview.hpp>

namespace opdebug {
inline namespace v0 {

/// One dump of a chain.
struct ChainLink {
    std::uint64_t position = 0;  ///< in the chain, from 0
    std::string file;
    std::optional<std::uint64_t> timestamp_us;
    std::string operator_type, operator_name;  ///< empty: unknown
    std::optional<Origin> origin;              ///< nothing: not measured
    OpDumpState op_dump = OpDumpState::absent;
};

/// The overflowed dumps of one step, model, rank, device and process.
struct OverflowChain {
    std::optional<std::uint64_t> step;  ///< data index; nothing: no folder tells it, and the chain is over all time
    std::optional<std::uint64_t> rank, device_id;
    std::optional<std::string> folder_time;  ///< the {time} folder: one for each process
    std::string model;                       ///< empty: unknown
    std::uint64_t count = 0;                 ///< dumps
    std::uint64_t born_here = 0, inherited = 0, not_visible = 0, not_measured = 0;  ///< of these
    std::optional<std::uint64_t> first_us, last_us;
    /// The first dump that shows a bad value, in the inputs of its operator or only in its outputs, whatever the
    /// verdict: not_visible where only the outputs were dumped. One that shows integers at the ends of their range only
    /// counts when no other shows more. Nothing: none does.
    std::optional<ChainLink> first_bad;
    std::optional<ChainLink> first_born_here;  ///< likewise, of those whose verdict is born_here
    std::uint64_t inherited_after = 0;         ///< dumps behind first_born_here whose inputs hold bad values
    std::vector<ChainLink> links;              ///< the first 20 dumps, in order
    std::vector<ScanRemark> remarks;  ///< what makes the first bad value uncertain; where it compares to other places
};

/// The first chains of a scan.
struct OverflowChains {
    std::vector<OverflowChain> chains;  ///< in the order of their first dumps; 1,000 at most
    std::uint64_t count = 0;            ///< of all chains
};

/// Puts the overflowed items into chains. `items`: all dumps, in report order. Thread-safe.
OPDEBUG_API OverflowChains chains_of(const std::vector<ScanItem>& items);

}  // namespace v0
}  // namespace opdebug
