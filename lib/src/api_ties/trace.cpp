#include "api_ties/trace.hpp"

#include <algorithm>
#include <filesystem>
#include <functional>
#include <string_view>
#include <system_error>
#include <tuple>

#include "api_dump/dump_files.hpp"
#include "remarks/diagnose.hpp"
#include "tree/name.hpp"

namespace opdebug::api_ties {
namespace {

constexpr std::size_t kLongestName = 512;
/// A real trace of 290 MB has about 1 million relevant events with some thousand names; each event needs some 60 bytes.
constexpr std::size_t kMostEvents = 12'000'000;
/// Maximum number of followed flows to one task.
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

/// N in profiler_info_N.json.
std::optional<std::uint64_t> rank_in_name(std::string_view name) {
    constexpr std::string_view kBegin = "profiler_info_", kEnd = ".json";
    if (!name.starts_with(kBegin) || !name.ends_with(kEnd) || name.size() < kBegin.size() + kEnd.size()) {
        return std::nullopt;
    }
    return tree::parse_number(name.substr(kBegin.size(), name.size() - kBegin.size() - kEnd.size()));
}

/// torch_npu writes profiler_info_{rank}.json to the folder {…}_ascend_pt above ASCEND_PROFILER_OUTPUT.
std::optional<std::uint64_t> rank_of(const std::string& path) {
    std::error_code failed;
    const std::filesystem::path folder = std::filesystem::absolute(path, failed).parent_path().parent_path();
    std::optional<std::uint64_t> rank;
    for (std::filesystem::directory_iterator file(folder, failed), end; !failed && file != end;
         file.increment(failed)) {
        const std::optional<std::uint64_t> number = rank_in_name(file->path().filename().string());
        if (number && rank && rank != number) {
            return std::nullopt;  // a folder of several ranks
        }
        rank = number ? number : rank;
    }
    ApiFile location;  // rank{N} above a trace has the same meaning as above an API dump
    api_dump::read_location(path, location);
    return rank ? rank : location.rank;
}

}  // namespace

Result<Trace> Trace::read(const std::string& path, const std::set<TaskIds>& wanted, const ApiTieOptions& options,
                          std::vector<Diagnostic>& diagnostics) {
    Trace trace(path);
    if (auto error = read_trace_file(path, options, [&](const TraceEvent& event) { trace.add(event, wanted); })) {
        return *std::move(error);
    }
    trace.finish();
    if (trace.flow_ends_.empty() && trace.is_whole_) {
        diagnostics.push_back(remarks::diagnose("trace_without_flows", {{"trace", path}}));
    }
    return trace;
}

void Trace::add(const TraceEvent& event, const std::set<TaskIds>& wanted) {
    is_whole_ = is_whole_ && !is_incomplete_operation(event);
    if (is_incomplete_operation(event) || !event.start_ns) {
        return;
    }
    const bool is_flow = (event.phase == "s" || event.phase == "f") && event.category == "async_npu";
    if (!is_flow && event.phase != "X") {
        return;
    }
    if (stored_ == kMostEvents) {
        is_whole_ = false;
    } else if (event.phase == "s") {
        ++stored_;
        flow_begins_.emplace(flow_id(event.id), HostPoint{thread_of(event), *event.start_ns});
    } else if (event.phase == "f") {
        ++stored_;
        flow_ends_.push_back({{thread_of(event), *event.start_ns}, flow_id(event.id)});
    } else {
        add_span(event, wanted);
    }
}

void Trace::add_span(const TraceEvent& event, const std::set<TaskIds>& wanted) {
    const std::int64_t start = *event.start_ns;
    const std::int64_t duration = event.duration_ns.value_or(0);
    const std::int64_t end = duration > INT64_MAX - start ? INT64_MAX : start + duration;
    const std::optional<std::uint64_t> stream = event.stream ? event.stream : event.physical_stream;
    const bool is_task = stream && event.task;
    if (!is_task && event.category != "cpu_op" && !event.name.starts_with("ProfilerStep#")) {
        return;
    }
    if (event.category == "cpu_op") {
        if (process_.empty()) {
            process_ = event.process;
        }
        is_whole_ = is_whole_ && event.process == process_;
    }
    if (!is_task) {
        ++stored_;
        host_.add({thread_of(event), number_of(event.name), start, end, event.sequence.value_or(-1)});
    } else if (const TaskIds ids(*stream, *event.task); wanted.contains(ids)) {
        ++stored_;
        launches_[ids].push_back({thread_of(event), number_of(event.name), start, end});
    }
}

std::uint32_t Trace::number_of(std::string_view name) {
    return names_.number_of(name.substr(0, kLongestName));
}

std::uint32_t Trace::thread_of(const TraceEvent& event) {
    std::string thread(event.process.substr(0, kLongestName));
    thread += '\0';
    thread += event.thread.substr(0, kLongestName);
    return names_.number_of(thread);
}

void Trace::finish() {
    rank_ = rank_of(path_);
    host_.finish(names_);
    for (auto& [ids, launches] : launches_) {
        std::sort(launches.begin(), launches.end(), [](const Launch& left, const Launch& right) {
            return std::tie(left.start, left.thread) < std::tie(right.start, right.thread);
        });
    }
    std::sort(flow_ends_.begin(), flow_ends_.end(), [](const FlowEnd& left, const FlowEnd& right) {
        return std::tie(left.at, left.id) < std::tie(right.at, right.id);
    });
}

const std::vector<Launch>& Trace::launches_of(const TaskIds& ids) const {
    static const std::vector<Launch> none;
    const auto known = launches_.find(ids);
    return known == launches_.end() ? none : known->second;
}

std::vector<HostCall> Trace::calls_of(const Launch& launch) const {
    std::vector<HostCall> calls;
    const HostPoint end{launch.thread, launch.start};
    auto flow = std::lower_bound(flow_ends_.begin(), flow_ends_.end(), end,
                                 [](const FlowEnd& other, const HostPoint& point) { return other.at < point; });
    for (std::size_t flows = 0; flow != flow_ends_.end() && flow->at == end && flows < kMostFlows; ++flow, ++flows) {
        const auto [first, last] = flow_begins_.equal_range(flow->id);
        for (auto begin = first; begin != last && calls.size() < kMostFlows; ++begin) {
            const std::optional<HostCall> call = call_at(begin->second);
            if (call && std::find(calls.begin(), calls.end(), *call) == calls.end()) {
                calls.push_back(*call);
            }
        }
    }
    return calls;
}

std::optional<HostCall> Trace::call_at(const HostPoint& point) const {
    constexpr HostOperations::Index kNone = HostOperations::kNone;
    const HostOperations::Index around = host_.around(point);
    if (around == kNone) {
        return std::nullopt;
    }
    const HostOperations::Index node = host_.backward_of(around);
    const HostOperations::Index inner = node == kNone ? around : host_.forward_of(node);
    const HostOperations::Index call = inner == kNone ? kNone : host_.call_of(inner);
    const HostOperations::Index shown = call != kNone ? call : node != kNone ? node : around;
    const HostOperations::ProfilerStep* const step = host_.step_of(shown);
    HostCall result;
    result.operation = names_.text_of(host_[shown].name);
    result.is_backward = node != kNone;
    result.is_call = call != kNone;
    result.of_its_name = result.is_call ? host_.count_of(call, step) : 0;
    result.step = step != nullptr ? std::optional(step->number) : std::nullopt;
    return result;
}

}  // namespace opdebug::api_ties
