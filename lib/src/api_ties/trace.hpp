// A profiler's trace of the tasks that overflowed: when each was executed, and which operation of the host launched it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include <opdebug/api_ties.hpp>
#include <opdebug/result.hpp>

#include "api_ties/host_operations.hpp"
#include "api_ties/trace_file.hpp"

namespace opdebug::api_ties {

/// Stream and task.
using TaskIds = std::pair<std::uint64_t, std::uint64_t>;

/// One execution of a task.
struct Launch {
    std::uint32_t thread = 0, name = 0;
    std::int64_t start = 0, end = 0;  ///< nanoseconds of the host's clock, UTC
};

/// The call of the program that launched a task.
struct HostCall {
    std::string operation;  ///< "aten::linear"; of a backward that of its forward, else the node ("AddmmBackward0")
    bool is_backward = false;
    bool is_call = false;               ///< false: only the node of a backward is known, or an operation of no library
    std::size_t of_its_name = 0;        ///< how many such calls the step or the trace has
    std::optional<std::uint64_t> step;  ///< N of ProfilerStep#N

    friend bool operator==(const HostCall&, const HostCall&) = default;
};

class Trace {
public:
    /// Reads a trace for these tasks. Errors: those of read_trace_file().
    static Result<Trace> read(const std::string& path, const std::set<TaskIds>& wanted, const ApiTieOptions& options,
                              std::vector<Diagnostic>& diagnostics);

    const std::string& path() const noexcept { return path_; }
    std::optional<std::uint64_t> rank() const noexcept { return rank_; }

    /// False: calls and launches may be missing anywhere, for nothing sorts events.
    bool is_whole() const noexcept { return is_whole_; }

    /// The executions of a task, by time.
    const std::vector<Launch>& launches_of(const TaskIds& ids) const;
    const std::string& name_of(const Launch& launch) const { return names_.text_of(launch.name); }

    /// The calls that launched it: one, or none where the trace has no flow to it; several where flows share an id.
    std::vector<HostCall> calls_of(const Launch& launch) const;

    /// Whether a time, in nanoseconds, is in the trace or at most a minute from it.
    bool covers(std::int64_t time) const noexcept;

private:
    struct FlowEnd {
        HostPoint at;
        std::uint64_t id = 0;
    };

    explicit Trace(std::string path) : path_(std::move(path)) {}

    void add(const TraceEvent& event, const std::set<TaskIds>& wanted);
    void add_span(const TraceEvent& event, const std::set<TaskIds>& wanted);
    std::uint32_t number_of(std::string_view name);
    std::uint32_t thread_of(const TraceEvent& event);
    void finish();
    std::optional<HostCall> call_at(const HostPoint& point) const;

    std::string path_;
    std::optional<std::uint64_t> rank_;
    Names names_;
    HostOperations host_;
    std::map<TaskIds, std::vector<Launch>> launches_;
    std::multimap<std::uint64_t, HostPoint> flow_begins_;  ///< by id
    std::vector<FlowEnd> flow_ends_;
    bool is_whole_ = true;
    std::size_t kept_ = 0, left_out_ = 0;                ///< events
    std::size_t incomplete_ = 0;                         ///< operations without name, thread or time
    std::int64_t first_ = INT64_MAX, last_ = INT64_MIN;  ///< nanoseconds
};

}  // namespace opdebug::api_ties
