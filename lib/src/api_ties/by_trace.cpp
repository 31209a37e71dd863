#include "api_ties/by_trace.hpp"

#include <algorithm>
#include <cctype>
#include <iterator>
#include <string_view>

#include <fmt/format.h>

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

/// "linear" of "aten::linear".
std::string_view without_library(std::string_view operation) {
    const std::size_t colons = operation.rfind("::");
    return colons == std::string_view::npos ? operation : operation.substr(colons + 2);
}

/// Those of the call's step, if the trace contains it.
std::vector<RankStep> in_step(const std::vector<RankStep>& rank_steps, const std::optional<std::uint64_t>& step) {
    std::vector<RankStep> narrowed;
    for (const RankStep& each : rank_steps) {
        if (step && each.every_step) {
            narrowed.push_back({each.is_device, each.number, false, step});
            narrowed.push_back({each.is_device, each.number, false, std::nullopt});
        } else if (!step || !each.step || *step == *each.step) {
            narrowed.push_back(each);
        }
    }
    return narrowed;
}

LocalizedText shown(const HostCall& call) {
    LocalizedText text{call.operation, call.operation};
    text = call.is_backward && call.is_call ? remarks::phrase("tie.backward", {{"call", text}}) : text;
    return call.step ? remarks::phrase("tie.in_step", {{"call", text}, {"step", *call.step}}) : text;
}

/// Appends a part of a sentence.
void append_part(const LocalizedText& words, LocalizedText& text) {
    text.en += "; " + words.en;
    text.zh += "；" + words.zh;
}

}  // namespace

void ByTrace::Launching::doubt(const LocalizedText& words) {
    if (doubts.en.find(words.en) == std::string::npos) {
        append_part(words, doubts);
    }
}

Result<ByTrace> ByTrace::read(const ApiReport& report, const std::vector<KernelOverflow>& overflows,
                              const KernelTable& table, const ApiTieOptions& options,
                              std::vector<Diagnostic>& diagnostics) {
    ByTrace by_trace(report, table);
    std::set<TaskIds> wanted;
    std::set<std::pair<std::optional<std::uint64_t>, std::optional<std::uint64_t>>> ranks;
    for (const KernelOverflow& overflow : overflows) {
        ranks.insert({overflow.rank, overflow.rank ? std::nullopt : overflow.device_id});
        if (overflow.stream_id && overflow.task_id) {
            wanted.insert({*overflow.stream_id, *overflow.task_id});
        }
    }
    by_trace.is_one_rank_ = ranks.size() <= 1;
    for (const std::string& path : std::set<std::string>(options.traces.begin(), options.traces.end())) {
        Result<Trace> trace = Trace::read(path, wanted, options, diagnostics);
        if (trace) {
            by_trace.traces_.push_back(std::move(*trace));
        } else if (trace.error().code == ErrorCode::interrupted) {
            return std::move(trace).error();
        } else {
            diagnostics.push_back(remarks::diagnose("trace_unread", {{"error", remarks::text_of(trace.error())}}));
        }
    }
    for (std::size_t i = 0; i < report.findings.size() && !by_trace.traces_.empty(); ++i) {
        const CallName name = call_name_of(report.findings[i]);
        for (const RankStep& rank_step : rank_steps_of(report.findings[i])) {
            if (!name.is_module && !name.is_kernel) {
                by_trace.findings_.add({rank_step, name.function, name.is_backward}, i, Chance::likely);
            }
        }
    }
    return by_trace;
}

Fits ByTrace::of(const KernelOverflow& overflow, const std::vector<RankStep>& rank_steps) {
    Fits fits;
    Launching launching = launching_calls(overflow);
    if (!launching.calls.empty() && !overflow.rank && !overflow.device_id) {
        launching.doubt(remarks::phrase("tie_doubt.overflow_rank"));
    }
    for (const HostCall& call : launching.calls) {
        if (call.step && overflow.step && *call.step != *overflow.step) {
            launching.doubt(remarks::phrase("tie_doubt.other_step", {{"step", *overflow.step}, {"other", *call.step}}));
        }
    }
    fits.is_certain = !launching.calls.empty() && launching.is_certain();
    for (const HostCall& call : launching.calls) {
        add_fits(call, launching, rank_steps, fits);
    }
    fits.left_out += fits.list.size() - std::min(fits.list.size(), kMostTies);
    fits.list.resize(std::min(fits.list.size(), kMostTies));
    return fits;
}

/// The traces of the overflow's rank. Traces of unknown rank are used only if no other has an answer.
ByTrace::Launching ByTrace::launching_calls(const KernelOverflow& overflow) {
    Launching launching;
    const std::optional<std::uint64_t> rank = overflow.rank ? overflow.rank : overflow.device_id;
    const auto is_known = [&](const Trace& trace) {
        return trace.rank() ? rank || traces_.size() == 1 : is_one_rank_ && traces_.size() == 1;
    };
    for (const bool known : {true, false}) {
        const bool has_answer = !launching.calls.empty();
        for (const Trace& trace : traces_) {
            const bool is_possible = !trace.rank() || !rank || *trace.rank() == *rank;
            if (is_possible && !has_answer && is_known(trace) == known) {
                add_calls(trace, overflow, launching);
            }
        }
        if (!known && !has_answer && !launching.calls.empty()) {
            launching.doubt(remarks::phrase(rank ? "tie_doubt.trace_rank" : "tie_doubt.overflow_rank"));
        }
    }
    for (const std::string& path : launching.calls.empty() ? launching.of_other_time : std::vector<std::string>()) {
        ++other_time_[path];
    }
    if (launching.calls.size() > 1) {
        launching.doubt(remarks::phrase("tie_doubt.several_calls", {{"count", launching.calls.size()}}));
    }
    return launching;
}

