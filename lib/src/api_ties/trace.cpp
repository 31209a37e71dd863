#include "api_ties/trace.hpp"

#include <algorithm>
#include <filesystem>
#include <functional>
#include <string_view>
#include <system_error>
#include <tuple>

#include <fmt/format.h>

#include "api_dump/dump_location.hpp"
#include "api_ties/trace_file.hpp"
#include "tree/number.hpp"

namespace opdebug::api_ties {
namespace {

constexpr std::int64_t kMinute = std::int64_t{60} * 1'000'000'000;

/// Bytes of a name that are kept, also of a process and of a thread; those of operations and kernels have some dozen.
constexpr std::size_t kLongestName = 512;

/// What an event takes at most with what is made of it, and what a name takes beside its text.
constexpr std::size_t kEventBytes = 60, kNameBytes = 100;

/// Of one trace: 12 million events, if they have few names. Of a real trace of 290 MB about 1 million are kept, with
/// some thousand names.
constexpr std::size_t kMostBytes = 12'000'000 * kEventBytes;

/// Flows to one task that are followed.
constexpr std::size_t kMostFlows = 8;

std::uint64_t flow_id(std::string_view id) {
    return tree::parse_number(id).value_or(std::hash<std::string_view>()(id));
}

bool is_incomplete_operation(const TraceEvent& event) {
    const bool is_operation = event.category == "cpu_op" && (event.phase == "X" || event.phase.empty());
    const bool has_all = !event.phase.empty() && !event.name.empty() && !event.process.empty() &&
                         !event.thread.empty() && event.start_ns && event.duration_ns;
    return is_operation && !has_all;
}

/// torch_npu writes profiler_info_{rank}.json into the folder {…}_ascend_pt above ASCEND_PROFILER_OUTPUT.
std::optional<std::uint64_t> rank_of(const std::string& path) {
    constexpr std::string_view kBegin = "profiler_info_", kEnd = ".json";
    std::error_code failed;
    const std::filesystem::path folder = std::filesystem::absolute(path, failed).parent_path().parent_path();
    std::optional<std::uint64_t> rank;
    for (std::filesystem::directory_iterator file(folder, failed), end; !failed && file != end;
         file.increment(failed)) {
        const std::string name = file->path().filename().string();
        if (name.size() > kBegin.size() + kEnd.size() && name.compare(0, kBegin.size(), kBegin) == 0 &&
            name.compare(name.size() - kEnd.size(), kEnd.size(), kEnd) == 0) {
            const auto number = tree::parse_number(
                std::string_view(name).substr(kBegin.size(), name.size() - kBegin.size() - kEnd.size()));
            if (number && rank && rank != number) {
                return std::nullopt;  // a folder of several ranks
            }
            rank = number ? number : rank;
        }
    }
    ApiFile place;  // a folder rank{N} of the user means the same above a trace as above an API dump
    api_dump::read_place(path, place);
    return rank ? rank : place.rank;
}

}  // namespace

Result<Trace> Trace::read(const std::string& path, const std::set<TaskIds>& wanted, const ApiTieOptions& options,
                          std::vector<Diagnostic>& diagnostics) {
    Trace trace(path);
    Result<std::vector<Diagnostic>> told =
        read_trace_file(path, options, [&](const TraceEvent& event) { trace.add(event, wanted); });
    if (!told) {
        return std::move(told).error();
    }
    trace.is_whole_ = told->empty() && trace.left_out_ == 0 && trace.incomplete_ == 0;
    if (trace.incomplete_ != 0) {
        diagnostics.push_back(
            {Severity::warning, "trace_operations_incomplete",
             fmt::format("{}: {} operations of the host have no name, process, thread or time and are "
                         "left out, so that calls cannot be counted for certain",
                         path, trace.incomplete_)});
    }
    if (trace.left_out_ != 0) {
        diagnostics.push_back({Severity::warning, "trace_events_left_out",
                               fmt::format("{}: of the trace {} events of operations, tasks and flows are kept; {} "
                                           "behind them are left out: trace fewer steps at once",
                                           path, trace.kept_, trace.left_out_)});
    }
    std::move(told->begin(), told->end(), std::back_inserter(diagnostics));
    trace.finish();
    if (trace.ends_.empty() && trace.is_whole_) {
        diagnostics.push_back({Severity::warning, "trace_without_flows",
                               path + ": the trace has no flows from operations to tasks (async_npu): which call "
                                      "launched a task is not in it"});
    }
    return trace;
}

void Trace::add(const TraceEvent& event, const std::set<TaskIds>& wanted) {
    if (is_incomplete_operation(event)) {
        ++incomplete_;
        return;
    }
    if (!event.start_ns || event.phase.size() != 1) {
        return;
    }
    const char phase = event.phase.front();
    if (phase != 'X' && phase != 's' && phase != 'f') {
        return;
    }
    if (kept_ * kEventBytes + names_.size() * kNameBytes + names_.bytes() >= kMostBytes) {
        ++left_out_;
        return;
    }
    if (phase == 'X') {
        add_span(event, wanted);
    } else {
        add_flow(event);
    }
}

std::uint32_t Trace::number_of(std::string_view name) {
    return names_.number_of(name.substr(0, kLongestName));
}

/// Of an event that is kept: names of others would be kept for nothing.
std::uint32_t Trace::thread_of(const TraceEvent& event) {
    std::string thread(event.process.substr(0, kLongestName));
    thread += '\0';
    thread += event.thread.substr(0, kLongestName);
    return names_.number_of(thread);
}

void Trace::add_flow(const TraceEvent& event) {
    const bool is_launch = event.category == "async_npu";
    if (!is_launch && event.category != "fwdbwd") {
        return;
    }
    ++kept_;
    auto& begins = is_launch ? begins_ : forward_begins_;
    auto& ends = is_launch ? ends_ : backward_ends_;
    (event.phase == "s" ? begins : ends).push_back({flow_id(event.id), {thread_of(event), *event.start_ns}});
}

void Trace::add_span(const TraceEvent& event, const std::set<TaskIds>& wanted) {
    const std::int64_t start = *event.start_ns;
    const std::int64_t duration = event.duration_ns.value_or(0);
    const std::int64_t end = duration > INT64_MAX - start ? INT64_MAX : start + duration;
    const std::optional<std::uint64_t> stream = event.stream ? event.stream : event.physical_stream;
    if (stream && event.task) {
        first_ = std::min(first_, start);
        last_ = std::max(last_, end);
        const TaskIds ids(*stream, *event.task);
        if (wanted.count(ids) != 0) {
            ++kept_;
            launches_[ids].push_back({thread_of(event), number_of(event.name), start, end});
        }
    } else if (event.category == "cpu_op" || event.name.substr(0, 13) == "ProfilerStep#") {
        first_ = std::min(first_, start);
        last_ = std::max(last_, end);
        ++kept_;
        host_.add({number_of(event.process), thread_of(event), number_of(event.name), start, end,
                   event.sequence.value_or(-1)});
    }
}

void Trace::finish() {
    rank_ = rank_of(path_);
    host_.finish(names_);
    for (auto& [ids, launches] : launches_) {
        std::sort(launches.begin(), launches.end(), [](const Launch& left, const Launch& right) {
            return std::tie(left.start, left.thread) < std::tie(right.start, right.thread);
        });
    }
    const auto by_id = [](const FlowEnd& left, const FlowEnd& right) {
        return std::tie(left.id, left.at.thread, left.at.time) < std::tie(right.id, right.at.thread, right.at.time);
    };
    const auto by_place = [](const FlowEnd& left, const FlowEnd& right) {
        return std::tie(left.at.thread, left.at.time, left.id) < std::tie(right.at.thread, right.at.time, right.id);
    };
    std::sort(begins_.begin(), begins_.end(), by_id);
    std::sort(forward_begins_.begin(), forward_begins_.end(), by_id);
    std::sort(ends_.begin(), ends_.end(), by_place);
    std::sort(backward_ends_.begin(), backward_ends_.end(), by_place);
}

const std::vector<Launch>* Trace::launches_of(const TaskIds& ids) const {
    const auto known = launches_.find(ids);
    return known == launches_.end() ? nullptr : &known->second;
}

bool Trace::is_of_its_time(std::int64_t time) const noexcept {
    return first_ <= last_ && time >= first_ - std::min(first_, kMinute) &&
           time <= (last_ > INT64_MAX - kMinute ? INT64_MAX : last_ + kMinute);
}

/// The places where flows begin that end there.
std::vector<HostPoint> Trace::begins_of(const std::vector<FlowEnd>& ends, const std::vector<FlowEnd>& begins,
                                        const HostPoint& end) const {
    std::vector<HostPoint> found;
    auto flow = std::lower_bound(ends.begin(), ends.end(), end, [](const FlowEnd& other, const HostPoint& place) {
        return std::tie(other.at.thread, other.at.time) < std::tie(place.thread, place.time);
    });
    for (std::size_t followed = 0; flow != ends.end() && flow->at == end && followed < kMostFlows; ++flow, ++followed) {
        auto begin = std::lower_bound(begins.begin(), begins.end(), flow->id,
                                      [](const FlowEnd& other, std::uint64_t id) { return other.id < id; });
        for (; begin != begins.end() && begin->id == flow->id && found.size() < kMostFlows; ++begin) {
            if (std::find(found.begin(), found.end(), begin->at) == found.end()) {
                found.push_back(begin->at);
            }
        }
    }
    return found;
}

std::vector<HostCall> Trace::calls_behind(const Launch& launch) const {
    std::vector<HostCall> calls;
    for (const HostPoint& point : begins_of(ends_, begins_, {launch.thread, launch.start})) {
        const std::optional<HostCall> call = call_at(point);
        if (call && std::find(calls.begin(), calls.end(), *call) == calls.end()) {
            calls.push_back(*call);
        }
    }
    return calls;
}

/// By the flow to the node, which torch_npu writes only between different threads; else by its sequence number.
HostOperations::Index Trace::forward_of(HostOperations::Index node) const {
    const HostOperation& made = host_[node];
    for (const HostPoint& point : begins_of(backward_ends_, forward_begins_, {made.thread, made.start})) {
        const HostOperations::Index forward = host_.around(point);
        if (forward != HostOperations::kNone) {
            return forward;
        }
    }
    return host_.forward_of(node);
}

std::optional<HostCall> Trace::call_at(const HostPoint& point) const {
    const HostOperations::Index around = host_.around(point);
    if (around == HostOperations::kNone) {
        return std::nullopt;
    }
    const HostOperations::Index node = host_.backward_of(around);
    HostOperations::Index call = node == HostOperations::kNone ? host_.call_of(around) : HostOperations::kNone;
    if (node != HostOperations::kNone) {
        const HostOperations::Index forward = forward_of(node);
        call = forward == HostOperations::kNone ? forward : host_.call_of(forward);
    }
    HostCall found;
    found.is_backward = node != HostOperations::kNone;
    found.is_call = call != HostOperations::kNone;
    const HostOperations::Index told = found.is_call ? call : found.is_backward ? node : around;
    found.operation = names_.text_of(host_[told].name);
    found.process = names_.text_of(host_[told].process);
    const HostOperations::Step* const step = host_.step_of(told);
    found.step = step != nullptr ? std::optional<std::uint64_t>(step->number) : std::nullopt;
    if (found.is_call) {
        const std::int64_t since = step != nullptr ? step->start : INT64_MIN;
        const bool ends = step != nullptr && step->end < INT64_MAX;
        found.nth = host_.calls_between(call, since, host_[call].start);
        found.of_its_name = host_.calls_between(call, since, ends ? step->end + 1 : INT64_MAX);
    }
    return found;
}

}  // namespace opdebug::api_ties
