// Dumps of single API calls, as PyTorch's and MindSpore's tools write them: msprobe's dump.json, the .pkl text of
// ptdbg_ascend, statistic.csv. Reads them call by call, in the order of execution. docs/api-dumps.md has the forms.
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

/// Which tool's form a file has.
enum class ApiSource { msprobe, ptdbg, statistic_csv };

/// "msprobe", "ptdbg" or "statistic_csv". Static storage.
OPDEBUG_API std::string_view to_string(ApiSource source) noexcept;

/// Whose calls were dumped.
enum class ApiFramework { unknown, pytorch, mindspore };

/// What is done in a call. kernel: a row group of a statistic.csv; parameters_grad: the gradients of a module's
/// parameters, which no call made; debug: a value that the user had saved.
enum class ApiPhase { forward, backward, parameters_grad, kernel, debug };

/// What a value is to the call: positional argument (or gradient that enters a backward), named argument, parameter of
/// a module, result (or gradient that a backward gives).
enum class ApiValueKind { input, keyword, parameter, output };

/// "input", "kwargs", "parameters", "output": as in names of msprobe's files. Static storage.
OPDEBUG_API std::string_view to_string(ApiValueKind kind) noexcept;

/// A tensor's statistics, or a scalar's value.
struct ApiValue {
    ApiValueKind kind = ApiValueKind::input;
    std::string index;  ///< position in nested values: "0", "1.0", "mask"; as in msprobe's file names
    bool is_scalar = false;
    std::string dtype;  ///< NumPy's name ("float16"), or the tool's without prefix ("bfloat16", "HiFloat8Tensor")
    std::vector<std::uint64_t> shape;
    std::optional<double> max,
        min;  ///< as written, may be NaN or infinite; nothing: not computed. Scalars: the value in both
    std::optional<double> norm;
    /// statistic.csv: how many values are not finite; nothing where it has no such column.
    std::optional<std::uint64_t> nan, pos_inf, neg_inf;
    std::string checksum;   ///< "md5" of the file, where there is one
    std::string data_name;  ///< file of the values beside the dump; empty: none
};

/// What ties a call to calls of other ranks.
struct ApiCommunication {
    std::vector<std::int64_t> group_ranks;  ///< empty: not told; then the default group, or that of group_id
    std::string group_id;
    std::string group_name;                                      ///< of torch_npu and MindSpore, instead of the others
    std::string operation;                                       ///< P2POp: "isend" or "irecv"; empty otherwise
    std::string reduction;                                       ///< "SUM", "MAX", ...; empty: not told
    std::optional<std::int64_t> peer, tag, source, destination;  ///< of arguments and P2POp
    std::size_t value = 0;   ///< P2POp: index of its tensor in ApiEntry::values; beyond its end where none was dumped
    bool is_result = false;  ///< P2POp: stands in the output
};

/// One call, or one kernel of a statistic.csv.
struct ApiEntry {
    std::string
        name;  ///< as written: "Functional.linear.145.backward", ptdbg up to 5.0 "Functional_linear_145_backward"
    std::uint64_t position = 0;  ///< in its file, from 0
    ApiPhase phase = ApiPhase::forward;
    std::string api;  ///< without count and phase, dots between: "Functional.linear"; a module's path and class
    std::optional<std::uint64_t> count;  ///< which call of the API in this step and process
    bool is_module = false;
    bool is_recompute = false;
    /// The file has the call's inputs, if only an empty list of them: false where it lacks them, as with msprobe's
    /// data_mode. Nothing is known of them then.
    bool inputs_dumped = true;
    /// Inputs were measured after the call: in-place APIs show their result there (msprobe before 1.2.0, ptdbg).
    bool inputs_after_call = false;
    bool placed_early = false;  ///< parameters_grad written where the module's forward is: its place means nothing
    std::optional<std::int64_t> is_nan;  ///< task nan_check: what the register said; nothing: not asked or not read
    bool is_nan_unread = false;          ///< it was asked, and could not be read
    std::vector<ApiValue> values;        ///< in the order of the file
    std::vector<ApiCommunication> communication;
    std::optional<std::uint64_t> task_id, stream_id, timestamp_us;  ///< statistic.csv
};

/// What a file says as a whole.
struct ApiFile {
    std::string file;
    ApiSource source = ApiSource::msprobe;
    ApiFramework framework = ApiFramework::unknown;
    std::string task, level;            ///< msprobe: "statistics", "overflow_check", ...; "L1", ...
    std::string version;                ///< ptdbg: "4.0", from the folder
    bool lists_overflows_only = false;  ///< overflow_check, ptdbg's overflow files: to be listed is the flag
    std::optional<std::uint64_t> step;
    std::optional<std::uint64_t> rank;     ///< nothing: not known, also where the number stands for a process
    std::optional<std::uint64_t> process;  ///< proc{pid}, pid{pid}, ptdbg's placeholders
    std::uint64_t entries = 0;
    bool complete = true;  ///< false: cut, damaged, or an entry passed a limit; the whole entries before were read
    std::vector<Diagnostic> diagnostics;
};

/// Of all functions that read API dumps.
struct ApiReadOptions {
    /// Asked now and then; true ends the reading early: the error is interrupted.
    std::function<bool()> stop;
    Limits limits;
};

/// Whether a file is read by read_api_dump(), by its first bytes. Error: those of reading a file. Thread-safe.
OPDEBUG_API Result<std::optional<ApiSource>> api_source_of(const std::string& path);

/// Reads a file call by call; `use` gets each whole entry in the order of the file, and the entry is its own. Step,
/// rank and version come from the path. Memory does not grow with the file, but with its longest entry. A file that
/// ends early gives its whole entries and a diagnostic of severity error (api_dump_cut); so does one with an entry that
/// passes a limit behind others (call_too_large, nesting_too_deep). Errors: those of reading a file; the same two where
/// no entry stands in front; api_dump_invalid when it has none of the forms; pickle_refused for a binary pickle, which
/// is never unpickled. Thread-safe.
OPDEBUG_API Result<ApiFile> read_api_dump(const std::string& path, const ApiReadOptions& options,
                                          const std::function<void(ApiEntry&&)>& use);

/// The call stack of one call.
struct ApiStack {
    std::string name;                 ///< of the call, as it was asked for
    std::vector<std::string> frames;  ///< innermost first
};

/// Call stacks of the calls named: from stack.json beside the dump, or the stack lines of a .pkl. Backwards have those
/// of their forwards. Names without a stack are missing, and without a stack.json all are. Errors: those of reading a
/// file; api_dump_invalid, also for a stack.json that is cut in front of all the stacks. Thread-safe.
OPDEBUG_API Result<std::vector<ApiStack>> read_api_stacks(const std::string& dump,
                                                          const std::vector<std::string>& names,
                                                          const ApiReadOptions& options = {});

/// API dumps below some paths.
struct ApiTree {
    std::vector<std::string> files;  ///< in path order
    std::vector<Error> failures;     ///< paths and folders that could not be read; the others were searched
};

/// The files with API dumps of the given paths: dump roots, step folders, rank folders, single files. By name, then by
/// content. Errors: file_not_found, permission_denied or read_failed when none of the paths can be used; interrupted.
/// Thread-safe.
OPDEBUG_API Result<ApiTree> find_api_dumps(const std::vector<std::string>& paths, const ApiReadOptions& options = {});

}  // namespace v0
}  // namespace opdebug
