// From findings and overflows to ties: by a trace, by the operator type, by rank and step alone.
#include <opdebug/api.hpp>

#include <algorithm>
#include <set>
#include <tuple>
#include <unordered_map>
#include <utility>

#include <fmt/format.h>

#include <opdebug/tree.hpp>

#include "api_ties/kernel_table.hpp"
#include "api_ties/trace.hpp"
#include "remarks/diagnose.hpp"

namespace opdebug::api_ties {
namespace {

using Number = std::optional<std::uint64_t>;
using Indices = std::vector<std::size_t>;

/// Maximum number of reported ties of one overflow. More ties would be a list, not an answer.
constexpr std::size_t kMostTies = 5;

/// Whether a kernel may have overflowed in the call. likely: results became bad there. possible: a bad value only
/// passed through, or nothing is known of its inputs. never: the cause is no kernel.
enum class Chance { likely, possible, never };

Chance chance_of(ApiVerdict verdict) {
    switch (verdict) {
        case ApiVerdict::born_here:
        case ApiVerdict::saturated:
        case ApiVerdict::in_collective:
        case ApiVerdict::process: return Chance::likely;
        case ApiVerdict::inherited:
        case ApiVerdict::absorbed:
        case ApiVerdict::unknown: return Chance::possible;
        case ApiVerdict::clean:
        case ApiVerdict::weight:
        case ApiVerdict::deliberate: break;
    }
    return Chance::never;
}

/// A rank, or a device if the folders name devices.
struct Location {
    bool is_device = false;
    Number number;  ///< empty: unknown
};

/// CANN writes statistics to {time}/{device}, without a rank.
Location location_of(const ApiFinding& finding) {
    if (finding.rank || finding.source != ApiSource::statistic_csv) {
        return {false, finding.rank};
    }
    const Number device = parse_path_ids(finding.file).device_id;
    return {device.has_value(), device};
}

/// "linear" of "aten::linear".
std::string_view without_library(std::string_view operation) {
    const std::size_t colons = operation.rfind("::");
    return colons == std::string_view::npos ? operation : operation.substr(colons + 2);
}

LocalizedText shown(const HostCall& call) {
    LocalizedText text{call.operation, call.operation};
    text = call.is_backward && call.is_call ? remarks::phrase("tie.backward", {{"call", text}}) : text;
    return call.step ? remarks::phrase("tie.in_step", {{"call", text}, {"step", *call.step}}) : text;
}

/// The findings by the names of their calls and kernels, on a rank or device.
class FindingsByName {
public:
    /// All calls in which a kernel can have overflowed.
    static constexpr std::string_view kAny = "any";

    FindingsByName(const ApiReport& report, const KernelTable& table) : report_(report) {
        for (std::size_t i = 0; i < report.findings.size(); ++i) {
            const ApiFinding& finding = report.findings[i];
            const CallName call = call_name_of(finding);
            if (!call.is_module && !call.is_kernel) {
                add(operation_name(call.function, call.is_backward), i);
            }
            if (chance_of(finding.verdict) == Chance::never) {
                continue;
            }
            add(kAny, i);
            for (const std::string& name : kernel_names_of(call, table)) {
                add(name, i);
            }
            if (finding.stream_id && finding.task_id) {
                add(task_name(*finding.stream_id, *finding.task_id, finding.operator_type), i);
            }
        }
    }

    /// The findings with one of the names in one of the locations, by index. Steps are compared where both are known.
    Indices find(const std::vector<std::string>& names, const std::vector<Location>& locations,
                 std::initializer_list<Number> steps) const {
        Indices all;
        for (const std::string& name : names) {
            for (const Location& location : locations) {
                const auto list = by_name_.find(key_of(name, location));
                for (const std::size_t i : list == by_name_.end() ? Indices() : list->second) {
                    const Number& own = report_.findings[i].step;
                    if (std::all_of(steps.begin(), steps.end(),
                                    [&own](const Number& step) { return !own || !step || *own == *step; })) {
                        all.push_back(i);
                    }
                }
            }
        }
        std::sort(all.begin(), all.end());
        all.erase(std::unique(all.begin(), all.end()), all.end());
        return all;
    }

