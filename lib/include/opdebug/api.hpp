// API dumps of frameworks: reading them, the call that made the first bad value, and ties to overflow dumps.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <opdebug/export.h>
#include <opdebug/result.hpp>

namespace opdebug {
inline namespace v0 {

// API dumps of PyTorch and MindSpore tools: dump.json of msprobe, .pkl text of ptdbg_ascend, statistic.csv. Reads them
// call by call, in execution order. Formats: docs/internals/api-rules.md.

/// Format of a file, by the tool that wrote it.
enum class ApiSource { msprobe, ptdbg, statistic_csv };

/// "msprobe", "ptdbg" or "statistic_csv". Static storage.
OPDEBUG_API std::string_view to_string(ApiSource source) noexcept;

/// Framework of the calls.
enum class ApiFramework { unknown, pytorch, mindspore };

/// Phase of a call. kernel: a group of rows in statistic.csv. parameters_grad: gradients of the parameters of a module.
/// debug: a value saved by the user.
enum class ApiPhase { forward, backward, parameters_grad, kernel, debug };

/// Role of a value: positional argument (or gradient that enters a backward), keyword argument, module parameter,
/// result (or gradient that a backward returns).
enum class ApiValueKind { input, keyword, parameter, output };

/// "input", "kwargs", "parameters", "output": as in names of msprobe's files. Static storage.
OPDEBUG_API std::string_view to_string(ApiValueKind kind) noexcept;

/// Statistics of a tensor, or value of a scalar.
struct ApiValue {
    ApiValueKind kind = ApiValueKind::input;
    std::string index;  ///< position in nested values: "0", "1.0", "mask"; as in msprobe's file names
    bool is_scalar = false;
    std::string dtype;  ///< NumPy's name ("float16"), or the tool's without prefix ("bfloat16", "HiFloat8Tensor")
    std::vector<std::uint64_t> shape;
    std::optional<double> max,
        min;  ///< as written, NaN and infinite included; empty: not computed. Scalars: both are the value
    std::optional<double> norm;
    /// statistic.csv: numbers of values that are not finite; empty: no such column.
    std::optional<std::uint64_t> nan, pos_inf, neg_inf;
    std::string checksum;   ///< "md5" in the file; may be empty
    std::string data_name;  ///< file of the values next to the dump; empty: none
};

/// Communication of a call with other ranks.
struct ApiCommunication {
    std::vector<std::int64_t> group_ranks;  ///< empty: unknown; then the default group, or that of group_id
    std::string group_id;
    std::string group_name;                 ///< of torch_npu and MindSpore, instead of ranks and id
    std::string reduction;                  ///< "SUM", "MAX", ...; empty: unknown
    std::string operation;                  ///< P2POp: "isend" or "irecv"; empty otherwise
    std::optional<std::int64_t> peer, tag;  ///< P2POp
    std::size_t value = 0;                  ///< P2POp: index in ApiEntry::values; past the end: not dumped
    bool is_result = false;                 ///< P2POp: part of the output
};

/// A call, or a kernel of statistic.csv.
struct ApiEntry {
    std::string
        name;  ///< as written: "Functional.linear.145.backward", ptdbg up to 5.0 "Functional_linear_145_backward"
    std::uint64_t position = 0;  ///< in its file, from 0
    ApiPhase phase = ApiPhase::forward;
    std::string api;  ///< without count and phase, dots between: "Functional.linear"; a module's path and class
    std::optional<std::uint64_t> count;  ///< which call of the API in this step and process
    bool is_module = false;
    bool is_recompute = false;
    /// The file contains the inputs of the call, possibly none. false: inputs were not dumped (data_mode of msprobe)
    /// and are unknown.
    bool inputs_dumped = true;
    /// Inputs were measured after the call, so `in-place` APIs show their result (msprobe before 1.2.0, ptdbg).
    bool inputs_after_call = false;
    bool placed_early = false;  ///< parameters_grad at the position of the module's forward: not in execution order
    std::optional<std::int64_t> is_nan;  ///< task nan_check: value of the register; empty: not read
    bool is_nan_unread = false;          ///< the register could not be read
    bool is_listed_overflow = false;     ///< the file lists overflowed calls only, so this one overflowed
    std::vector<ApiValue> values;        ///< in the order of the file
    std::vector<ApiCommunication> communication;
    std::optional<std::uint64_t> task_id, stream_id, timestamp_us;  ///< statistic.csv
    /// Hash of the arguments that are in no other member: texts, types, slices. Devices do not count. 0: none.
    std::uint64_t other_arguments = 0;
};

/// Facts about the complete file.
struct ApiFile {
    std::string file;
    ApiSource source = ApiSource::msprobe;
    ApiFramework framework = ApiFramework::unknown;
    std::string task, level;            ///< msprobe: "statistics", "overflow_check", ...; "L1", ...
    std::string version;                ///< ptdbg: "4.0", from the folder
    bool lists_overflows_only = false;  ///< overflow_check, overflow files of ptdbg: every entry overflowed
    std::optional<std::uint64_t> step;
    std::optional<std::uint64_t> rank;     ///< empty: unknown, or the number is a process id
    std::optional<std::uint64_t> process;  ///< proc{pid}, pid{pid}, ptdbg's placeholders
    std::uint64_t entries = 0;
    bool complete = true;  ///< false: truncated, damaged, or an entry exceeded a limit
    std::vector<Diagnostic> diagnostics;
};

/// Options of all functions that read API dumps.
struct ApiReadOptions {
    /// Called from time to time; true stops with the error interrupted.
    std::function<bool()> stop;
    Limits limits;
};

/// The format of a file, by its first bytes; empty: no API dump. Errors: those of reading a file. Thread-safe.
OPDEBUG_API Result<std::optional<ApiSource>> api_source_of(const std::string& path);

/// Reads a file call by call. `use` receives each complete entry in file order and owns it. Step, rank and version come
/// from the path. Memory depends on the longest entry, not on the file.
/// If the file is truncated, its complete entries are read, and a diagnostic of severity error (api_dump_cut) is added.
/// An entry that exceeds a limit after other entries has the same effect (call_too_large, nesting_too_deep).
/// Errors: those of reading a file; the codes of limits if no entry is readable; api_dump_invalid for an unknown
/// format; pickle_refused for a binary pickle, which is never loaded. Thread-safe.
OPDEBUG_API Result<ApiFile> read_api_dump(const std::string& path, const ApiReadOptions& options,
                                          const std::function<void(ApiEntry&&)>& use);

/// The call stack of one call.
struct ApiStack {
    std::string name;                 ///< of the call, as given
    std::vector<std::string> frames;  ///< innermost first
};

/// Call stacks of the named calls: from stack.json next to the dump, or from the stack lines of a .pkl. A backward call
/// has the stack of its forward call. Names without a stack are omitted. Errors: those of reading a file;
/// api_dump_invalid, also for a truncated stack.json. Thread-safe.
OPDEBUG_API Result<std::vector<ApiStack>> read_api_stacks(const std::string& dump,
                                                          const std::vector<std::string>& names,
                                                          const ApiReadOptions& options = {});

// The API call that produced the first bad value of a run: a verdict for each call, the first culprit of each step and
// rank, and the order of ranks. Rules: docs/internals/api-rules.md.

/// State of a value, worst last. unknown: without statistics. near_limit: not bad: a float16 value above half of the
/// largest one, or an 8-bit one at its limit, to which quantisation scales. limit: the largest finite magnitude of the
/// type, where saturating arithmetic stops.
enum class ApiState { unknown, clean, near_limit, limit, inf, nan };

/// "unknown", "clean", "near_limit", "limit", "inf", "nan". Static storage.
OPDEBUG_API std::string_view to_string(ApiState state) noexcept;

/// Verdict on a call. Rules: docs/internals/api-rules.md, "Verdicts".
enum class ApiVerdict {
    clean,          ///< no bad value: no finding
    born_here,      ///< inputs clean, an output NaN or infinite
    inherited,      ///< an input is bad
    absorbed,       ///< an input is bad, the outputs are clean
    weight,         ///< only a weight is bad: it was written at the end of the previous step
    saturated,      ///< inputs clean, an output at the limit of its type
    in_collective,  ///< a call between ranks returned a bad value, without a known bad input
    process,        ///< the overflow register was set, but no value is bad
    deliberate,     ///< the bad values are intended masks and constants
    unknown,        ///< an output is bad, the inputs are unknown
};

/// "born_here", ...: the names in JSON.
OPDEBUG_API std::string_view to_string(ApiVerdict verdict) noexcept;

/// A value of a call with its state.
struct ApiFindingValue {
    ApiValue value;
    ApiState state = ApiState::unknown;
};

/// A call that is not clean.
struct ApiFinding {
    ApiSource source = ApiSource::msprobe;
    std::optional<std::uint64_t> step, rank, process;
    std::optional<std::uint64_t> from_rank;  ///< the bad value came from this rank
    std::string api;                         ///< name of the entry as written
    std::uint64_t position = 0;              ///< in its file
    ApiVerdict verdict = ApiVerdict::unknown;
    std::string because, because_zh;      ///< reason with the values
    std::vector<ApiFindingValue> values;  ///< the bad ones, and the inputs of a call that made them
    std::vector<std::string> stack;
    std::string file;
    /// statistic.csv: type, ids and time of the kernel, if the row contains them.
    std::string operator_type;
    std::optional<std::uint64_t> task_id, stream_id, timestamp_us;
    std::vector<Diagnostic> remarks;  ///< doubts, producers and consumers of the value, next step

    /// The reason; English where there is no Chinese one.
    const std::string& because_in(Language language) const noexcept {
        return language == Language::chinese && !because_zh.empty() ? because_zh : because;
    }
};

/// Numbers of files and entries. failed: paths, folders and files that could not be read.
struct ApiCounts {
    std::uint64_t files = 0, entries = 0, steps = 0, ranks = 0, failed = 0;
};

/// Content of "opdebug.api_report/1".
struct ApiReport {
    std::vector<std::string> inputs;
    ApiCounts counts;
    std::vector<ApiFinding> first;     ///< the earliest culprits of the earliest step; several: their order is unknown
    std::vector<ApiFinding> findings;  ///< by step, rank, position; several runs one after the other
    std::vector<Error> failures;
    std::vector<Diagnostic> diagnostics;
    bool complete = true;  ///< false: stopped early
};

/// Options for reading and judging API dumps.
struct ApiOptions {
    ApiReadOptions read;
    /// Maximum of listed findings for each verdict and file, because nearly every call after a NaN is a finding. First
    /// culprits are always listed. Code: findings_left_out. The first culprit does not depend on numbers up to 1000.
    std::uint64_t findings_per_verdict = 1000;
    unsigned threads = 0;  ///< 0: one for each core. The result does not depend on it
};

/// Finds, reads and judges the API dumps in the given paths: dump roots, step folders, rank folders, single files. By
/// name, then by content. Errors: file_not_found, permission_denied or read_failed if no path can be used; interrupted.
/// Thread-safe.
OPDEBUG_API Result<ApiReport> find_api_culprits(const std::vector<std::string>& paths, const ApiOptions& options = {});

// Ties between API calls and overflow dumps of one tree, each with its confidence. Only a profiler trace names both
// sides.

/// Confidence of a tie, best first. exact: a trace of the run names the operation that launched the task. type_only:
/// the operator type matches, or a trace names the operation, and other pairs are possible. rank_or_device_only: only
/// rank and step match.
enum class ApiTieLevel { exact, type_only, rank_or_device_only };

/// "exact", "type_only", "rank_or_device_only". Static storage.
OPDEBUG_API std::string_view to_string(ApiTieLevel level) noexcept;

/// Facts about an overflow dump for ties.
struct KernelOverflow {
    std::string file;
    std::optional<std::uint64_t> timestamp_us;
    std::optional<std::uint64_t> step, rank, device_id;  ///< from the path; the device also from the record
    std::optional<std::uint64_t> stream_id, task_id;     ///< of the located task
    std::string operator_type, operator_name, kernel;    ///< empty: unknown
};

/// A tie between an overflow and a call.
struct ApiTie {
    ApiTieLevel level = ApiTieLevel::rank_or_device_only;
    std::size_t overflow = 0;  ///< index in the overflows given
    /// Index in ApiReport::findings; empty: a trace names a call that is no finding.
    std::optional<std::size_t> finding;
    std::string api;      ///< call of the finding, or host operation in a trace
    std::string because;  ///< English reason: matches and assumptions
    std::string because_zh = {};

    /// The reason; English where there is no Chinese one.
    const std::string& because_in(Language language) const noexcept {
        return language == Language::chinese && !because_zh.empty() ? because_zh : because;
    }
};

/// All ties of a tree, and their assumptions.
struct ApiTies {
    /// By overflow, then by confidence, then by finding; at most 5 for each overflow.
    std::vector<ApiTie> ties;
    std::vector<Diagnostic> diagnostics;  ///< assumptions (rank and device), damaged traces, omitted ties
};

/// Optional input for ties.
struct ApiTieOptions {
    std::vector<std::string> traces;  ///< trace_view.json of PyTorch's Ascend profiler, plain or compressed
    std::function<bool()> stop;       ///< called from time to time; true stops with the error interrupted
    Limits limits;
};

/// Ties overflows to findings. An unreadable trace is a diagnostic (trace_unread, severity error). Error: interrupted.
/// Thread-safe.
OPDEBUG_API Result<ApiTies> tie_api_findings(const ApiReport& report, const std::vector<KernelOverflow>& overflows,
                                             const ApiTieOptions& options = {});

}  // namespace v0
}  // namespace opdebug
