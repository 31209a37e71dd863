// API dumps of PyTorch and MindSpore tools: dump.json of msprobe, .pkl text of ptdbg_ascend, statistic.csv. Reads them
// call by call, in execution order. Formats: docs/api-dumps.md.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <opdebug/export.h>
#include <opdebug/limits.hpp>
#include <opdebug/result.hpp>

namespace opdebug {
inline namespace v0 {

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
    std::string group_name;  ///< of torch_npu and MindSpore, instead of ranks and id
    std::string operation;   ///< P2POp: "isend" or "irecv"; empty otherwise
    std::string reduction;   ///< "SUM", "MAX", ...; empty: unknown
    std::optional<std::int64_t> peer, tag, source, destination;  ///< of arguments and P2POp
    std::size_t value = 0;   ///< P2POp: index in ApiEntry::values; past the end: not dumped
    bool is_result = false;  ///< P2POp: part of the output
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
    /// Inputs were measured after the call, so in-place APIs show their result (msprobe before 1.2.0, ptdbg).
    bool inputs_after_call = false;
    bool placed_early = false;  ///< parameters_grad at the position of the module's forward: not in execution order
    std::optional<std::int64_t> is_nan;  ///< task nan_check: value of the register; empty: not read
    bool is_nan_unread = false;          ///< the register could not be read
    std::vector<ApiValue> values;        ///< in the order of the file
    std::vector<ApiCommunication> communication;
    std::optional<std::uint64_t> task_id, stream_id, timestamp_us;  ///< statistic.csv
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

/// API dumps below some paths.
struct ApiTree {
    std::vector<std::string> files;  ///< in path order
    std::vector<Error> failures;     ///< unreadable paths and folders
};

/// Finds API dumps in the given paths: dump roots, step folders, rank folders, single files. By name, then by content.
/// Errors: file_not_found, permission_denied or read_failed if no path can be used; interrupted. Thread-safe.
OPDEBUG_API Result<ApiTree> find_api_dumps(const std::vector<std::string>& paths, const ApiReadOptions& options = {});

}  // namespace v0
}  // namespace opdebug
