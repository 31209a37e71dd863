#include "api_ties/trace_launches.hpp"

#include <algorithm>
#include <cctype>
#include <set>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "api_ties/fit.hpp"
#include "api_ties/kernel_table.hpp"
#include "bytes/counted.hpp"

namespace opdebug::api_ties {
namespace {

constexpr std::uint64_t kMostMicroseconds = INT64_MAX / 1000;

/// Launches of one task that are looked at for one overflow.
constexpr std::size_t kMaxLaunchesCompared = 64;

std::optional<std::int64_t> nanoseconds_of(const KernelOverflow& overflow) {
    const bool has_time = overflow.timestamp_us && *overflow.timestamp_us <= kMostMicroseconds;
    return has_time ? std::optional<std::int64_t>(static_cast<std::int64_t>(*overflow.timestamp_us) * 1000)
                    : std::nullopt;
}

bool is_word(std::string_view text, std::size_t at, std::size_t size) {
    const auto joins = [&](std::size_t i) {
        return i < text.size() && std::isalnum(static_cast<unsigned char>(text[i])) != 0;
    };
    return (at == 0 || !joins(at - 1)) && !joins(at + size);
}

bool has_word(std::string_view text, std::string_view word) {
    for (std::size_t at = text.find(word); at != std::string_view::npos; at = text.find(word, at + 1)) {
        if (is_word(text, at, word.size())) {
            return true;
        }
    }
    return false;
}

enum class TypeFit { same, other, unknown };

/// Only kernels of eager mode name their type for certain; in other names it can stand as a word.
TypeFit type_fit(const std::string& kernel, const std::string& type) {
    if (type.empty()) {
        return TypeFit::unknown;
    }
    const std::string_view told = type_in_kernel(kernel);
    if (!told.empty()) {
        return plain_name(told) == plain_name(type) ? TypeFit::same : TypeFit::other;
    }
    return has_word(kernel, type) ? TypeFit::same : TypeFit::unknown;
}

/// The executions that can be meant by time: the last that had begun, if the overflow lies in it or is near its end.
/// More than one only where several begin at once.
std::vector<Launch> near_launches(const std::vector<Launch>& all, std::int64_t time) {
    constexpr std::int64_t kNear = static_cast<std::int64_t>(kNearMicroseconds) * 1000;
    const auto behind = std::upper_bound(all.begin(), all.end(), time,
                                         [](std::int64_t when, const Launch& launch) { return when < launch.start; });
    std::vector<Launch> near;
    for (auto at = behind; at != all.begin() && near.size() < kMaxLaunchesCompared;) {
        --at;
        if (!near.empty() && at->start != near.front().start) {
            break;
        }
        if (at->end >= time || time - at->end <= kNear) {
            near.push_back(*at);
        } else if (near.empty()) {
            break;
        }
    }
    return near;
}

}  // namespace

void CallsBehind::doubt(ApiTieLevel most, const std::string& words) {
    best = std::max(best, most);
    if (doubts.find(words) == std::string::npos) {
        doubts += "; " + words;
    }
}

Result<TraceLaunches> TraceLaunches::read(const std::vector<KernelOverflow>& overflows, const ApiTieOptions& options,
                                          std::vector<Diagnostic>& diagnostics) {
    TraceLaunches launches;
    std::set<TaskIds> wanted;
    std::set<std::pair<std::optional<std::uint64_t>, std::optional<std::uint64_t>>> places;
    for (const KernelOverflow& overflow : overflows) {
        places.insert({overflow.rank, overflow.rank ? std::nullopt : overflow.device_id});
        if (overflow.stream_id && overflow.task_id) {
            wanted.insert({*overflow.stream_id, *overflow.task_id});
        }
    }
    launches.one_place_ = places.size() <= 1;
    std::set<std::string> known;
    for (const std::string& path : options.traces) {
        if (!known.insert(path).second) {
            continue;
        }
        Result<Trace> trace = Trace::read(path, wanted, options, diagnostics);
        if (trace) {
            launches.traces_.push_back(std::move(*trace));
        } else if (trace.error().code == ErrorCode::interrupted) {
            return std::move(trace).error();
        } else {
            diagnostics.push_back(
                {Severity::error, "trace_unread", "the trace was not used: " + to_string(trace.error())});
        }
    }
    return launches;
}

/// The traces of the overflow's rank. Of several those of its time: a job is traced in pieces.
TraceLaunches::TracesFor TraceLaunches::traces_for(const KernelOverflow& overflow) const {
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
    TracesFor traces;
    for (const Trace* const trace : found) {
        const bool is_known = trace->rank() ? rank || traces_.size() == 1 : one_place_ && traces_.size() == 1;
        (is_known ? traces.sure : traces.doubted).push_back(trace);
    }
    return traces;
}

/// The executions that may be meant: by time one, else all.
std::vector<Launch> TraceLaunches::launches_of(const Trace& trace, const KernelOverflow& overflow,
                                               CallsBehind& behind) {
    const std::vector<Launch>* const all = trace.launches_of({*overflow.stream_id, *overflow.task_id});
    if (all == nullptr) {
        return {};
    }
    std::vector<Launch> chosen;
    const std::optional<std::int64_t> time = nanoseconds_of(overflow);
    if (!time) {
        behind.doubt(ApiTieLevel::type_and_order, "the time of the overflow is not known");
    } else if (!trace.is_of_its_time(*time)) {
        ++other_times_[trace.path()];
        behind.doubt(ApiTieLevel::type_only, "the overflow is not of the trace's time");
    } else {
        chosen = near_launches(*all, *time);
        if (chosen.empty()) {
            behind.doubt(ApiTieLevel::type_only, "no execution of the task in the trace is near the overflow's time");
        }
    }
    if (chosen.empty()) {
        chosen.assign(all->begin(),
                      all->begin() + static_cast<std::ptrdiff_t>(std::min(kMaxLaunchesCompared, all->size())));
        if (all->size() > kMaxLaunchesCompared) {
            behind.doubt(ApiTieLevel::type_only, fmt::format("only the first {} of {} executions of the task were "
                                                             "looked at",
                                                             kMaxLaunchesCompared, all->size()));
        }
    }
    const std::string type = type_of(overflow);
    chosen.erase(
        std::remove_if(chosen.begin(), chosen.end(),
                       [&](const Launch& launch) { return type_fit(trace.name_of(launch), type) == TypeFit::other; }),
        chosen.end());
    if (chosen.empty()) {  // the trace contradicts the overflow, and says nothing of it
        ++other_kernels_[trace.path()];
    }
    return chosen;
}

void TraceLaunches::add_launches(const Trace& trace, const KernelOverflow& overflow, CallsBehind& behind) {
    CallsBehind here = behind;
    const std::vector<Launch> launches = launches_of(trace, overflow, here);
    if (launches.empty()) {
        return;
    }
    const std::string type = type_of(overflow);
    if (launches.size() > 1) {
        here.doubt(ApiTieLevel::type_only,
                   fmt::format("{} executions of the task in the trace are possible", launches.size()));
    }
    if (!trace.is_whole()) {
        here.doubt(ApiTieLevel::type_only, "the trace is not whole: counts may be too small");
    }
    if (type.empty()) {
        here.doubt(ApiTieLevel::type_and_order,
                   "the operator type of the overflow is not known, so nothing but stream, task and time is compared");
    }
    if (trace.rank() && !overflow.rank && overflow.device_id) {
        here.best = std::max(here.best, ApiTieLevel::type_and_order);
        here.rank_of_device = trace.rank();
    }
    for (const Launch& launch : launches) {
        if (!type.empty() && type_fit(trace.name_of(launch), type) == TypeFit::unknown) {
            here.doubt(ApiTieLevel::type_only, "the name of its kernel there does not tell the operator type");
        }
        const std::vector<HostCall> calls = trace.calls_behind(launch);
        if (calls.size() > 1) {
            here.doubt(ApiTieLevel::type_only, fmt::format("{} calls share the flow to it", calls.size()));
        }
        for (const HostCall& call : calls) {
            if (std::find(here.calls.begin(), here.calls.end(), call) == here.calls.end()) {
                here.calls.push_back(call);  // a trace may be given twice, by two paths
            }
        }
    }
    used_.insert(trace.path());
    behind = std::move(here);
}

CallsBehind TraceLaunches::of(const KernelOverflow& overflow) {
    CallsBehind behind;
    if (!overflow.stream_id || !overflow.task_id) {
        return behind;
    }
    const TracesFor traces = traces_for(overflow);
    for (const Trace* const trace : traces.sure) {
        add_launches(*trace, overflow, behind);
    }
    if (behind.calls.empty()) {  // a sure trace is not doubted for another one's sake
        for (const Trace* const trace : traces.doubted) {
            ++(trace->rank() ? without_rank_ : unknown_ranks_)[trace->path()];
            behind.doubt(ApiTieLevel::type_only, trace->rank() ? "of which rank the overflow is, is not known"
                                                               : "of which rank the trace is, is not known");
            add_launches(*trace, overflow, behind);
        }
    }
    if (behind.calls.size() > 1 && behind.best < ApiTieLevel::type_only) {
        behind.doubt(ApiTieLevel::type_only, fmt::format("so say the traces of {} calls", behind.calls.size()));
    }
    return behind;
}

std::vector<Diagnostic> TraceLaunches::diagnostics() const {
    std::vector<Diagnostic> told;
    for (const auto& [trace, overflows] : other_times_) {
        told.push_back(
            {Severity::warning, "trace_other_time",
             fmt::format("{}: {} {} not of the trace's time, or the clocks differ: is it a trace of the same "
                         "run?",
                         trace, bytes::counted(overflows, "overflow dump"), bytes::is_or_are(overflows))});
    }
    for (const auto& [trace, overflows] : other_kernels_) {
        told.push_back({Severity::warning, "trace_other_kernel",
                        fmt::format("{}: the tasks of {} are kernels of other types in the trace: is it a trace of the "
                                    "same run and rank?",
                                    trace, bytes::counted(overflows, "overflow dump"))});
    }
    for (const auto& [trace, overflows] : unknown_ranks_) {
        told.push_back({Severity::warning, "trace_rank_unknown",
                        fmt::format("{}: of which rank the trace is cannot be told (no profiler_info_RANK.json beside "
                                    "its folder, no folder rankN), so whether {} {} of it",
                                    trace, bytes::counted(overflows, "overflow dump"), bytes::is_or_are(overflows))});
    }
    for (const auto& [trace, overflows] : without_rank_) {
        told.push_back({Severity::warning, "trace_rank_unknown",
                        fmt::format("{}: whether {} {} of the trace's rank cannot be told, for {} neither rank nor "
                                    "device",
                                    trace, bytes::counted(overflows, "overflow dump"), bytes::is_or_are(overflows),
                                    overflows == 1 ? "it names" : "they name")});
    }
    for (const Trace& trace : traces_) {
        const std::string& path = trace.path();
        if (used_.count(path) + other_times_.count(path) + other_kernels_.count(path) + unknown_ranks_.count(path) +
                without_rank_.count(path) ==
            0) {
            told.push_back({Severity::info, std::string(kTraceUnused),
                            fmt::format("{}: the trace was used for no overflow dump: none{} has a task and time that "
                                        "are in it",
                                        path, trace.rank() ? fmt::format(" of its rank ({})", *trace.rank()) : "")});
        }
    }
    return told;
}

}  // namespace opdebug::api_ties
