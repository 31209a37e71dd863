// From findings and overflows to ties: by a trace, by the operator type, by rank and step alone.
#include <algorithm>
#include <set>
#include <tuple>
#include <unordered_map>
#include <utility>

#include <opdebug/api.hpp>
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

/// How an overflow and a finding belong to one rank. device_as_rank: by the device of one and the rank of the other.
/// only_one: one has neither, and each side has one rank only.
enum class Match { no, same, device_as_rank, only_one };

/// "linear" of "aten::linear".
std::string_view without_library(std::string_view operation) {
    const std::size_t colons = operation.rfind("::");
    return colons == std::string_view::npos ? operation : operation.substr(colons + 2);
}

void append_part(const LocalizedText& words, LocalizedText& text) {
    text.en += "; " + words.en;
    text.zh += "；" + words.zh;
}

LocalizedText shown(const HostCall& call) {
    LocalizedText text{call.operation, call.operation};
    text = call.is_backward && call.is_call ? remarks::phrase("tie.backward", {{"call", text}}) : text;
    return call.step ? remarks::phrase("tie.in_step", {{"call", text}, {"step", *call.step}}) : text;
}

/// Adds the ties of one overflow after the other.
class TieMaker {
public:
    TieMaker(const ApiReport& report, const std::vector<KernelOverflow>& overflows, Traces& traces)
        : report_(report), traces_(traces) {
        std::set<std::tuple<bool, Number, Number>> of_findings;
        std::set<std::pair<Number, Number>> of_overflows;
        bool any_unnumbered = false;
        for (std::size_t i = 0; i < report.findings.size(); ++i) {
            const ApiFinding& finding = report.findings[i];
            locations_.push_back(location_of(finding));
            const Location& location = locations_.back();
            of_findings.insert({location.is_device, location.number, finding.rank ? std::nullopt : finding.process});
            any_unnumbered = any_unnumbered || !location.number;
            add_names(i);
        }
        for (const KernelOverflow& overflow : overflows) {
            of_overflows.insert({overflow.rank, overflow.rank ? std::nullopt : overflow.device_id});
        }
        is_one_finding_place_ = of_findings.size() == 1;
        is_one_overflow_place_ = of_overflows.size() == 1;
        has_unknown_ranks_ = any_unnumbered && !(is_one_finding_place_ && is_one_overflow_place_);
    }

    void add(std::size_t index, const KernelOverflow& overflow) {
        begin_ = ties_.ties.size();
        index_ = index;
        overflow_ = &overflow;
        const std::size_t left_out = left_out_;
        if (!tie_by_trace()) {
            tie_by_type();
        }
        if (ties_.ties.size() == begin_) {
            for (const std::size_t finding : likely(find({kAny}))) {
                add_tie(ApiTieLevel::rank_or_device_only, finding, remarks::phrase("tie.only_place"));
            }
        }
        incomplete_ += left_out_ != left_out ? 1U : 0U;
    }

    ApiTies take() {
        std::stable_sort(ties_.ties.begin(), ties_.ties.end(), [](const ApiTie& left, const ApiTie& right) {
            return std::tie(left.overflow, left.level, left.finding) <
                   std::tie(right.overflow, right.level, right.finding);
        });
        ties_.diagnostics = traces_.unused();
        for (const auto& [rank, device] : ranks_of_devices_) {
            ties_.diagnostics.push_back(remarks::diagnose("device_rank_assumed", {{"device", device}, {"rank", rank}}));
        }
        for (const auto& [is_assumed, id] :
             {std::pair(assumes_steps_, "steps_assumed"), std::pair(assumes_profiler_steps_, "steps_assumed.profiler"),
              std::pair(assumes_process_, "place_assumed"), std::pair(has_unknown_ranks_, "rank_unknown")}) {
            if (is_assumed) {
                ties_.diagnostics.push_back(remarks::diagnose(id));
            }
        }
        if (left_out_ != 0) {
            ties_.diagnostics.push_back(
                remarks::diagnose("ties_left_out", {{"count", incomplete_}, {"left", left_out_}}));
        }
        return std::move(ties_);
    }

private:
    /// The name of all calls in which a kernel can have overflowed.
    static constexpr const char* kAny = "any";

    void add_names(std::size_t index) {
        const ApiFinding& finding = report_.findings[index];
        const CallName call = call_name_of(finding);
        if (!call.is_module && !call.is_kernel) {
            by_name_[operation_name(call.function, call.is_backward)].push_back(index);
        }
        if (chance_of(finding.verdict) == Chance::never) {
            return;
        }
        by_name_[kAny].push_back(index);
        for (const std::string& name : kernel_names_of(call, table_)) {
            by_name_[name].push_back(index);
        }
        if (finding.stream_id && finding.task_id) {
            by_name_[task_name(*finding.stream_id, *finding.task_id, finding.operator_type)].push_back(index);
        }
    }

    Match match(std::size_t finding) const {
        const Location& location = locations_[finding];
        if (!location.number || (!overflow_->rank && !overflow_->device_id)) {
            const bool is_overflow_known = overflow_->rank || overflow_->device_id;
            return is_one_finding_place_ && (is_one_overflow_place_ || !is_overflow_known) ? Match::only_one
                                                                                           : Match::no;
        }
        const Number& same_kind = location.is_device ? overflow_->device_id : overflow_->rank;
        const Number& other_kind = location.is_device ? overflow_->rank : overflow_->device_id;
        const bool is_equal = location.number == (same_kind ? same_kind : other_kind);
        return !is_equal ? Match::no : same_kind ? Match::same : Match::device_as_rank;
    }

