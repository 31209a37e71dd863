#include "api_ties/by_trace.hpp"

#include <algorithm>
#include <optional>
#include <string>

#include <fmt/format.h>

namespace opdebug::api_ties {
namespace {

std::string named(const HostCall& call) {
    const std::string phase = call.is_backward && call.is_call ? "the backward of " : "";
    if (!call.is_call) {
        return phase + call.operation;
    }
    const std::string where = call.step ? fmt::format("step {}", *call.step) : std::string("the trace");
    return fmt::format("{}{}, call {} of it in {} (from 0)", phase, call.operation, call.nth, where);
}

std::string reason(const HostCall& call, const CallsBehind& behind) {
    const std::string step = call.step && call.is_call
                                 ? fmt::format("; ProfilerStep#{0} is taken for step {0} of the dumps", *call.step)
                                 : "";
    return fmt::format("the trace says that {} launched the task{}{}", named(call), behind.doubts, step);
}

void leave_out_repeated(std::vector<Fit>& fits) {
    const auto is_same = [](const Fit& left, const Fit& right) {
        return left.finding == right.finding && left.api == right.api;
    };
    std::vector<Fit> told;
    for (Fit& fit : fits) {
        if (std::none_of(told.begin(), told.end(), [&](const Fit& other) { return is_same(fit, other); })) {
            told.push_back(std::move(fit));
        }
    }
    fits = std::move(told);
}

}  // namespace

Result<ByTrace> ByTrace::read(const Findings& findings, const std::vector<KernelOverflow>& overflows,
                              const KernelTable& table, const ApiTieOptions& options,
                              std::vector<Diagnostic>& diagnostics) {
    Result<TraceLaunches> launches = TraceLaunches::read(overflows, options, diagnostics);
    if (!launches) {
        return std::move(launches).error();
    }
    ByTrace traces(findings, table, std::move(*launches));
    if (traces.launches_.has_traces()) {
        traces.counted_ = CountedFindings(findings);
    }
    return traces;
}

/// Equal counts alone do not prove the same call: calls inside of dumped ones are not dumped, and a dump may begin
/// within a step. How many calls of the API the dump holds is not known here: findings are only those that went bad.
/// So the call is certain only where the step has a single such operation.
Fit ByTrace::same_count(std::size_t finding, const HostCall& call, const CallsBehind& behind) const {
    const bool steps_agree = call.step && findings_.report().findings[finding].step;
    const bool only_api = table_.has_only_api(without_library(call.operation));
    const bool is_certain = steps_agree && only_api && call.of_its_name == 1;
    std::string words = steps_agree ? "; step and count of the call are the same"
                                    : "; the count of the call is the same, of the step it is not known";
    if (!only_api) {
        words += "; calls of other APIs may count as the same operation";
    }
    if (call.of_its_name == 1) {
        words += call.step ? "; the step has no other such operation" : "";
    } else {
        words += fmt::format(
            "; which of {} such operations it is goes by the count: nested or earlier calls, which are "
            "not dumped, may shift it",
            call.of_its_name);
    }
    return {std::max(behind.best, is_certain ? ApiTieLevel::exact : ApiTieLevel::type_and_order),
            finding,
            {},
            reason(call, behind) + words};
}

/// Nothing says that the profiler counts its steps as the dumps do, or where it began. Only where the dumps have a
/// finding of that step, too, it means something that they have none of the call.
void ByTrace::add_without_finding(const HostCall& call, const CallsBehind& behind, const std::vector<Place>& places,
                                  Fits& fits) const {
    const bool is_comparable = call.is_call && call.step && findings_.has_step(places, *call.step);
    std::string words = "; no finding has this step and count";
    if (!call.is_call) {
        words = "; which call of the program made it is not in the trace";
    } else if (places.empty()) {
        words = "; its call cannot be compared with the dumps";
    } else if (!is_comparable) {
        words = call.step ? "; the dumps have no finding of this step, or count their steps in another way"
                          : "; without steps in the trace its calls cannot be compared with the dumps";
    }
    fits.told.push_back({behind.best, std::nullopt, call.operation, reason(call, behind) + words});
    fits.is_whole = fits.is_whole && is_comparable;
}

/// A call has never a smaller number among operations than among calls of its API that were dumped: operations that no
/// dumped call made, and calls inside of others, only add to it.
void ByTrace::add_fits(const HostCall& call, const CallsBehind& behind, const std::vector<Place>& places,
                       Fits& fits) const {
    const CountedMatch match = call.is_call ? counted_.of(call, places, table_) : CountedMatch();
    const std::string trace = reason(call, behind);
    const FindingList& candidates = match.same.empty() ? match.earlier : match.same;
    if (match.same.size() == 1) {
        fits.told.push_back(same_count(match.same.front(), call, behind));
    } else if (candidates.empty()) {
        add_without_finding(call, behind, places, fits);
    }
    // The latest ones first: the counts differ by what lies between.
    const std::size_t listed = match.same.size() == 1 ? 0 : std::min(kMostTies, candidates.size());
    for (std::size_t i = 0; i < listed; ++i) {
        fits.told.push_back({ApiTieLevel::type_only,
                             candidates[candidates.size() - 1 - i],
                             {},
                             fmt::format("{}; candidates: {}, for counts of operations and of dumped calls may differ",
                                         trace, candidates.size())});
    }
    fits.left_out += match.same.size() == 1 ? 0 : candidates.size() - listed;
}

Fits ByTrace::of(const KernelOverflow& overflow, const std::vector<Place>& places) {
    Fits fits;
    CallsBehind behind = launches_.of(overflow);
    for (const HostCall& call : behind.calls) {
        if (call.step && overflow.step && *call.step != *overflow.step) {
            behind.doubt(ApiTieLevel::type_only, fmt::format("the overflow dump is of step {}, the trace says step {}",
                                                             *overflow.step, *call.step));
            fits.is_whole = false;
        }
    }
    if (!behind.calls.empty() && !overflow.rank && !overflow.device_id) {
        behind.doubt(places.empty() ? ApiTieLevel::type_only : ApiTieLevel::type_and_order,
                     "of which rank the overflow is, is not known");
    }
    fits.is_whole = fits.is_whole && behind.best < ApiTieLevel::type_only;
    for (const HostCall& call : behind.calls) {
        const std::size_t before = fits.told.size();
        add_fits(call, behind, places, fits);
        for (std::size_t i = before; i < fits.told.size(); ++i) {
            fits.told[i].takes_profiler_step = call.is_call && call.step;
            fits.told[i].rank_of_device = behind.rank_of_device;
        }
    }
    leave_out_repeated(fits.told);
    fits.left_out += fits.told.size() - std::min(fits.told.size(), kMostTies);
    fits.told.resize(std::min(fits.told.size(), kMostTies));
    return fits;
}

}  // namespace opdebug::api_ties
