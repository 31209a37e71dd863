// What dumps of API calls and overflow dumps of a report show together: findings, ties between them and overflows, and
// both on one timeline of each step and rank.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include <opdebug/api.hpp>

#include "report/parts/part_lines.hpp"

namespace opdebug::report {

/// A finding, or a dump with its surest tie.
struct ApiTimelineEntry {
    std::optional<std::size_t> finding;   ///< index in the findings of the report
    std::optional<std::size_t> overflow;  ///< index in ScanApi::overflows
    std::optional<std::size_t> tie;       ///< index in ScanApi::ties
};

/// Calls by position, dumps by time. A tied dump follows the call of its surest tie to a finding. Any other dump comes
/// before the call of the next tied dump, between two dumps of one call, or at the end.
struct ApiTimeline {
    std::optional<std::uint64_t> step, rank;
    std::vector<ApiTimelineEntry> entries;
};

struct ScanApi {
    std::shared_ptr<const ApiReport> report;
    std::vector<KernelOverflow> overflows;
    std::vector<ApiTie> ties;
    std::vector<Diagnostic> diagnostics;  ///< of the report, then of the ties
    std::vector<ApiTimeline> timeline;    ///< by step, then rank; unknown ones last
};

/// Of which scan of one machine a part is: the shards of a tree have the same. Without shards each part is a scan.
using ScanKey = std::tuple<std::string, std::string, std::uint64_t>;
ScanKey scan_key_of(const PartName& name);

/// Nothing: no part saw an API dump. Calls and dumps are tied within what one machine scanned at once: shards of a tree
/// belong together, the results of several hosts or scans do not. `is_share`: more parts may come, so a part that lacks
/// the reader of API dumps misses nothing.
std::optional<ScanApi> scan_api_of(const std::vector<PartFacts>& parts, const ApiTieOptions& options, bool is_share);

/// `ties`: by overflow, the surest first.
std::vector<ApiTimeline> api_timeline_of(const ApiReport& report, const std::vector<KernelOverflow>& overflows,
                                         const std::vector<ApiTie>& ties);

}  // namespace opdebug::report
