// Ties by a profiler's trace, which contains the host operation that launched the overflowed task.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "api_ties/findings.hpp"
#include "api_ties/kernel_table.hpp"
#include "api_ties/trace.hpp"

namespace opdebug::api_ties {

/// Code of the diagnostic on an unused trace. One trace may serve the dumps of several hosts. The message contains only
/// the trace's path and rank, so it is equal in each tie.
constexpr std::string_view kTraceUnused = "trace_unused";

class ByTrace {
public:
    /// Reads the traces for the tasks of these overflows, each once. Skips and reports unreadable traces. Report and
    /// table must outlive this. Error: interrupted.
    static Result<ByTrace> read(const ApiReport& report, const std::vector<KernelOverflow>& overflows,
                                const KernelTable& table, const ApiTieOptions& options,
                                std::vector<Diagnostic>& diagnostics);

    /// exact: one launch with one call, which is the only one of its operation in its step. Otherwise type_only, with
    /// the doubts as reason.
    Fits of(const KernelOverflow& overflow, const std::vector<RankStep>& rank_steps);

    /// Traces that contradict overflows, or have no answer.
    std::vector<Diagnostic> diagnostics() const;

private:
    /// Facts of the traces about one overflow.
    struct Launching {
        std::vector<HostCall> calls;
        LocalizedText doubts;                         ///< parts of a sentence, each with a leading "; "
        std::optional<std::uint64_t> rank_of_device;  ///< rank of a trace, assumed for the overflow's device
        std::vector<std::string> of_other_time;       ///< traces in which the task ran at other times

        void doubt(const LocalizedText& words);
        bool is_certain() const noexcept { return doubts.en.empty() && !rank_of_device; }
    };
    using Key = std::tuple<RankStep, std::string, bool>;  ///< function, is_backward

    ByTrace(const ApiReport& report, const KernelTable& table) : report_(report), table_(table) {}

    Launching launching_calls(const KernelOverflow& overflow);
    void add_calls(const Trace& trace, const KernelOverflow& overflow, Launching& launching);
    std::vector<Launch> launches_of(const Trace& trace, const KernelOverflow& overflow, Launching& launching);
    Candidates findings_of(const HostCall& call, const std::vector<RankStep>& rank_steps) const;
    void add_fits(const HostCall& call, const Launching& launching, const std::vector<RankStep>& rank_steps,
                  Fits& fits) const;

    const ApiReport& report_;
    const KernelTable& table_;
    FindingMap<Key> findings_;
    std::vector<Trace> traces_;
    bool is_one_rank_ = false;                                      ///< all overflows are of one rank or device
    std::set<std::string> used_;                                    ///< traces with an answer
    std::map<std::string, std::size_t> other_time_, other_kernel_;  ///< overflows that contradict a trace
};

}  // namespace opdebug::api_ties
