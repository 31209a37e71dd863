// One timeline of calls and dumps for each step and rank.
#include <algorithm>
#include <map>
#include <tuple>

#include "bytes/unknown_last.hpp"
#include "report/scan/scan_api.hpp"

namespace opdebug::report {
namespace {

using bytes::unknown_last;
using OptionalId = std::optional<std::uint64_t>;

/// Of step and rank.
using RankStepKey = std::tuple<std::tuple<bool, std::uint64_t>, std::tuple<bool, std::uint64_t>>;

RankStepKey key_of(const OptionalId& step, const OptionalId& rank) {
    return {unknown_last(step), unknown_last(rank)};
}

struct RankStep {
    OptionalId step, rank;
    std::vector<std::size_t> findings;        ///< by position
    std::vector<ApiTimelineEntry> overflows;  ///< by time once sorted
};

/// The surest tie to a finding: a trace may name a call that is none, and less sure ties follow it.
std::optional<std::size_t> tie_to_finding(const ApiTimelineEntry& dump, const std::vector<ApiTie>& ties) {
    for (std::size_t i = dump.tie.value_or(ties.size()); i < ties.size() && ties[i].overflow == dump.overflow; ++i) {
        if (ties[i].finding) {
            return i;
        }
    }
    return std::nullopt;
}

/// The call that precedes a dump.
std::optional<std::size_t> call_of(const ApiTimelineEntry& dump, const std::vector<ApiTie>& ties) {
    const std::optional<std::size_t> tie = tie_to_finding(dump, ties);
    if (!tie || ties[*tie].level == ApiTieLevel::rank_or_device_only) {
        return std::nullopt;
    }
    return ties[*tie].finding;
}

ApiTimeline in_order(const RankStep& rank_step, const std::vector<ApiTie>& ties) {
    std::map<std::size_t, std::vector<ApiTimelineEntry>> before, after;
    std::vector<ApiTimelineEntry> waiting;  // dumps whose next tied one was not seen yet
    std::optional<std::size_t> last_call;
    for (const ApiTimelineEntry& dump : rank_step.overflows) {
        const std::optional<std::size_t> call = call_of(dump, ties);
        if (!call) {
            waiting.push_back(dump);
            continue;
        }
        std::vector<ApiTimelineEntry>& earlier = call == last_call ? after[*call] : before[*call];
        earlier.insert(earlier.end(), waiting.begin(), waiting.end());
        waiting.clear();
        after[*call].push_back(dump);
        last_call = call;
    }
    ApiTimeline timeline{rank_step.step, rank_step.rank, {}};
    const auto add = [&timeline](const std::vector<ApiTimelineEntry>& entries) {
        timeline.entries.insert(timeline.entries.end(), entries.begin(), entries.end());
    };
    for (const std::size_t finding : rank_step.findings) {
        add(before[finding]);
        timeline.entries.push_back({finding, std::nullopt, std::nullopt});
        add(after[finding]);
    }
    add(waiting);
    return timeline;
}

}  // namespace

std::vector<ApiTimeline> api_timeline_of(const ApiReport& report, const std::vector<KernelOverflow>& overflows,
                                         const std::vector<ApiTie>& ties) {
    std::map<RankStepKey, RankStep> rank_steps;
    const auto at = [&rank_steps](const OptionalId& step, const OptionalId& rank) -> RankStep& {
        RankStep& rank_step = rank_steps[key_of(step, rank)];
        rank_step.step = step;
        rank_step.rank = rank;
        return rank_step;
    };
    for (std::size_t i = 0; i < report.findings.size(); ++i) {
        at(report.findings[i].step, report.findings[i].rank).findings.push_back(i);
    }
    std::vector<std::optional<std::size_t>> surest(overflows.size());
    for (std::size_t i = 0; i < ties.size(); ++i) {
        if (!surest[ties[i].overflow]) {
            surest[ties[i].overflow] = i;
        }
    }
    for (std::size_t i = 0; i < overflows.size(); ++i) {
        const ApiTimelineEntry dump{std::nullopt, i, surest[i]};
        const std::optional<std::size_t> tie = tie_to_finding(dump, ties);
        const ApiFinding* const finding = tie ? &report.findings[*ties[*tie].finding] : nullptr;
        RankStep& rank_step =
            finding != nullptr ? at(finding->step, finding->rank) : at(overflows[i].step, overflows[i].rank);
        rank_step.overflows.push_back(dump);
    }
    std::vector<ApiTimeline> timeline;
    for (auto& [key, rank_step] : rank_steps) {
        std::stable_sort(rank_step.overflows.begin(), rank_step.overflows.end(),
                         [&overflows](const ApiTimelineEntry& a, const ApiTimelineEntry& b) {
                             return unknown_last(overflows[*a.overflow].timestamp_us) <
                                    unknown_last(overflows[*b.overflow].timestamp_us);
                         });
        timeline.push_back(in_order(rank_step, ties));
    }
    return timeline;
}

}  // namespace opdebug::report