    /// The findings with one of the names at the overflow's rank or device. Steps are compared where both are known.
    Indices find(const std::vector<std::string>& names, const Number& step = {}) const {
        std::set<std::size_t> all;
        for (const std::string& name : names) {
            const auto list = by_name_.find(name);
            for (const std::size_t i : list == by_name_.end() ? Indices() : list->second) {
                const Number& own = report_.findings[i].step;
                const auto fits = [&own](const Number& wanted) { return !own || !wanted || *own == *wanted; };
                if (fits(overflow_->step) && fits(step) && match(i) != Match::no) {
                    all.insert(i);
                }
            }
        }
        return {all.begin(), all.end()};
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

    /// Assumes that the device is the rank of its number.
    void assume_rank(std::uint64_t device, std::uint64_t rank, LocalizedText& because) {
        ranks_of_devices_.emplace(rank, device);
        const LocalizedText words = remarks::phrase("tie.assumed_rank", {{"device", device}, {"rank", rank}});
        if (because.en.find(words.en) == std::string::npos) {
            remarks::append(words, because);
        }
    }

    /// Adds a tie with a finding, or with the call of a trace. The first tie with a finding counts.
    void add_tie(ApiTieLevel level, std::optional<std::size_t> finding, LocalizedText because,
                 const Launching* launching = nullptr) {
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
            const Match how = match(*finding);
            assumes_steps_ = assumes_steps_ || (overflow_->step && report_.findings[*finding].step);
            if (how == Match::only_one) {
                assumes_process_ = true;
                remarks::append(remarks::phrase("tie.one_place"), because);
            } else if (how == Match::device_as_rank) {
                const bool is_device = locations_[*finding].is_device;
                assume_rank(is_device ? *overflow_->rank : *overflow_->device_id, *locations_[*finding].number,
                            because);
            }
        }
        if (launching != nullptr && launching->call.is_call && launching->call.step) {
            assumes_profiler_steps_ = true;
        }
        if (launching != nullptr && launching->rank_of_device && overflow_->device_id) {
            assume_rank(*overflow_->device_id, *launching->rank_of_device, because);
        }
        const std::string name = finding                ? report_.findings[*finding].api
                                 : launching != nullptr ? launching->call.operation
                                                        : std::string();
        ties_.ties.push_back({level, index_, finding, name, std::move(because.en), std::move(because.zh)});
    }

    /// exact: the call is the only one of its operation in its step, no other API makes the operation, and one finding
    /// fits. Otherwise type_only, with the doubts as reason. Returns whether findings fit.
    bool tie_by_trace() {
        const std::optional<Launching> launching = traces_.launching_of(*overflow_);
        if (!launching) {
            return false;
        }
        const HostCall& call = launching->call;
        const std::string_view operation = without_library(call.operation);
        std::vector<std::string> names;
        for (const std::string_view api : call.is_call ? table_.apis_of(operation) : std::vector<std::string_view>()) {
            names.push_back(operation_name(api, call.is_backward));
        }
        const Indices findings = find(names, call.step);
        std::vector<LocalizedText> doubts = launching->doubts;
        const auto doubt = [&doubts](bool is_doubtful, std::string_view id) {
            if (is_doubtful) {
                doubts.push_back(remarks::phrase(id));
            }
        };
        doubt(call.step && overflow_->step && *call.step != *overflow_->step, "tie_doubt.step");
        if (!findings.empty()) {
            const ApiFinding& first = report_.findings[findings.front()];
            // The trace may count other steps, or calls are missing: then the dump numbers more calls.
            doubt(!call.step || !first.step || call_name_of(first).count.value_or(0) >= call.of_its_name,
                  "tie_doubt.step");
            doubt(findings.size() > 1 || call.of_its_name > 1 || !table_.has_only_api(operation), "tie_doubt.several");
        }
        LocalizedText because = remarks::phrase("tie.launched", {{"call", shown(call)}});
        if (call.is_call && call.step) {
            remarks::append(remarks::phrase("tie.profiler_step", {{"step", *call.step}}), because);
        }
        if (findings.empty()) {
            remarks::append(remarks::phrase(call.is_call ? "tie.no_finding" : "tie.no_call"), because);
        }
        for (const LocalizedText& words : doubts) {
            append_part(words, because);
        }
        const bool is_exact = doubts.empty() && !launching->rank_of_device;
        const ApiTieLevel level = is_exact ? ApiTieLevel::exact : ApiTieLevel::type_only;
        if (findings.empty()) {
            add_tie(level, std::nullopt, because, &*launching);
        }
        for (const std::size_t finding : findings) {
            add_tie(level, finding, because, &*launching);
        }
        return !findings.empty() && launching->doubts.empty();
    }

    /// Calls whose APIs launch kernels of the overflow's operator type: those of the first group of names with any.
    void tie_by_type() {
        for (const std::vector<std::string>& group : kernel_names_of(*overflow_)) {
            const Indices findings = likely(find(group));
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
    std::vector<Location> locations_;                   ///< of the findings
    std::unordered_map<std::string, Indices> by_name_;  ///< findings by the names of their calls and kernels
    bool is_one_finding_place_ = false, is_one_overflow_place_ = false;
    bool has_unknown_ranks_ = false;  ///< findings without a rank, and overflows of several devices
    bool assumes_steps_ = false, assumes_profiler_steps_ = false, assumes_process_ = false;
    std::set<std::pair<std::uint64_t, std::uint64_t>> ranks_of_devices_;  ///< rank, device
    ApiTies ties_;
    std::size_t left_out_ = 0, incomplete_ = 0;
    // Of the present overflow.
    std::size_t begin_ = 0, index_ = 0;
    const KernelOverflow* overflow_ = nullptr;
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
