// The traces of a tree: which of them shows the launch of an overflow's task.
#include "api_ties/trace.hpp"

#include <algorithm>
#include <cctype>
#include <iterator>
#include <string_view>
#include <utility>

#include "api_ties/kernel_table.hpp"
#include "remarks/diagnose.hpp"

namespace opdebug::api_ties {
namespace {

/// Maximum distance of an overflow dump from its kernel. The same host writes the dump within milliseconds after the
/// kernel (inferred). Faster executions of one task cannot be distinguished.
constexpr std::int64_t kNear = 1'000'000'000;

std::optional<std::int64_t> nanoseconds_of(const KernelOverflow& overflow) {
    const bool has_time = overflow.timestamp_us && *overflow.timestamp_us <= INT64_MAX / 1000;
    return has_time ? std::optional<std::int64_t>(static_cast<std::int64_t>(*overflow.timestamp_us) * 1000)
                    : std::nullopt;
}

bool has_word(std::string_view text, std::string_view word) {
    const auto joins = [text](std::size_t i) {
        return i < text.size() && std::isalnum(static_cast<unsigned char>(text[i])) != 0;
    };
    for (std::size_t at = text.find(word); at != std::string_view::npos; at = text.find(word, at + 1)) {
        if ((at == 0 || !joins(at - 1)) && !joins(at + word.size())) {
            return true;
        }
    }
    return false;
}

enum class TypeFit { same, other, unknown };

/// Only kernel names of eager mode certainly contain the type; other names may contain it as a word.
TypeFit type_fit(const std::string& kernel, const std::string& type) {
    const std::string_view of_kernel = type_in_kernel(kernel);
    if (!type.empty() && !of_kernel.empty()) {
        return plain_name(of_kernel) == plain_name(type) ? TypeFit::same : TypeFit::other;
    }
    return !type.empty() && has_word(kernel, type) ? TypeFit::same : TypeFit::unknown;
}

/// The execution by time: the last one before the overflow, if the overflow is in it or near its end. More than one
/// only if several begin at once.
std::vector<Launch> near_launches(const std::vector<Launch>& all, std::int64_t time) {
    const auto end = std::upper_bound(all.begin(), all.end(), time,
                                      [](std::int64_t when, const Launch& launch) { return when < launch.start; });
    std::vector<Launch> near;
    for (auto at = end; at != all.begin() && (at == end || std::prev(at)->start == std::prev(end)->start); --at) {
        const Launch& launch = *std::prev(at);
        if (launch.end >= time || time - launch.end <= kNear) {
            near.push_back(launch);
        }
    }
    return near;
}

}  // namespace

void append_part(const LocalizedText& words, LocalizedText& text) {
    text.en += "; " + words.en;
    text.zh += "；" + words.zh;
}

void Launching::doubt(const LocalizedText& words) {
    if (doubts.en.find(words.en) == std::string::npos) {
        append_part(words, doubts);
    }
}

Result<Traces> Traces::read(const std::vector<KernelOverflow>& overflows, const ApiTieOptions& options,
                            std::vector<Diagnostic>& diagnostics) {
    Traces all;
    std::set<TaskIds> wanted;
    std::set<std::pair<std::optional<std::uint64_t>, std::optional<std::uint64_t>>> ranks;
    for (const KernelOverflow& overflow : overflows) {
        ranks.insert({overflow.rank, overflow.rank ? std::nullopt : overflow.device_id});
        if (overflow.stream_id && overflow.task_id) {
            wanted.insert({*overflow.stream_id, *overflow.task_id});
        }
    }
    for (const std::string& path : std::set<std::string>(options.traces.begin(), options.traces.end())) {
        Result<Trace> trace = Trace::read(path, wanted, options, diagnostics);
        if (trace) {
            all.traces_.push_back({std::move(*trace)});
        } else if (trace.error().code == ErrorCode::interrupted) {
            return std::move(trace).error();
        } else {
            diagnostics.push_back(remarks::diagnose("trace_unread", {{"error", remarks::text_of(trace.error())}}));
        }
    }
    all.is_one_rank_ = ranks.size() <= 1;
    return all;
}

/// The traces of the overflow's rank. Traces of unknown rank are used only if no other has an answer.
Launching Traces::launching_of(const KernelOverflow& overflow) {
    Launching launching;
    const std::optional<std::uint64_t> rank = overflow.rank ? overflow.rank : overflow.device_id;
    std::vector<UsedTrace*> of_other_time;
    for (const bool is_known : {true, false}) {
        for (UsedTrace& used : traces_) {
            const std::optional<std::uint64_t> of_trace = used.trace.rank();
            const bool is_only = traces_.size() == 1;
            const bool is_certain = of_trace ? rank || is_only : is_one_rank_ && is_only;
            if ((!of_trace || !rank || of_trace == rank) && is_certain == is_known &&
                !add_launches(used, overflow, launching)) {
                of_other_time.push_back(&used);
            }
        }
        if (!launching.calls.empty()) {
            if (!is_known) {
                launching.doubt(remarks::phrase(rank ? "tie_doubt.trace_rank" : "tie_doubt.overflow_rank"));
            }
            break;
        }
    }
    if (launching.calls.empty()) {
        for (UsedTrace* const used : of_other_time) {
            ++used->other_time;
        }
        return launching;
    }
    if (launching.calls.size() > 1) {
        launching.doubt(remarks::phrase("tie_doubt.several_calls", {{"count", launching.calls.size()}}));
    }
    if (!rank) {
        launching.doubt(remarks::phrase("tie_doubt.overflow_rank"));
    }
    for (const HostCall& call : launching.calls) {
        if (call.step && overflow.step && *call.step != *overflow.step) {
            launching.doubt(remarks::phrase("tie_doubt.other_step", {{"step", *overflow.step}, {"other", *call.step}}));
        }
    }
    return launching;
}

/// Adds the calls of the task's executions at the overflow's time. Returns false if the task ran at other times only.
bool Traces::add_launches(UsedTrace& used, const KernelOverflow& overflow, Launching& launching) {
    const Trace& trace = used.trace;
    const std::optional<std::int64_t> time = nanoseconds_of(overflow);
    if (!overflow.stream_id || !overflow.task_id || !time) {
        return true;
    }
    const std::string type = type_of(overflow);
    const std::vector<Launch>& all = trace.launches_of({*overflow.stream_id, *overflow.task_id});
    std::vector<Launch> launches = near_launches(all, *time);
    if (launches.empty()) {
        return all.empty();
    }
    std::erase_if(launches,
                  [&](const Launch& launch) { return type_fit(trace.name_of(launch), type) == TypeFit::other; });
    if (launches.empty()) {
        ++used.other_kernel;
        return true;
    }
    used.is_used = true;
    if (launches.size() > 1) {
        launching.doubt(remarks::phrase("tie_doubt.executions", {{"count", launches.size()}}));
    }
    if (!trace.is_whole()) {
        launching.doubt(remarks::phrase("tie_doubt.not_whole"));
    }
    if (type.empty()) {
        launching.doubt(remarks::phrase("tie_doubt.no_type"));
    }
    if (trace.rank() && !overflow.rank && overflow.device_id) {
        launching.rank_of_device = trace.rank();
    }
    for (const Launch& launch : launches) {
        if (!type.empty() && type_fit(trace.name_of(launch), type) == TypeFit::unknown) {
            launching.doubt(remarks::phrase("tie_doubt.kernel_name"));
        }
        for (const HostCall& call : trace.calls_of(launch)) {
            if (std::find(launching.calls.begin(), launching.calls.end(), call) == launching.calls.end()) {
                launching.calls.push_back(call);  // two paths may name one trace
            }
        }
    }
    return true;
}

std::vector<Diagnostic> Traces::diagnostics() const {
    std::vector<Diagnostic> diagnostics;
    for (const auto& [id, count] : {std::pair("trace_other_time", &UsedTrace::other_time),
                                    std::pair("trace_other_kernel", &UsedTrace::other_kernel)}) {
        for (const UsedTrace& used : traces_) {
            if (used.*count != 0) {
                diagnostics.push_back(remarks::diagnose(id, {{"trace", used.trace.path()}, {"count", used.*count}}));
            }
        }
    }
    for (const UsedTrace& used : traces_) {
        if (!used.is_used && used.other_time == 0 && used.other_kernel == 0) {
            const std::optional<std::uint64_t> rank = used.trace.rank();
            diagnostics.push_back(remarks::diagnose(
                kTraceUnused, {{"trace", used.trace.path()},
                               {"rank", rank ? remarks::phrase("of_its_rank", {{"rank", *rank}}) : LocalizedText()}}));
        }
    }
    return diagnostics;
}

}  // namespace opdebug::api_ties