void ByTrace::add_calls(const Trace& trace, const KernelOverflow& overflow, Launching& launching) {
    const std::vector<Launch> launches = launches_of(trace, overflow, launching);
    if (launches.empty()) {
        return;
    }
    used_.insert(trace.path());
    const std::string type = type_of(overflow);
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
}

/// The executions of the task at the overflow's time. None if the trace is of another time or contradicts the overflow.
std::vector<Launch> ByTrace::launches_of(const Trace& trace, const KernelOverflow& overflow, Launching& launching) {
    const std::optional<std::int64_t> time = nanoseconds_of(overflow);
    if (!overflow.stream_id || !overflow.task_id || !time) {
        return {};
    }
    const std::vector<Launch>& all = trace.launches_of({*overflow.stream_id, *overflow.task_id});
    std::vector<Launch> near = near_launches(all, *time);
    if (!all.empty() && near.empty()) {
        launching.of_other_time.push_back(trace.path());
    }
    const bool has_any = !near.empty();
    const std::string type = type_of(overflow);
    std::erase_if(near, [&](const Launch& launch) { return type_fit(trace.name_of(launch), type) == TypeFit::other; });
    if (has_any && near.empty()) {
        ++other_kernel_[trace.path()];
    }
    return near;
}

Candidates ByTrace::findings_of(const HostCall& call, const std::vector<RankStep>& rank_steps) const {
    std::vector<Key> keys;
    for (const std::string_view api : table_.apis_of(without_library(call.operation))) {
        for (const RankStep& rank_step : in_step(rank_steps, call.step)) {
            keys.emplace_back(rank_step, std::string(api), call.is_backward);
        }
    }
    return findings_.of(keys);
}

void ByTrace::add_fits(const HostCall& call, const Launching& launching, const std::vector<RankStep>& rank_steps,
                       Fits& fits) const {
    const std::size_t begin = fits.list.size();
    const Candidates candidates = call.is_call ? findings_of(call, rank_steps) : Candidates();
    LocalizedText reason = remarks::phrase("tie.launched", {{"call", shown(call)}, {"doubts", launching.doubts}});
    bool is_certain = launching.is_certain();
    const auto doubt = [&](bool is_doubtful, std::string_view id, std::uint64_t count = 0) {
        is_certain = is_certain && !is_doubtful;
        if (is_doubtful) {
            append_part(remarks::phrase(id, {{"count", count}}), reason);
        }
    };
    if (call.is_call && call.step) {
        remarks::append(remarks::phrase("tie.profiler_step", {{"step", *call.step}}), reason);
    }
    if (candidates.empty()) {
        fits.is_certain = false;
        remarks::append(remarks::phrase(call.is_call ? "tie.no_finding" : "tie.no_call"), reason);
        const ApiTieLevel level = is_certain ? ApiTieLevel::exact : ApiTieLevel::type_only;
        fits.list.push_back({level, std::nullopt, call.operation, reason});
    }
    doubt(candidates.all > 1, "tie_doubt.fitting_calls", candidates.all);
    doubt(!call.step, "tie_doubt.no_step");
    doubt(call.of_its_name > 1, "tie_doubt.such_operations", call.of_its_name);
    doubt(!table_.has_only_api(without_library(call.operation)), "tie_doubt.other_apis");
    for (const std::size_t finding : candidates.first) {
        // Operations without a dumped call only increase their number in the trace.
        const bool is_counted = call_name_of(report_.findings[finding]).count.value_or(0) < call.of_its_name;
        const bool is_exact = is_certain && is_counted && report_.findings[finding].step.has_value();
        fits.is_certain = fits.is_certain && is_counted;
        LocalizedText because = reason;
        if (!is_counted) {
            append_part(remarks::phrase("tie_doubt.more_calls"), because);
        }
        fits.list.push_back({is_exact ? ApiTieLevel::exact : ApiTieLevel::type_only, finding, {}, std::move(because)});
    }
    for (std::size_t i = begin; i < fits.list.size(); ++i) {
        fits.list[i].takes_profiler_step = call.is_call && call.step;
        fits.list[i].rank_of_device = launching.rank_of_device;
    }
    fits.left_out += candidates.all - candidates.first.size();
}

std::vector<Diagnostic> ByTrace::diagnostics() const {
    std::vector<Diagnostic> diagnostics;
    std::set<std::string> mentioned = used_;
    for (const auto& [id, overflows] :
         {std::pair("trace_other_time", &other_time_), std::pair("trace_other_kernel", &other_kernel_)}) {
        for (const auto& [trace, count] : *overflows) {
            mentioned.insert(trace);
            diagnostics.push_back(remarks::diagnose(id, {{"trace", trace}, {"count", count}}));
        }
    }
    for (const Trace& trace : traces_) {
        if (!mentioned.contains(trace.path())) {
            diagnostics.push_back(remarks::diagnose(
                kTraceUnused, {{"trace", trace.path()},
                               {"rank", trace.rank() ? remarks::phrase("of_its_rank", {{"rank", *trace.rank()}})
                                                     : LocalizedText()}}));
        }
    }
    return diagnostics;
}

}  // namespace opdebug::api_ties