    /// The likely ones; if there are none, all.
    Indices likely(Indices all) const {
        const auto is_likely = [this](std::size_t i) {
            return chance_of(report_.findings[i].verdict) == Chance::likely;
        };
        if (std::any_of(all.begin(), all.end(), is_likely)) {
            std::erase_if(all, [&](std::size_t i) { return !is_likely(i); });
        }
        return all;
    }

private:
    static std::string key_of(std::string_view name, const Location& location) {
        return fmt::format("{} {} {}", location.is_device ? "device" : "rank",
                           location.number ? std::to_string(*location.number) : "-", name);
    }
    void add(std::string_view name, std::size_t finding) {
        by_name_[key_of(name, location_of(report_.findings[finding]))].push_back(finding);
    }

    const ApiReport& report_;
    std::unordered_map<std::string, Indices> by_name_;
};

/// Compares ranks of both sides, and records the assumptions.
class RankMatcher {
public:
    RankMatcher(const ApiReport& report, const std::vector<KernelOverflow>& overflows) {
        std::set<std::tuple<bool, Number, Number>> of_findings;
        std::set<std::pair<Number, Number>> of_overflows;
        bool any_unnumbered = false;
        for (const ApiFinding& finding : report.findings) {
            const Location location = location_of(finding);
            of_findings.insert({location.is_device, location.number, finding.rank ? std::nullopt : finding.process});
            any_unnumbered = any_unnumbered || !location.number;
        }
        for (const KernelOverflow& overflow : overflows) {
            of_overflows.insert({overflow.rank, overflow.rank ? std::nullopt : overflow.device_id});
        }
        if (of_findings.size() == 1) {
            only_finding_ = location_of(report.findings.front());
        }
        is_one_overflow_rank_ = of_overflows.size() == 1;
        has_unknown_ranks_ = any_unnumbered && !(only_finding_ && is_one_overflow_rank_);
    }

    /// Possible locations of an overflow's findings; empty: unknown.
    std::vector<Location> locations_of(const KernelOverflow& overflow) const {
        if (!overflow.rank && !overflow.device_id) {
            return only_finding_ ? std::vector{*only_finding_} : std::vector<Location>();
        }
        std::vector<Location> locations{{false, overflow.rank ? overflow.rank : overflow.device_id},
                                        {true, overflow.device_id ? overflow.device_id : overflow.rank}};
        if (is_one_overflow_rank_ && only_finding_ && !only_finding_->number) {
            locations.push_back(*only_finding_);
        }
        return locations;
    }

    /// The assumptions of a tie between them, as parts of a sentence that begin with "; "; often empty.
    LocalizedText assume(const KernelOverflow& overflow, const ApiFinding& finding) {
        const Location location = location_of(finding);
        const Number& same_kind = location.is_device ? overflow.device_id : overflow.rank;
        const Number& other_kind = location.is_device ? overflow.rank : overflow.device_id;
        assumes_steps_ = assumes_steps_ || (overflow.step && finding.step);
        if (!location.number || (!same_kind && !other_kind)) {
            assumes_process_ = true;
            return remarks::phrase("tie.one_place");
        }
        return same_kind ? LocalizedText() : assume_rank(*other_kind, *location.number);
    }

    /// Assumes that a trace of that rank is the trace of the device.
    LocalizedText assume_rank(std::uint64_t device, std::uint64_t rank) {
        ranks_of_devices_.emplace(rank, device);
        return remarks::phrase("tie.assumed_rank", {{"device", device}, {"rank", rank}});
    }

    /// Assumes that ProfilerStep#N is step N of the dumps.
    void assume_profiler_steps() noexcept { assumes_profiler_steps_ = true; }

    /// The assumptions so far, once for each pair of rank and device.
    std::vector<Diagnostic> diagnostics() const {
        std::vector<Diagnostic> diagnostics;
        for (const auto& [rank, device] : ranks_of_devices_) {
            diagnostics.push_back(remarks::diagnose("device_rank_assumed", {{"device", device}, {"rank", rank}}));
        }
        for (const auto& [is_assumed, id] :
             {std::pair(assumes_steps_, "steps_assumed"), std::pair(assumes_profiler_steps_, "steps_assumed.profiler"),
              std::pair(assumes_process_, "place_assumed"), std::pair(has_unknown_ranks_, "rank_unknown")}) {
            if (is_assumed) {
                diagnostics.push_back(remarks::diagnose(id));
            }
        }
        return diagnostics;
    }

private:
    std::optional<Location> only_finding_;  ///< the only rank, device or process of the findings
    bool is_one_overflow_rank_ = false;
    bool has_unknown_ranks_ = false;  ///< findings without a rank, and overflows of several devices
    bool assumes_steps_ = false, assumes_profiler_steps_ = false, assumes_process_ = false;
    std::set<std::pair<std::uint64_t, std::uint64_t>> ranks_of_devices_;  ///< rank, device
};

/// Adds the ties of one overflow after the other.
class TieMaker {
public:
    TieMaker(const ApiReport& report, const std::vector<KernelOverflow>& overflows, Traces& traces)
        : report_(report), traces_(traces), findings_(report, table_), ranks_(report, overflows) {}

