// A profiler's traces: which call of the program launched the task of an overflow.
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include <opdebug/api.hpp>

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
    std::uint32_t number_of(std::string_view text) {
        const auto [slot, is_new] = numbers_.try_emplace(std::string(text), static_cast<std::uint32_t>(texts_.size()));
        if (is_new) {
            texts_.push_back(&slot->first);
        }
        return slot->second;
    }
    const std::string& text_of(std::uint32_t number) const { return *texts_[number]; }

private:
    std::unordered_map<std::string, std::uint32_t> numbers_;
    std::vector<const std::string*> texts_;
};

/// A time on one thread, which is a number for process and thread.
struct TracePoint {
    std::uint32_t thread = 0;
    std::int64_t time = 0;  ///< nanoseconds

    // NOLINTNEXTLINE(modernize-use-nullptr): the check takes the comparison with 0 for one of pointers
    friend auto operator<=>(const TracePoint&, const TracePoint&) = default;
};

/// An operation of the host, or one execution of a task.
struct TraceSpan {
    TracePoint begin;
    std::int64_t end = 0;  ///< nanoseconds
    std::uint32_t name = 0;
    std::int64_t sequence = -1;  ///< of autograd; negative: none
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

/// The operations of the host, nested by time.
class HostOperations {
public:
    void add(const TraceSpan& operation) { all_.push_back({operation}); }

    /// Sorts and nests the operations. Add nothing later.
    void finish(const Names& names);

    /// The call around a point: the outermost operation of a library ("aten::linear" around "aten::addmm"). In a
    /// backward, that of its forward: the last one before it with its sequence number, if one thread only has it.
    std::optional<HostCall> call_at(const TracePoint& point, const Names& names) const;

private:
    using Index = std::uint32_t;
    static constexpr Index kNone = static_cast<Index>(-1);
    enum class Kind : std::uint8_t { other, library, node };
    struct Operation : TraceSpan {
        Index parent = kNone;
        Kind kind = Kind::other;
        bool in_call = false, in_backward = false;  ///< inside another library operation, inside a node
    };
    struct ProfilerStep {
        std::int64_t start = 0, end = 0;
        std::uint64_t number = 0;
    };
    using StepNumber = std::optional<std::uint64_t>;

    void find_steps(const Names& names);
    void nest(const Names& names);
    Index around(const TracePoint& point) const;
    Index node_of(Index index) const;
    Index call_of(Index index) const;
    Index forward_of(Index node) const;
    StepNumber step_of(Index index) const;

    std::vector<Operation> all_;                                         ///< by thread, start, and the longer one first
    std::vector<ProfilerStep> steps_;                                    ///< by start
    std::map<std::pair<StepNumber, std::uint32_t>, std::size_t> calls_;  ///< by step and name
    std::unordered_map<std::int64_t, std::vector<Index>> sequenced_;     ///< library operations outside of backwards
};

/// Code of the diagnostic on an unused trace. One trace may serve the dumps of several hosts. The message contains only
/// the trace's path and rank, so it is equal in each tie.
constexpr std::string_view kTraceUnused = "trace_unused";

/// The call that launched an overflow's task.
struct Launching {
    HostCall call;
    std::vector<LocalizedText> doubts;
    std::optional<std::uint64_t> rank_of_device;  ///< rank of a trace, assumed for the overflow's device
};

class Traces {
public:
    /// Reads the traces for the tasks of these overflows, each once. Skips and reports unreadable traces. Error:
    /// interrupted.
    static Result<Traces> read(const std::vector<KernelOverflow>& overflows, const ApiTieOptions& options,
                               std::vector<Diagnostic>& diagnostics);

    /// The call that launched the overflow's task. Empty: no trace shows it, or several calls are possible.
    std::optional<Launching> launching_of(const KernelOverflow& overflow);

    /// Traces that show the launch of no overflow.
    std::vector<Diagnostic> unused() const;

    Traces();
    ~Traces();
    Traces(Traces&&) noexcept;
    Traces& operator=(Traces&&) noexcept;

private:
    class Trace;

    std::vector<Trace> traces_;
    bool is_one_rank_ = false;  ///< all overflows are of one rank or device
};

}  // namespace opdebug::api_ties
