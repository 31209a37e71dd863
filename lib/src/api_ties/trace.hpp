// A profiler's trace of the overflowed tasks: events, nested host operations, executions of each task, and the
// operation that launched it. All traces of a tree.
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include <opdebug/api.hpp>
#include <opdebug/result.hpp>

namespace opdebug::api_ties {

/// The used members of an event. The texts are valid during the call only.
struct TraceEvent {
    std::string_view phase, name, category, id, process, thread;
    std::optional<std::int64_t> start_ns, duration_ns;
    std::optional<std::uint64_t> stream, physical_stream, task;
    std::optional<std::int64_t> sequence;  ///< of torch's autograd
};

/// Reads a trace, plain or compressed; `use` receives each complete event. Formats: a list of events, or an object with
/// the list "traceEvents". Members of unexpected types count as missing. Memory grows only with the longest event
/// (Limits::call_bytes). Errors: those of reading a file; trace_invalid for other formats, and for a truncated or
/// damaged trace, of which `use` received a part; interrupted.
std::optional<Error> read_trace_file(const std::string& path, const ApiTieOptions& options,
                                     const std::function<void(const TraceEvent&)>& use);

/// Converts microseconds with a fraction, like "1699529623106750.790", to nanoseconds. A double is not precise enough
/// for current times. Empty for other texts and times out of range.
std::optional<std::int64_t> nanoseconds_in(std::string_view microseconds);

/// Numbers for strings.
class Names {
public:
    std::uint32_t number_of(std::string_view text);
    const std::string& text_of(std::uint32_t number) const { return *texts_[number]; }

private:
    std::unordered_map<std::string, std::uint32_t> numbers_;
    std::vector<const std::string*> texts_;
};

struct HostOperation {
    std::uint32_t thread = 0, name = 0;  ///< thread: number for process and thread
    std::int64_t start = 0, end = 0;     ///< nanoseconds
    std::int64_t sequence = -1;          ///< of autograd; negative: none
};

/// A time on one thread: the start of a flow.
struct HostPoint {
    std::uint32_t thread = 0;
    std::int64_t time = 0;

    // NOLINTNEXTLINE(modernize-use-nullptr): the check takes the comparison with 0 for one of pointers
    friend auto operator<=>(const HostPoint&, const HostPoint&) = default;
};

class HostOperations {
public:
    using Index = std::uint32_t;
    static constexpr Index kNone = static_cast<Index>(-1);

    void add(const HostOperation& operation) { all_.push_back(operation); }

    /// Sorts and nests the operations. Add nothing later.
    void finish(const Names& names);

    const HostOperation& operator[](Index index) const { return all_[index]; }

    /// The innermost operation around a point, or kNone.
    Index around(const HostPoint& point) const;

    /// The outermost operation of a library around this one or itself ("aten::linear" around "aten::addmm"): the call
    /// of the program. In a backward: the outermost inside the node. kNone: none has such a name.
    Index call_of(Index index) const;

    /// The autograd node around this one ("AddmmBackward0"). kNone: it is in no backward.
    Index backward_of(Index index) const;

    /// The forward operation that made a node: the last one before it with its sequence number, outside of backwards.
    /// kNone also if several threads have the number: each thread counts from 0.
    Index forward_of(Index node) const;

    /// A span ProfilerStep#N.
    struct ProfilerStep {
        std::int64_t start = 0, end = 0;
        std::uint64_t number = 0;
    };
    /// The step of an operation; null: none or unknown.
    const ProfilerStep* step_of(Index index) const;

    /// Number of calls of that name by the program in the step, or in the trace.
    std::size_t count_of(Index call, const ProfilerStep* step) const;

private:
    enum class Kind : std::uint8_t { other, library, node };
    struct Nested {
        Index parent = kNone;
        Kind kind = Kind::other;
        bool in_call = false, in_backward = false;  ///< inside another library operation, inside a node
    };

    void find_steps(const Names& names);
    void nest(const Names& names);

    std::vector<HostOperation> all_;   ///< by thread, start, and the longer one first
    std::vector<Nested> nested_;       ///< for each
    std::vector<Index> calls_;         ///< by name and start
    std::vector<Index> sequenced_;     ///< by sequence and start; outside of backwards
    std::vector<ProfilerStep> steps_;  ///< by start
};

/// Stream and task.
using TaskIds = std::pair<std::uint64_t, std::uint64_t>;

/// One execution of a task.
struct Launch {
    std::uint32_t thread = 0, name = 0;
    std::int64_t start = 0, end = 0;  ///< nanoseconds of the host's clock, UTC
};

/// The call of the program that launched a task.
struct HostCall {
    std::string operation;  ///< "aten::linear"; backward: its forward's, or the node ("AddmmBackward0")
    bool is_backward = false;
    bool is_call = false;               ///< false: only a node of a backward, or an operation of no library
    std::size_t of_its_name = 0;        ///< number of such calls in the step or trace
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

    /// False: events are left out, or operations have no name, thread or time, or are of several processes. Any calls
    /// and launches may be missing, because events are not sorted.
    bool is_whole() const noexcept { return is_whole_; }

    /// The executions of a task, by time.
    const std::vector<Launch>& launches_of(const TaskIds& ids) const;
    const std::string& name_of(const Launch& launch) const { return names_.text_of(launch.name); }

    /// The calls that launched it: one; none if the trace has no flow to it; several if flows share an id.
    std::vector<HostCall> calls_of(const Launch& launch) const;

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
    std::string process_;     ///< of the first operation
    std::size_t stored_ = 0;  ///< events
};

/// Code of the diagnostic on an unused trace. One trace may serve the dumps of several hosts. The message contains only
/// the trace's path and rank, so it is equal in each tie.
constexpr std::string_view kTraceUnused = "trace_unused";

/// Facts of the traces about one overflow.
struct Launching {
    std::vector<HostCall> calls;
    LocalizedText doubts;                         ///< parts of a sentence, each with a leading "; "
    std::optional<std::uint64_t> rank_of_device;  ///< rank of a trace, assumed for the overflow's device

    void doubt(const LocalizedText& words);
    bool is_certain() const noexcept { return !calls.empty() && doubts.en.empty() && !rank_of_device; }
};

/// Appends a part of a sentence.
void append_part(const LocalizedText& words, LocalizedText& text);

class Traces {
public:
    /// Reads the traces for the tasks of these overflows, each once. Skips and reports unreadable traces. Error:
    /// interrupted.
    static Result<Traces> read(const std::vector<KernelOverflow>& overflows, const ApiTieOptions& options,
                               std::vector<Diagnostic>& diagnostics);

    /// The calls that may have launched the overflow's task.
    Launching launching_of(const KernelOverflow& overflow);

    /// Traces that contradict overflows, or have no answer.
    std::vector<Diagnostic> diagnostics() const;

private:
    struct UsedTrace {
        Trace trace;
        bool is_used = false;                          ///< it has an answer
        std::size_t other_time = 0, other_kernel = 0;  ///< overflows that contradict it
    };
    static bool add_launches(UsedTrace& used, const KernelOverflow& overflow, Launching& launching);

    std::vector<UsedTrace> traces_;
    bool is_one_rank_ = false;  ///< all overflows are of one rank or device
};

}  // namespace opdebug::api_ties