    void add(std::size_t index, const KernelOverflow& overflow) {
        begin_ = ties_.ties.size();
        left_out_ = 0;
        index_ = index;
        overflow_ = &overflow;
        locations_ = ranks_.locations_of(overflow);
        if (!tie_by_trace()) {
            tie_by_type();
        }
        if (ties_.ties.size() == begin_) {
            const Indices of_rank =
                findings_.likely(findings_.find({std::string(FindingsByName::kAny)}, locations_, {overflow.step}));
            for (const std::size_t finding : of_rank) {
                add_tie(ApiTieLevel::rank_or_device_only, finding, remarks::phrase("tie.only_place"));
            }
        }
        all_left_out_ += left_out_;
        incomplete_ += left_out_ != 0 ? 1U : 0U;
    }

    ApiTies take() {
        std::stable_sort(ties_.ties.begin(), ties_.ties.end(), [](const ApiTie& left, const ApiTie& right) {
            return std::tie(left.overflow, left.level, left.finding) <
                   std::tie(right.overflow, right.level, right.finding);
        });
        for (const std::vector<Diagnostic>& more : {traces_.diagnostics(), ranks_.diagnostics()}) {
            ties_.diagnostics.insert(ties_.diagnostics.end(), more.begin(), more.end());
        }
        if (all_left_out_ != 0) {
            ties_.diagnostics.push_back(
                remarks::diagnose("ties_left_out", {{"count", incomplete_}, {"left", all_left_out_}}));
        }
        return std::move(ties_);
    }

private:
    /// Adds a tie with a finding, or with the call of a trace. The first tie with a finding counts.
    void add_tie(ApiTieLevel level, std::optional<std::size_t> finding, LocalizedText because,
                 const HostCall* call = nullptr, const Number& rank_of_device = std::nullopt) {
        const auto own = ties_.ties.begin() + static_cast<std::ptrdiff_t>(begin_);
        if (finding &&
            std::any_of(own, ties_.ties.end(), [&finding](const ApiTie& tie) { return tie.finding == finding; })) {
            return;
        }
        if (ties_.ties.size() - begin_ == kMostTies) {
            ++left_out_;
            return;
        }
        if (finding) {
            remarks::append(ranks_.assume(*overflow_, report_.findings[*finding]), because);
        }
        if (call != nullptr && call->is_call && call->step) {
            ranks_.assume_profiler_steps();
        }
        if (rank_of_device && overflow_->device_id) {
            const LocalizedText words = ranks_.assume_rank(*overflow_->device_id, *rank_of_device);
            if (because.en.find(words.en) == std::string::npos) {
                remarks::append(words, because);
            }
        }
        const std::string name = finding           ? report_.findings[*finding].api
                                 : call != nullptr ? call->operation
                                                   : std::string();
        ties_.ties.push_back({level, index_, finding, name, std::move(because.en), std::move(because.zh)});
    }

    /// Returns whether the trace names one operation, and findings match it.
    bool tie_by_trace() {
        const Launching launching = traces_.launching_of(*overflow_);
        bool is_certain = launching.is_certain();
        for (const HostCall& call : launching.calls) {
            is_certain = tie_by_call(call, launching) && is_certain;
        }
        return is_certain;
    }

