// The traces of a tree: which of them shows the launch of an overflow's task.
#include <algorithm>
#include <cctype>
#include <filesystem>
#include <functional>
#include <iterator>
#include <set>
#include <string_view>
#include <system_error>
#include <tuple>
#include <utility>

#include "api_dump/dump_files.hpp"
#include "api_ties/kernel_table.hpp"
#include "api_ties/trace.hpp"
#include "remarks/diagnose.hpp"
#include "tree/name.hpp"

namespace opdebug::api_ties {
namespace {

constexpr std::size_t kLongestName = 512;
/// A real trace of 290 MB has about 1 million relevant events with some thousand names; each event needs some 80 bytes.
constexpr std::size_t kMostEvents = 12'000'000;
/// Maximum distance of an overflow dump from its kernel. The same host writes the dump within milliseconds after the
/// kernel (inferred). Faster executions of one task cannot be distinguished.
constexpr std::int64_t kNear = 1'000'000'000;

/// Stream and task.
using TaskIds = std::pair<std::uint64_t, std::uint64_t>;
using Launches = std::vector<TraceSpan>;

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

}  // namespace

class Traces::Trace {
public:
    /// Errors: those of read_trace_file().
    static Result<Trace> read(const std::string& path, const std::set<TaskIds>& wanted, const ApiTieOptions& options) {
        Trace trace;
        trace.path = path;
        if (auto error = read_trace_file(path, options, [&](const TraceEvent& event) { trace.add(event, wanted); })) {
            return *std::move(error);
        }
        trace.rank = rank_of(path);
        trace.host_.finish(trace.names_);
        for (auto& [ids, launches] : trace.launches_) {
            std::sort(launches.begin(), launches.end(),
                      [](const TraceSpan& left, const TraceSpan& right) { return left.begin.time < right.begin.time; });
        }
        return trace;
    }

    /// The execution of the overflow's task at its time: the last one before it, if it is in it or near its end. Null:
    /// none, several at once, or a kernel of another type.
    const TraceSpan* launch_of(const KernelOverflow& overflow) const {
        const auto all = overflow.stream_id && overflow.task_id
                             ? launches_.find({*overflow.stream_id, *overflow.task_id})
                             : launches_.end();
        if (all == launches_.end() || !overflow.timestamp_us || *overflow.timestamp_us > INT64_MAX / 1000) {
            return nullptr;
        }
        const std::int64_t time = static_cast<std::int64_t>(*overflow.timestamp_us) * 1000;
        const Launches& launches = all->second;
        const auto after =
            std::upper_bound(launches.begin(), launches.end(), time,
                             [](std::int64_t when, const TraceSpan& launch) { return when < launch.begin.time; });
        if (after == launches.begin()) {
            return nullptr;
        }
        const TraceSpan& launch = *std::prev(after);
        const bool is_alone =
            launches.begin() == std::prev(after) || std::prev(after, 2)->begin.time != launch.begin.time;
        const bool is_near = launch.end >= time || time - launch.end <= kNear;
        return is_alone && is_near && fit_of(launch, overflow) != TypeFit::other ? &launch : nullptr;
    }

    TypeFit fit_of(const TraceSpan& launch, const KernelOverflow& overflow) const {
        return type_fit(names_.text_of(launch.name), type_of(overflow));
    }

    /// Empty: the trace has no flow to the launch, or flows from several calls, which share an id.
    std::optional<HostCall> call_of(const TraceSpan& launch) const {
        std::optional<HostCall> call;
        const auto [first, last] = flow_ends_.equal_range(launch.begin);
        for (auto flow = first; flow != last; ++flow) {
            const auto [begin, end] = flow_begins_.equal_range(flow->second);
            for (auto start = begin; start != end; ++start) {
                const std::optional<HostCall> other = host_.call_at(start->second, names_);
                if (call && other && *call != *other) {
                    return std::nullopt;
                }
                call = other ? other : call;
            }
        }
        return call;
    }

    bool has_flows() const noexcept { return !flow_ends_.empty(); }

    std::string path;
    std::optional<std::uint64_t> rank;
    /// False: events are left out, or operations have no name, thread or time, or are of several processes. Any calls
    /// and launches may be missing, because events are not sorted.
    bool is_whole = true;
    bool is_used = false;  ///< it shows the launch of an overflow

private:
    void add(const TraceEvent& event, const std::set<TaskIds>& wanted) {
        is_whole = is_whole && !is_incomplete_operation(event);
        const bool is_flow = (event.phase == "s" || event.phase == "f") && event.category == "async_npu";
        if (is_incomplete_operation(event) || !event.start_ns || (!is_flow && event.phase != "X")) {
            return;
        }
        if (stored_ == kMostEvents) {
            is_whole = false;
        } else if (!is_flow) {
            add_span(event, wanted);
        } else if (event.phase == "s") {
            ++stored_;
            flow_begins_.emplace(flow_id(event.id), begin_of(event));
        } else {
            ++stored_;
            flow_ends_.emplace(begin_of(event), flow_id(event.id));
        }
    }

