// Which launches of a profiler's traces can be the task that overflowed, and which calls of the host are behind them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include <opdebug/api_ties.hpp>

#include "api_ties/trace.hpp"

namespace opdebug::api_ties {

/// Code of the remark on a trace that was used for no overflow. One trace may be given for the dumps of several hosts:
/// its message is made of the trace's path and rank alone, so that it is the same in each tie of the same trace.
constexpr std::string_view kTraceUnused = "trace_unused";

/// What the traces say of one overflow.
struct CallsBehind {
    std::vector<HostCall> calls;                  ///< calls that may have launched the task
    ApiTieLevel best = ApiTieLevel::exact;        ///< no tie to one of them is surer
    std::string doubts;                           ///< why: parts of a sentence, each with "; " in front
    std::optional<std::uint64_t> rank_of_device;  ///< a trace of this rank was taken for that of the overflow's device

    /// One more reason why a tie is at most of this level; each is told once.
    void doubt(ApiTieLevel most, const std::string& words);
};

class TraceLaunches {
public:
    /// Reads the traces for the tasks of these overflows, each once, however often its path is given. A trace that
    /// cannot be read is left out and told. Error: interrupted.
    static Result<TraceLaunches> read(const std::vector<KernelOverflow>& overflows, const ApiTieOptions& options,
                                      std::vector<Diagnostic>& diagnostics);

    bool has_traces() const noexcept { return !traces_.empty(); }

    CallsBehind of(const KernelOverflow& overflow);

    /// What the traces could not tell.
    std::vector<Diagnostic> diagnostics() const;

private:
    /// The traces that can be of the overflow's place and time.
    struct TracesFor {
        std::vector<const Trace*> sure, doubted;  ///< doubted: of which rank they are, or the overflow, is not known
    };
    TracesFor traces_for(const KernelOverflow& overflow) const;
    void add_launches(const Trace& trace, const KernelOverflow& overflow, CallsBehind& behind);
    std::vector<Launch> launches_of(const Trace& trace, const KernelOverflow& overflow, CallsBehind& behind);

    std::vector<Trace> traces_;
    bool one_place_ = false;                                           ///< all overflows are of one rank or device
    std::map<std::string, std::size_t> other_times_, other_kernels_;   ///< overflows, by trace
    std::map<std::string, std::size_t> unknown_ranks_, without_rank_;  ///< of the trace, of the overflow
    std::set<std::string> used_;                                       ///< traces with an answer
};

}  // namespace opdebug::api_ties