    /// exact: one launch with one call, which is the only one of its operation in its step. Otherwise type_only, with
    /// the doubts as reason. Returns whether findings match.
    bool tie_by_call(const HostCall& call, const Launching& launching) {
        const std::string_view operation = without_library(call.operation);
        std::vector<std::string> names;
        for (const std::string_view api : call.is_call ? table_.apis_of(operation) : std::vector<std::string_view>()) {
            names.push_back(operation_name(api, call.is_backward));
        }
        const Indices findings = findings_.find(names, locations_, {overflow_->step, call.step});
        LocalizedText because = remarks::phrase("tie.launched", {{"call", shown(call)}, {"doubts", launching.doubts}});
        bool is_certain = launching.is_certain();
        const auto level = [](bool is_exact) { return is_exact ? ApiTieLevel::exact : ApiTieLevel::type_only; };
        const auto doubt = [&](bool is_doubtful, std::string_view id, std::uint64_t count = 0) {
            is_certain = is_certain && !is_doubtful;
            if (is_doubtful) {
                append_part(remarks::phrase(id, {{"count", count}}), because);
            }
        };
        if (call.is_call && call.step) {
            remarks::append(remarks::phrase("tie.profiler_step", {{"step", *call.step}}), because);
        }
        if (findings.empty()) {
            remarks::append(remarks::phrase(call.is_call ? "tie.no_finding" : "tie.no_call"), because);
            add_tie(level(is_certain), std::nullopt, because, &call, launching.rank_of_device);
            return false;
        }
        doubt(findings.size() > 1, "tie_doubt.fitting_calls", findings.size());
        doubt(!call.step, "tie_doubt.no_step");
        doubt(call.of_its_name > 1, "tie_doubt.such_operations", call.of_its_name);
        doubt(!table_.has_only_api(operation), "tie_doubt.other_apis");
        bool are_counted = true;
        for (const std::size_t finding : findings) {
            // Operations without a dumped call only increase their number in the trace.
            const bool is_counted = call_name_of(report_.findings[finding]).count.value_or(0) < call.of_its_name;
            const bool is_exact = is_certain && is_counted && report_.findings[finding].step.has_value();
            are_counted = are_counted && is_counted;
            LocalizedText reason = because;
            if (!is_counted) {
                append_part(remarks::phrase("tie_doubt.more_calls"), reason);
            }
            add_tie(level(is_exact), finding, std::move(reason), &call, launching.rank_of_device);
        }
        return are_counted;
    }

    /// Calls whose APIs launch kernels of the overflow's operator type: those of the first group of names with any.
    void tie_by_type() {
        for (const std::vector<std::string>& group : kernel_names_of(*overflow_)) {
            const Indices findings = findings_.likely(findings_.find(group, locations_, {overflow_->step}));
            if (findings.empty()) {
                continue;
            }
            LocalizedText because = remarks::phrase("tie.type_fits", {{"type", type_of(*overflow_)}});
            if (group.front().starts_with("task ")) {
                remarks::append(remarks::phrase("tie.ids_equal",
                                                {{"stream", *overflow_->stream_id}, {"task", *overflow_->task_id}}),
                                because);
            }
            remarks::append(remarks::phrase("tie.calls_that_fit", {{"count", findings.size()}}), because);
            for (const std::size_t finding : findings) {
                add_tie(ApiTieLevel::type_only, finding, because);
            }
            return;
        }
    }

    const ApiReport& report_;
    Traces& traces_;
    KernelTable table_;
    FindingsByName findings_;
    RankMatcher ranks_;
    ApiTies ties_;
    std::size_t all_left_out_ = 0, incomplete_ = 0;
    // Of the present overflow.
    std::size_t begin_ = 0, left_out_ = 0, index_ = 0;
    const KernelOverflow* overflow_ = nullptr;
    std::vector<Location> locations_;
};

}  // namespace
}  // namespace opdebug::api_ties

namespace opdebug {
inline namespace v0 {

Result<ApiTies> tie_api_findings(const ApiReport& report, const std::vector<KernelOverflow>& overflows,
                                 const ApiTieOptions& options) {
    if (overflows.empty() && options.traces.empty()) {
        return ApiTies();
    }
    std::vector<Diagnostic> unread;
    Result<api_ties::Traces> traces = api_ties::Traces::read(overflows, options, unread);
    if (!traces) {
        return std::move(traces).error();
    }
    api_ties::TieMaker maker(report, overflows, *traces);
    for (std::size_t i = 0; i < overflows.size(); ++i) {
        if (options.stop && options.stop()) {
            return Error{ErrorCode::interrupted, "stopped before the overflows were tied", {}, std::nullopt};
        }
        maker.add(i, overflows[i]);
    }
    ApiTies ties = maker.take();
    ties.diagnostics.insert(ties.diagnostics.begin(), unread.begin(), unread.end());
    return ties;
}

std::string_view to_string(ApiTieLevel level) noexcept {
    constexpr std::string_view kNames[] = {"exact", "type_only", "rank_or_device_only"};
    return kNames[static_cast<std::size_t>(level)];
}

}  // namespace v0
}  // namespace opdebug
