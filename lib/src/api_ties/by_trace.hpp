// exact: a profiler's trace says which operation of the host launched the task.
#pragma once

#include <utility>
#include <vector>

#include <opdebug/api_ties.hpp>

#include "api_ties/counted_findings.hpp"
#include "api_ties/findings.hpp"
#include "api_ties/fit.hpp"
#include "api_ties/kernel_table.hpp"
#include "api_ties/places.hpp"
#include "api_ties/trace_launches.hpp"

namespace opdebug::api_ties {

class ByTrace {
public:
    /// Reads the traces for the tasks of these overflows. Everything given must outlive this. Error: interrupted.
    static Result<ByTrace> read(const Findings& findings, const std::vector<KernelOverflow>& overflows,
                                const KernelTable& table, const ApiTieOptions& options,
                                std::vector<Diagnostic>& diagnostics);

    /// exact: one launch, one call behind it, and that call the only one of its operation in its step, or no finding.
    /// Where one of these is not certain, the level is a lower one, and the reason says what is not.
    Fits of(const KernelOverflow& overflow, const std::vector<Place>& places);

    /// What the traces could not tell.
    std::vector<Diagnostic> diagnostics() const { return launches_.diagnostics(); }

private:
    ByTrace(const Findings& findings, const KernelTable& table, TraceLaunches launches)
        : findings_(findings), table_(table), launches_(std::move(launches)) {}
    Fit same_count(std::size_t finding, const HostCall& call, const CallsBehind& behind) const;
    void add_without_finding(const HostCall& call, const CallsBehind& behind, const std::vector<Place>& places,
                             Fits& fits) const;
    void add_fits(const HostCall& call, const CallsBehind& behind, const std::vector<Place>& places, Fits& fits) const;

    const Findings& findings_;
    const KernelTable& table_;
    TraceLaunches launches_;
    CountedFindings counted_;
};

}  // namespace opdebug::api_ties
