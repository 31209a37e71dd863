// What a profiler's trace says of the tasks that overflowed: which operations of the host launched them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <opdebug/api_ties.hpp>

#include "api_ties/host_operations.hpp"
#include "api_ties/trace_event.hpp"

namespace opdebug::api_ties {

/// Stream and task.
using TaskIds = std::pair<std::uint64_t, std::uint64_t>;

/// One execution of a task.
struct Launch {
    std::uint32_t thread = 0, name = 0;
    std::int64_t start = 0, end = 0;  ///< nanoseconds of the host's clock, UTC
};

/// The call of the program behind a launch.
struct HostCall {
    std::string operation;  ///< "aten::linear"; of a backward that of its forward, else the node ("AddmmBackward0")
    bool is_backward = false;
    bool is_call = false;               ///< false: only the node of a backward is known, or an operation of no library
    std::uint64_t nth = 0;              ///< which of its name in the step, or in the trace; from 0
    std::uint64_t of_its_name = 0;      ///< how many there are
    std::optional<std::uint64_t> step;  ///< N of ProfilerStep#N
    std::string process;
    friend bool operator==(const HostCall&, const HostCall&) = default;
};

class Trace {
public:
    /// Reads a trace for these tasks. Errors: those of read_trace_file(). Remarks go to `diagnostics`.
    static Result<Trace> read(const std::string& path, const std::set<TaskIds>& wanted, const ApiTieOptions& options,
                              std::vector<Diagnostic>& diagnostics);

    const std::string& path() const noexcept { return path_; }
    std::optional<std::uint64_t> rank() const noexcept { return rank_; }

    /// False: it is cut or damaged, too large, or has incomplete operations; calls and launches may be missing
    /// anywhere, for nothing sorts events.
    bool is_whole() const noexcept { return is_whole_; }

    /// The executions of a task, by time; null where there are none.
    const std::vector<Launch>* launches_of(const TaskIds& ids) const;
    const std::string& name_of(const Launch& launch) const { return names_.text_of(launch.name); }

    /// The calls behind it: one, or none where the trace has no flow to it; several where flows share an id.
    std::vector<HostCall> calls_behind(const Launch& launch) const;

    /// Whether a time, in nanoseconds, is that of the trace or up to a minute beside it.
    bool is_of_its_time(std::int64_t time) const noexcept;

private:
    struct FlowEnd {
        std::uint64_t id = 0;
        HostPoint at;
    };
    explicit Trace(std::string path) : path_(std::move(path)) {}

    void add(const TraceEvent& event, const std::set<TaskIds>& wanted);
    void add_flow(const TraceEvent& event);
    void add_span(const TraceEvent& event, const std::set<TaskIds>& wanted);
    std::uint32_t number_of(std::string_view name);
    std::uint32_t thread_of(const TraceEvent& event);
    void finish();
    std::vector<HostPoint> begins_of(const std::vector<FlowEnd>& ends, const std::vector<FlowEnd>& begins,
                                     const HostPoint& end) const;
    std::optional<HostCall> call_at(const HostPoint& point) const;
    HostOperations::Index forward_of(HostOperations::Index node) const;

    std::string path_;
    std::optional<std::uint64_t> rank_;
    Names names_;
    HostOperations host_;
    std::map<TaskIds, std::vector<Launch>> launches_;
    std::vector<FlowEnd> begins_, ends_;                   ///< of launches; by id, by place
    std::vector<FlowEnd> forward_begins_, backward_ends_;  ///< from forwards to backwards
    bool is_whole_ = true;
    std::size_t kept_ = 0, left_out_ = 0;                ///< events
    std::size_t incomplete_ = 0;                         ///< operations without name, place or time, left out
    std::int64_t first_ = INT64_MAX, last_ = INT64_MIN;  ///< nanoseconds
};

}  // namespace opdebug::api_ties
