// From findings and overflows to ties: by a trace, by the operator type, by rank and step alone.
#include <opdebug/api.hpp>

#include <algorithm>
#include <tuple>
#include <utility>

#include <fmt/format.h>

#include "api_ties/by_trace.hpp"
#include "api_ties/findings.hpp"
#include "api_ties/kernel_table.hpp"
#include "remarks/diagnose.hpp"

namespace opdebug::api_ties {
namespace {

/// Stream, task and type as one name: a row of statistic.csv contains all three.
std::string task_name(std::uint64_t stream, std::uint64_t task, const std::string& type) {
    return fmt::format("task {} {} {}", stream, task, plain_name(type));
}

/// Calls whose APIs launch kernels of the overflow's operator type.
class ByType {
public:
    /// The table must outlive this.
    ByType(const ApiReport& report, const KernelTable& table) : table_(table) {
        for (std::size_t i = 0; i < report.findings.size(); ++i) {
            const ApiFinding& finding = report.findings[i];
            std::vector<std::string> names = names_of(call_name_of(finding));
            if (finding.stream_id && finding.task_id) {
                names.push_back(task_name(*finding.stream_id, *finding.task_id, finding.operator_type));
            }
            for (const RankStep& rank_step : rank_steps_of(finding)) {
                for (const std::string& name : names) {
                    findings_.add({rank_step, name}, i, chance_of(finding.verdict));
                }
            }
        }
    }

    /// The calls of the first group of names with any call.
    Fits of(const KernelOverflow& overflow, const std::vector<RankStep>& rank_steps) const {
        Fits fits;
        for (const std::vector<std::string>& group : names_of(overflow)) {
            std::vector<std::pair<RankStep, std::string>> keys;
            for (const std::string& name : group) {
                for (const RankStep& rank_step : rank_steps) {
                    keys.emplace_back(rank_step, name);
                }
            }
            const Candidates candidates = findings_.of(keys);
            if (candidates.empty()) {
                continue;
            }
            LocalizedText because = remarks::phrase("tie.type_fits", {{"type", type_of(overflow)}});
            if (group.front().starts_with("task ")) {
                remarks::append(
                    remarks::phrase("tie.ids_equal", {{"stream", *overflow.stream_id}, {"task", *overflow.task_id}}),
                    because);
            }
            remarks::append(remarks::phrase("tie.calls_that_fit", {{"count", candidates.all}}), because);
            for (const std::size_t finding : candidates.first) {
                fits.list.push_back({ApiTieLevel::type_only, finding, {}, because});
            }
            fits.left_out = candidates.all - candidates.first.size();
            break;
        }
        return fits;
    }

private:
    /// Names of the overflow's possible kernels, from the most to the least specific group. A type of the table and an
    /// equal name have the same weight.
    static std::vector<std::vector<std::string>> names_of(const KernelOverflow& overflow) {
        std::vector<std::vector<std::string>> groups;
        const std::string type = type_of(overflow);
        if (type.empty()) {
            return groups;
        }
        if (overflow.stream_id && overflow.task_id) {
            groups.push_back({task_name(*overflow.stream_id, *overflow.task_id, type)});
        }
        if (const std::string_view family = family_in_kernel(overflow.kernel); !family.empty()) {
            groups.push_back({"family " + plain_name(family)});
        }
        groups.push_back({"type " + type, "name " + plain_name(type)});
        return groups;
    }

    /// The default type of a backward is {type}Grad, unless the table has another: this is how CANN names them
    /// (inferred from ReluGrad, GeluGrad, SigmoidGrad, ...).
    std::vector<std::string> names_of(const CallName& call) const {
        if (call.is_kernel) {
            return {"type " + call.function};
        }
        std::vector<std::string> names;
        const std::string name = plain_name(call.function) + (call.is_backward ? "grad" : "");
        if (!call.function.empty()) {
            names = {"name " + name, "family " + name};
        }
        if (call.is_backward) {
            names.push_back("family " + plain_name(call.function) + "backward");
        }
        if (const ApiKernels* const row = table_.row_of(call.function)) {
            for (const std::string& type : call.is_backward ? row->backward : row->forward) {
                names.push_back("type " + type);
            }
        }
        return names;
    }