    void add_span(const TraceEvent& event, const std::set<TaskIds>& wanted) {
        const std::int64_t start = *event.start_ns, duration = event.duration_ns.value_or(0);
        const std::optional<std::uint64_t> stream = event.stream ? event.stream : event.physical_stream;
        const bool is_task = stream && event.task, is_operation = event.category == "cpu_op";
        if (is_task ? !wanted.contains({*stream, *event.task})
                    : !is_operation && !event.name.starts_with("ProfilerStep#")) {
            return;
        }
        if (is_operation) {
            process_ = process_.empty() ? std::string(event.process) : process_;
            is_whole = is_whole && event.process == process_;
        }
        ++stored_;
        const TraceSpan span{begin_of(event), duration > INT64_MAX - start ? INT64_MAX : start + duration,
                             names_.number_of(event.name.substr(0, kLongestName)), event.sequence.value_or(-1)};
        is_task ? launches_[{*stream, *event.task}].push_back(span) : host_.add(span);
    }

    TracePoint begin_of(const TraceEvent& event) {
        std::string thread(event.process.substr(0, kLongestName));
        thread += '\0';
        thread += event.thread.substr(0, kLongestName);
        return {names_.number_of(thread), *event.start_ns};
    }

    Names names_;
    HostOperations host_;
    std::map<TaskIds, Launches> launches_;
    std::multimap<std::uint64_t, TracePoint> flow_begins_;  ///< by id
    std::multimap<TracePoint, std::uint64_t> flow_ends_;
    std::string process_;     ///< of the first operation
    std::size_t stored_ = 0;  ///< events
};

Traces::Traces() = default;
Traces::~Traces() = default;
Traces::Traces(Traces&&) noexcept = default;
Traces& Traces::operator=(Traces&&) noexcept = default;

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
        Result<Trace> trace = Trace::read(path, wanted, options);
        if (!trace && trace.error().code == ErrorCode::interrupted) {
            return std::move(trace).error();
        }
        if (!trace) {
            diagnostics.push_back(remarks::diagnose("trace_unread", {{"error", remarks::text_of(trace.error())}}));
            continue;
        }
        if (!trace->has_flows() && trace->is_whole) {
            diagnostics.push_back(remarks::diagnose("trace_without_flows", {{"trace", path}}));
        }
        all.traces_.push_back(std::move(*trace));
    }
    all.is_one_rank_ = ranks.size() <= 1;
    return all;
}

/// The traces of the overflow's rank, and those of an unknown one. Different calls exclude each other.
std::optional<Launching> Traces::launching_of(const KernelOverflow& overflow) {
    const std::optional<std::uint64_t> rank = overflow.rank ? overflow.rank : overflow.device_id;
    std::optional<Launching> launching;
    for (Trace& trace : traces_) {
        const bool may_be_its = !trace.rank || !rank || trace.rank == rank;
        const TraceSpan* const launch = may_be_its ? trace.launch_of(overflow) : nullptr;
        std::optional<HostCall> call = launch != nullptr ? trace.call_of(*launch) : std::nullopt;
        trace.is_used = trace.is_used || launch != nullptr;
        if (!call || (launching && launching->call == *call)) {
            continue;
        }
        if (launching) {
            return std::nullopt;
        }
        launching = Launching{std::move(*call), {}, {}};
        const auto doubt = [&launching](bool is_doubtful, std::string_view id) {
            if (is_doubtful) {
                launching->doubts.push_back(remarks::phrase(id));
            }
        };
        doubt(!rank || (!trace.rank && !(is_one_rank_ && traces_.size() == 1)), "tie_doubt.rank");
        doubt(!trace.is_whole, "tie_doubt.not_whole");
        doubt(trace.fit_of(*launch, overflow) == TypeFit::unknown, "tie_doubt.type");
        if (trace.rank && !overflow.rank) {
            launching->rank_of_device = trace.rank;
        }
    }
    return launching;
}

std::vector<Diagnostic> Traces::unused() const {
    std::vector<Diagnostic> diagnostics;
    for (const Trace& trace : traces_) {
        if (!trace.is_used) {
            diagnostics.push_back(remarks::diagnose(
                kTraceUnused,
                {{"trace", trace.path},
                 {"rank", trace.rank ? remarks::phrase("of_its_rank", {{"rank", *trace.rank}}) : LocalizedText()}}));
        }
    }
    return diagnostics;
}

}  // namespace opdebug::api_ties
