// From findings and overflows to ties: the levels are asked from the surest down, and the first that answers counts.
#include "api_ties/ties.hpp"

#include <algorithm>
#include <tuple>
#include <utility>

#include <fmt/format.h>

#include "api_ties/by_saved_time.hpp"
#include "api_ties/by_task.hpp"
#include "api_ties/by_trace.hpp"
#include "api_ties/by_type.hpp"
#include "api_ties/findings.hpp"
#include "api_ties/fit.hpp"
#include "api_ties/kernel_table.hpp"
#include "api_ties/places.hpp"
#include "bytes/counted.hpp"

namespace opdebug::api_ties {
namespace {

/// The levels, from the surest down: the first that answers for an overflow counts.
class Levels {
public:
    Levels(const Findings& findings, const std::vector<KernelOverflow>& overflows, const Places& places,
           const KernelTable& table, const std::vector<bool>& lacking, ByTrace& by_trace)
        : findings_(findings),
          by_trace_(by_trace),
          by_task_(findings),
          by_saved_time_(findings),
          by_type_(findings, overflows, places, table, lacking) {}

    Fits of(std::size_t index, const KernelOverflow& overflow, const std::vector<Place>& places) const {
        Fits fits = by_trace_.of(overflow, places);
        if (!fits.told.empty() && fits.is_whole) {
            return fits;
        }
        Fits others = without_trace(index, overflow, places);
        const bool is_place_alone =
            !others.told.empty() && others.told.front().level == ApiTieLevel::rank_or_device_only;
        if (!fits.told.empty() && is_place_alone) {
            return fits;  // the trace has said more
        }
        add_others(std::move(others), fits);
        return fits;
    }

private:
    /// To a finding that the trace names its tie is told: what is doubted of it is known then.
    static void add_others(Fits&& others, Fits& fits) {
        for (Fit& other : others.told) {
            const bool is_told = std::any_of(fits.told.begin(), fits.told.end(),
                                             [&other](const Fit& fit) { return fit.finding == other.finding; });
            if (!is_told) {
                fits.told.push_back(std::move(other));
            }
        }
        fits.left_out += others.left_out;
    }

    Fits without_trace(std::size_t index, const KernelOverflow& overflow, const std::vector<Place>& places) const {
        Fits fits = timed(overflow, places);
        if (fits.told.empty()) {
            fits = by_type_.of(index);
        }
        if (fits.told.empty()) {
            fits = by_place(overflow, places);
        }
        return fits;
    }

    Fits by_place(const KernelOverflow& overflow, const std::vector<Place>& places) const {
        Fits fits;
        for (const std::size_t finding : findings_.of(places, kMostTies, fits.left_out)) {
            const std::string doubt = contradicting_time(overflow, findings_.report().findings[finding]);
            fits.told.push_back({ApiTieLevel::rank_or_device_only,
                                 finding,
                                 {},
                                 "nothing but the place fits" + (doubt.empty() ? doubt : "; " + doubt)});
        }
        return fits;
    }

    /// Ids and times; ids without times only where the saved values say nothing.
    Fits timed(const KernelOverflow& overflow, const std::vector<Place>& places) const {
        Fits by_ids = by_task_.of(overflow, places);
        const bool is_near = !by_ids.told.empty() && by_ids.told.front().level == ApiTieLevel::same_run_time;
        Fits by_time = is_near ? Fits() : by_saved_time_.of(overflow, places);
        return by_time.told.empty() ? by_ids : by_time;
    }

    const Findings& findings_;
    ByTrace& by_trace_;
    ByTask by_task_;
    BySavedTime by_saved_time_;
    ByType by_type_;
};

ApiTie tie_of(std::size_t index, Fit&& fit, const KernelOverflow& overflow, const ApiReport& report, Places& places) {
    ApiTie tie{fit.level, index, fit.finding, std::move(fit.api), std::move(fit.because)};
    if (tie.finding) {
        tie.api = report.findings[*tie.finding].api;
        tie.because += places.assumed(overflow, report.findings[*tie.finding]);
    }
    if (fit.takes_profiler_step) {
        places.assume_profiler_steps();
    }
    if (fit.rank_of_device && overflow.device_id) {
        const std::string words = places.assumed_rank(*overflow.device_id, *fit.rank_of_device);
        if (tie.because.find(words) == std::string::npos) {
            tie.because += words;
        }
    }
    return tie;
}

void sort_ties(std::vector<ApiTie>& ties) {
    std::stable_sort(ties.begin(), ties.end(), [](const ApiTie& left, const ApiTie& right) {
        return std::tie(left.overflow, left.level, left.finding) < std::tie(right.overflow, right.level, right.finding);
    });
}

}  // namespace

Result<ApiTies> tie_findings(const ApiReport& report, const std::vector<KernelOverflow>& overflows,
                             const ApiTieOptions& options, const std::vector<bool>& lacking) {
    ApiTies ties;
    if (overflows.empty() && options.traces.empty()) {
        return ties;
    }
    const KernelTable table;
    const Findings findings(report);
    Places places(report, overflows);
    Result<ByTrace> by_trace = ByTrace::read(findings, overflows, table, options, ties.diagnostics);
    if (!by_trace) {
        return std::move(by_trace).error();
    }
    const Levels levels(findings, overflows, places, table, lacking, *by_trace);
    std::size_t left_out = 0, incomplete = 0;
    for (std::size_t i = 0; i < overflows.size(); ++i) {
        if (options.stop && options.stop()) {
            return Error{ErrorCode::interrupted, "stopped before the overflows were tied", {}, std::nullopt};
        }
        Fits fits = levels.of(i, overflows[i], places.places_of(overflows[i]));
        for (Fit& fit : fits.told) {
            ties.ties.push_back(tie_of(i, std::move(fit), overflows[i], report, places));
        }
        left_out += fits.left_out;
        incomplete += fits.left_out != 0 ? 1U : 0U;
    }
    sort_ties(ties.ties);
    for (const std::vector<Diagnostic>& told : {by_trace->diagnostics(), places.diagnostics()}) {
        ties.diagnostics.insert(ties.diagnostics.end(), told.begin(), told.end());
    }
    if (left_out != 0) {
        ties.diagnostics.push_back(
            {Severity::info, "ties_left_out",
             fmt::format("{} {} more ties of one level than are listed; {} {} left out",
                         bytes::counted(incomplete, "overflow dump"), incomplete == 1 ? "has" : "have",
                         bytes::counted(left_out, "tie"), bytes::is_or_are(left_out))});
    }
    return ties;
}

}  // namespace opdebug::api_ties

namespace opdebug {
inline namespace v0 {

Result<ApiTies> tie_api_findings(const ApiReport& report, const std::vector<KernelOverflow>& overflows,
                                 const ApiTieOptions& options) {
    return api_ties::tie_findings(report, overflows, options, {});
}

std::string_view to_string(ApiTieLevel level) noexcept {
    switch (level) {
        case ApiTieLevel::exact: return "exact";
        case ApiTieLevel::same_run_time: return "same_run_time";
        case ApiTieLevel::type_and_order: return "type_and_order";
        case ApiTieLevel::type_only: return "type_only";
        case ApiTieLevel::rank_or_device_only: return "rank_or_device_only";
    }
    return "rank_or_device_only";
}

}  // namespace v0
}  // namespace opdebug