    const KernelTable& table_;
    FindingMap<std::pair<RankStep, std::string>> findings_;
};

FindingMap<RankStep> findings_by_rank(const ApiReport& report) {
    FindingMap<RankStep> findings;
    for (std::size_t i = 0; i < report.findings.size(); ++i) {
        for (const RankStep& rank_step : rank_steps_of(report.findings[i])) {
            findings.add(rank_step, i, chance_of(report.findings[i].verdict));
        }
    }
    return findings;
}

/// Calls of the same rank and step.
Fits fits_of_rank(const Candidates& candidates) {
    Fits fits;
    for (const std::size_t finding : candidates.first) {
        fits.list.push_back({ApiTieLevel::rank_or_device_only, finding, {}, remarks::phrase("tie.only_place")});
    }
    fits.left_out = candidates.all - candidates.first.size();
    return fits;
}

/// Findings of the trace are first and not repeated.
void add_others(Fits&& others, Fits& fits) {
    for (Fit& other : others.list) {
        const bool is_known = std::any_of(fits.list.begin(), fits.list.end(),
                                          [&other](const Fit& fit) { return fit.finding == other.finding; });
        if (!is_known && fits.list.size() < kMostTies) {
            fits.list.push_back(std::move(other));
        } else if (!is_known) {
            ++fits.left_out;
        }
    }
    fits.left_out += others.left_out;
}

ApiTie tie_of(std::size_t index, Fit&& fit, const KernelOverflow& overflow, const ApiReport& report,
              RankMatcher& ranks) {
    ApiTie tie{fit.level, index, fit.finding, std::move(fit.api), {}};
    LocalizedText because = std::move(fit.because);
    if (tie.finding) {
        tie.api = report.findings[*tie.finding].api;
        remarks::append(ranks.assume(overflow, report.findings[*tie.finding]), because);
    }
    if (fit.takes_profiler_step) {
        ranks.assume_profiler_steps();
    }
    if (fit.rank_of_device && overflow.device_id) {
        const LocalizedText words = ranks.assume_rank(*overflow.device_id, *fit.rank_of_device);
        if (because.en.find(words.en) == std::string::npos) {
            remarks::append(words, because);
        }
    }
    tie.because = std::move(because.en);
    tie.because_zh = std::move(because.zh);
    return tie;
}

Result<ApiTies> tie_findings(const ApiReport& report, const std::vector<KernelOverflow>& overflows,
                             const ApiTieOptions& options) {
    ApiTies ties;
    const KernelTable table;
    RankMatcher ranks(report, overflows);
    Result<ByTrace> by_trace = ByTrace::read(report, overflows, table, options, ties.diagnostics);
    if (!by_trace) {
        return std::move(by_trace).error();
    }
    const ByType by_type(report, table);
    const FindingMap<RankStep> by_rank = findings_by_rank(report);
    std::size_t left_out = 0, incomplete = 0;
    for (std::size_t i = 0; i < overflows.size(); ++i) {
        if (options.stop && options.stop()) {
            return Error{ErrorCode::interrupted, "stopped before the overflows were tied", {}, std::nullopt};
        }
        const std::vector<RankStep> rank_steps = ranks.rank_steps_of(overflows[i]);
        Fits fits = by_trace->of(overflows[i], rank_steps);
        if (!fits.is_certain) {
            add_others(by_type.of(overflows[i], rank_steps), fits);
        }
        if (fits.list.empty()) {
            fits = fits_of_rank(by_rank.of(rank_steps));
        }
        for (Fit& fit : fits.list) {
            ties.ties.push_back(tie_of(i, std::move(fit), overflows[i], report, ranks));
        }
        left_out += fits.left_out;
        incomplete += fits.left_out != 0 ? 1U : 0U;
    }
    std::stable_sort(ties.ties.begin(), ties.ties.end(), [](const ApiTie& left, const ApiTie& right) {
        return std::tie(left.overflow, left.level, left.finding) < std::tie(right.overflow, right.level, right.finding);
    });
    for (const std::vector<Diagnostic>& more : {by_trace->diagnostics(), ranks.diagnostics()}) {
        ties.diagnostics.insert(ties.diagnostics.end(), more.begin(), more.end());
    }
    if (left_out != 0) {
        ties.diagnostics.push_back(remarks::diagnose("ties_left_out", {{"count", incomplete}, {"left", left_out}}));
    }
    return ties;
}

}  // namespace
}  // namespace opdebug::api_ties

namespace opdebug {
inline namespace v0 {

Result<ApiTies> tie_api_findings(const ApiReport& report, const std::vector<KernelOverflow>& overflows,
                                 const ApiTieOptions& options) {
    return overflows.empty() && options.traces.empty() ? ApiTies() : api_ties::tie_findings(report, overflows, options);
}

std::string_view to_string(ApiTieLevel level) noexcept {
    constexpr std::string_view kNames[] = {"exact", "type_only", "rank_or_device_only"};
    return kNames[static_cast<std::size_t>(level)];
}

}  // namespace v0
}  // namespace opdebug
