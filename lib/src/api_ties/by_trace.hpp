// exact: a profiler's trace says which operation of the host launched the task.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <tuple>
#include <vector>

#include <opdebug/api_ties.hpp>

#include "api_ties/findings.hpp"
#include "api_ties/fit.hpp"
#include "api_ties/kernel_table.hpp"
#include "api_ties/places.hpp"
#include "api_ties/trace.hpp"

namespace opdebug::api_ties {

class ByTrace {
public:
    /// Reads the traces for the tasks of these overflows. Everything given must outlive this. Errors: those of a trace.
    static Result<ByTrace> read(const Findings& findings, const std::vector<KernelOverflow>& overflows,
                                const KernelTable& table, const ApiTieOptions& options,
                                std::vector<Diagnostic>& diagnostics);

    /// exact: one launch, one call behind it, one finding of that call, or none of its API. Where one of these is not
    /// certain, the level is a lower one, and the reason says what is not.
    Fits of(const KernelOverflow& overflow, const std::vector<Place>& places);

    /// What the traces could not tell.
    std::vector<Diagnostic> diagnostics() const;

private:
    struct Search {
        std::vector<HostCall> behind;  ///< calls that may have launched the task
        bool is_certain = true;
        std::string doubts;  ///< parts of a sentence, each with "; " in front
    };

    ByTrace(const Findings& findings, const KernelTable& table) : findings_(findings), table_(table) {}
    void index_findings();
    std::vector<const Trace*> traces_for(const KernelOverflow& overflow, Search& search);
    void add_launches(const Trace& trace, const KernelOverflow& overflow, Search& search);
    std::vector<Launch> launches_of(const Trace& trace, const KernelOverflow& overflow, Search& search);
    void add_findings_of(const HostCall& call, const std::vector<Place>& places, FindingList& same,
                         FindingList& earlier) const;
    void add_fits(const HostCall& call, const Search& search, const std::vector<Place>& places, Fits& fits) const;

    const Findings& findings_;
    const KernelTable& table_;
    std::vector<Trace> traces_;
    bool one_place_ = false;  ///< all overflows are of one rank or device
    struct Counted {
        std::uint64_t count = 0;
        std::size_t finding = 0;
        friend bool operator<(const Counted& left, const Counted& right) noexcept {
            return std::tie(left.count, left.finding) < std::tie(right.count, right.finding);
        }
    };
    /// By place, function and whether it is a backward; the calls by their count.
    std::map<std::tuple<Place, std::string, bool>, std::vector<Counted>> calls_;
    std::map<std::string, std::size_t> other_times_, other_kernels_, unknown_ranks_;  ///< overflows, by trace
};

}  // namespace opdebug::api_ties
