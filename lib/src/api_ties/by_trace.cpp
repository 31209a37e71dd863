#include "api_ties/by_trace.hpp"

#include <algorithm>
#include <set>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "api_ties/finding_call.hpp"

namespace opdebug::api_ties {
namespace {

constexpr std::uint64_t kMostMicroseconds = INT64_MAX / 1000;

/// Launches of one task, and findings of one API, that are looked at for one overflow.
constexpr std::size_t kMostLooked = 64;

std::optional<std::int64_t> nanoseconds_of(const KernelOverflow& overflow) {
    const bool has_time = overflow.timestamp_us && *overflow.timestamp_us <= kMostMicroseconds;
    return has_time ? std::optional<std::int64_t>(static_cast<std::int64_t>(*overflow.timestamp_us) * 1000)
                    : std::nullopt;
}

bool has_type(const std::string& kernel, const KernelOverflow& overflow) {
    return kernel.find(overflow.operator_type) != std::string::npos;
}

/// Only kernels of eager mode name their type for certain.
bool is_of_other_type(const std::string& kernel, const KernelOverflow& overflow) {
    return !has_type(kernel, overflow) && !type_in_kernel(kernel).empty();
}

/// "linear" of "aten::linear".
std::string_view without_library(std::string_view operation) {
    const std::size_t colons = operation.rfind("::");
    return colons == std::string_view::npos ? operation : operation.substr(colons + 2);
}

/// Another doubt; each is told once.
void doubt(std::string& doubts, const std::string& words) {
    if (doubts.find(words) == std::string::npos) {
        doubts += "; " + words;
    }
}

/// The lists to look at for a call: those of its step where the trace tells it.
std::vector<Place> places_of_step(const std::vector<Place>& places, const std::optional<std::uint64_t>& step) {
    std::vector<Place> found;
    for (const Place& place : places) {
        if (step && place.every_step) {
            found.push_back({place.is_device, place.number, false, step});
            found.push_back({place.is_device, place.number, false, std::nullopt});
        } else if (!step || !place.step || *step == *place.step) {
            found.push_back(place);
        }
    }
    return found;
}

std::string named(const HostCall& call) {
    const std::string phase = call.is_backward && call.is_call ? "the backward of " : "";
    if (!call.is_call) {
        return phase + call.operation;
    }
    const std::string where = call.step ? fmt::format("step {}", *call.step) : std::string("the trace");
    return fmt::format("{}{}, call {} of it in {} (from 0)", phase, call.operation, call.nth, where);
}

}  // namespace

Result<ByTrace> ByTrace::read(const Findings& findings, const std::vector<KernelOverflow>& overflows,
                              const KernelTable& table, const ApiTieOptions& options,
                              std::vector<Diagnostic>& diagnostics) {
    ByTrace traces(findings, table);
    std::set<TaskIds> wanted;
    std::set<std::pair<std::optional<std::uint64_t>, std::optional<std::uint64_t>>> places;
    for (const KernelOverflow& overflow : overflows) {
        places.insert({overflow.rank, overflow.rank ? std::nullopt : overflow.device_id});
        if (overflow.stream_id && overflow.task_id) {
            wanted.insert({*overflow.stream_id, *overflow.task_id});
        }
    }
    traces.one_place_ = places.size() <= 1;
    for (const std::string& path : options.traces) {
        Result<Trace> trace = Trace::read(path, wanted, options, diagnostics);
        if (!trace) {
            return std::move(trace).error();
        }
        traces.traces_.push_back(std::move(*trace));
    }
    if (!traces.traces_.empty()) {
        traces.index_findings();
    }
    return traces;
}

/// Counts of modules are of another kind, and kernels of a statistic.csv have none.
void ByTrace::index_findings() {
    const std::vector<ApiFinding>& all = findings_.report().findings;
    for (std::size_t i = 0; i < all.size(); ++i) {
        const FindingCall call = call_of(all[i]);
        if (!call.is_module && !call.is_kernel && call.count) {
            for (const Place& place : api_ties::places_of(all[i])) {
                calls_[{place, call.function, call.is_backward}].push_back({*call.count, i});
            }
        }
    }
    for (auto& [function, calls] : calls_) {
        std::sort(calls.begin(), calls.end());
    }
}

/// The traces of the overflow's rank. Of several those of its time: a job is traced in pieces.
std::vector<const Trace*> ByTrace::traces_for(const KernelOverflow& overflow, Search& search) {
    const std::optional<std::uint64_t> rank = overflow.rank ? overflow.rank : overflow.device_id;
    const std::optional<std::int64_t> time = nanoseconds_of(overflow);
    std::vector<const Trace*> found;
    for (const Trace& trace : traces_) {
        if (!trace.rank() || !rank || *trace.rank() == *rank) {
            found.push_back(&trace);
        }
    }
    const auto is_of_time = [&time](const Trace* trace) { return time && trace->is_of_its_time(*time); };
    if (std::any_of(found.begin(), found.end(), is_of_time)) {
        found.erase(std::remove_if(found.begin(), found.end(), [&](const Trace* trace) { return !is_of_time(trace); }),
                    found.end());
    }
    for (const Trace* const trace : found) {
        const bool is_known = trace->rank() ? rank || traces_.size() == 1 : one_place_ && traces_.size() == 1;
        if (!is_known) {
            ++unknown_ranks_[trace->path()];
            search.is_certain = false;
        }
    }
    if (!search.is_certain) {
        doubt(search.doubts, "of which rank the trace is, or the overflow, is not known");
    }
    return found;
}

/// The executions that may be meant: by time the last one that had begun, else all.
std::vector<Launch> ByTrace::launches_of(const Trace& trace, const KernelOverflow& overflow, Search& search) {
    const std::vector<Launch>* const all = trace.launches_of({*overflow.stream_id, *overflow.task_id});
    std::vector<Launch> chosen;
    if (all == nullptr) {
        return chosen;
    }
    const auto fits = [&](const Launch& launch) { return !is_of_other_type(trace.name_of(launch), overflow); };
    if (const std::optional<std::int64_t> time = nanoseconds_of(overflow)) {
        if (!trace.is_of_its_time(*time)) {
            ++other_times_[trace.path()];
            search.is_certain = false;
            doubt(search.doubts, "the overflow is not of the trace's time");
        } else {
            auto at = std::upper_bound(all->begin(), all->end(), *time,
                                       [](std::int64_t when, const Launch& launch) { return when < launch.start; });
            for (std::size_t looked = 0; at != all->begin() && looked < kMostLooked; ++looked) {
                if (fits(*--at)) {
                    return {*at};
                }
            }
        }
    }
    for (std::size_t i = 0; i < std::min(kMostLooked, all->size()); ++i) {
        if (fits((*all)[i])) {
            chosen.push_back((*all)[i]);
        }
    }
    if (chosen.empty()) {
        ++other_kernels_[trace.path()];
    }
    return chosen;
}

void ByTrace::add_launches(const Trace& trace, const KernelOverflow& overflow, Search& search) {
    const std::vector<Launch> launches = launches_of(trace, overflow, search);
    if (launches.size() > 1) {
        search.is_certain = false;
        doubt(search.doubts, fmt::format("the task was launched {} times", launches.size()));
    }
    for (const Launch& launch : launches) {
        if (!has_type(trace.name_of(launch), overflow)) {
            search.is_certain = false;
            doubt(search.doubts, "the name of its kernel there does not tell the operator type");
        }
        const std::vector<HostCall> calls = trace.calls_behind(launch);
        if (calls.size() > 1) {
            search.is_certain = false;
            doubt(search.doubts, fmt::format("{} calls share the flow to it", calls.size()));
        }
        search.behind.insert(search.behind.end(), calls.begin(), calls.end());
    }
}

/// The findings of the call's API with the same count, and with smaller ones.
void ByTrace::add_findings_of(const HostCall& call, const std::vector<Place>& places, FindingList& same,
                              FindingList& earlier) const {
    const std::vector<Place> of_step = places_of_step(places, call.step);
    for (const std::string_view api : table_.apis_of(without_library(call.operation))) {
        for (const Place& place : of_step) {
            const auto list = calls_.find({place, std::string(api), call.is_backward});
            if (list == calls_.end()) {
                continue;
            }
            const auto first = std::lower_bound(list->second.begin(), list->second.end(), Counted{call.nth, 0});
            auto at = first;
            for (std::size_t looked = 0; at != list->second.end() && at->count == call.nth && looked < kMostLooked;
                 ++at, ++looked) {
                same.push_back(at->finding);
            }
            at = first;
            for (std::size_t looked = 0; at != list->second.begin() && looked < kMostLooked; ++looked) {
                earlier.push_back((--at)->finding);
            }
        }
    }
    for (FindingList* const list : {&same, &earlier}) {
        std::sort(list->begin(), list->end());
        list->erase(std::unique(list->begin(), list->end()), list->end());
    }
}

/// A call has never a smaller number among operations than among calls of its API that were dumped: operations that no
/// dumped call made, and calls inside of others, only add to it.
void ByTrace::add_fits(const HostCall& call, const Search& search, const std::vector<Place>& places, Fits& fits) const {
    const std::vector<ApiFinding>& all = findings_.report().findings;
    FindingList same, earlier;
    if (call.is_call) {
        add_findings_of(call, places, same, earlier);
    }
    const bool steps_agree = call.step && !same.empty() && all[same.front()].step;
    const std::string trace = fmt::format("the trace says that {} launched the task{}", named(call), search.doubts);
    const bool only_api = table_.has_only_api(without_library(call.operation));
    if (same.size() == 1) {
        const bool exact = search.is_certain && steps_agree && only_api;
        const ApiTieLevel level = exact               ? ApiTieLevel::exact
                                  : search.is_certain ? ApiTieLevel::type_and_order
                                                      : ApiTieLevel::type_only;
        fits.told.push_back({level,
                             same.front(),
                             {},
                             trace +
                                 (steps_agree ? "; step and count of the call are the same"
                                              : "; the count of the call is the same, of the step it is not known") +
                                 (only_api ? "" : "; calls of other APIs may count as the same operation")});
        return;
    }
    const FindingList& candidates = same.empty() ? earlier : same;
    if (candidates.empty()) {
        const ApiTieLevel level = search.is_certain ? ApiTieLevel::exact : ApiTieLevel::type_only;
        const char* const found = call.is_call ? "; no finding has this step and count"
                                               : "; which call of the program made it is not in the trace";
        fits.told.push_back({level, std::nullopt, call.operation, trace + found});
        fits.is_whole = fits.is_whole && call.is_call;
        return;
    }
    // The latest ones first: the counts differ by what lies between.
    for (std::size_t i = 0; i < std::min(kMostTies, candidates.size()); ++i) {
        fits.told.push_back({ApiTieLevel::type_only,
                             candidates[candidates.size() - 1 - i],
                             {},
                             fmt::format("{}; candidates: {}, for counts of operations and of dumped calls may differ",
                                         trace, candidates.size())});
    }
    fits.left_out += candidates.size() - std::min(kMostTies, candidates.size());
}

Fits ByTrace::of(const KernelOverflow& overflow, const std::vector<Place>& places) {
    Fits fits;
    Search search;
    if (!overflow.stream_id || !overflow.task_id) {
        return fits;
    }
    for (const Trace* const trace : traces_for(overflow, search)) {
        add_launches(*trace, overflow, search);
    }
    if (search.behind.size() > 1 && search.is_certain) {
        search.is_certain = false;
        doubt(search.doubts, fmt::format("so say the traces of {} calls", search.behind.size()));
    }
    for (const HostCall& call : search.behind) {
        add_fits(call, search, places, fits);
    }
    const auto is_same = [](const Fit& left, const Fit& right) {
        return left.finding == right.finding && left.api == right.api;
    };
    std::vector<Fit> told;
    for (Fit& fit : fits.told) {
        if (std::none_of(told.begin(), told.end(), [&](const Fit& other) { return is_same(fit, other); })) {
            told.push_back(std::move(fit));
        }
    }
    fits.left_out += told.size() - std::min(told.size(), kMostTies);
    told.resize(std::min(told.size(), kMostTies));
    fits.told = std::move(told);
    return fits;
}

std::vector<Diagnostic> ByTrace::diagnostics() const {
    std::vector<Diagnostic> told;
    for (const auto& [trace, overflows] : other_times_) {
        told.push_back({Severity::warning, "trace_other_time",
                        fmt::format("{}: {} overflow dumps are not of the trace's time, or the clocks differ: is it a "
                                    "trace of the same run?",
                                    trace, overflows)});
    }
    for (const auto& [trace, overflows] : other_kernels_) {
        told.push_back({Severity::warning, "trace_other_kernel",
                        fmt::format("{}: the tasks of {} overflow dumps are kernels of other types in the trace: is it "
                                    "a trace of the same run and rank?",
                                    trace, overflows)});
    }
    for (const auto& [trace, overflows] : unknown_ranks_) {
        told.push_back({Severity::warning, "trace_rank_unknown",
                        fmt::format("{}: of which rank the trace is cannot be told (no profiler_info_RANK.json beside "
                                    "its folder, no folder rankN), or {} overflow dumps name neither rank nor device",
                                    trace, overflows)});
    }
    return told;
}

}  // namespace opdebug::api_ties
