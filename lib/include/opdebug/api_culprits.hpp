// Where the first bad value of a run was born, from the dumps of single API calls: a verdict for each call, the first
// culprit of each step and rank, and what orders the ranks. Rules: docs/api-dumps.md.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <opdebug/export.h>
#include <opdebug/api_dump.hpp>
#include <opdebug/result.hpp>

namespace opdebug {
inline namespace v0 {

/// State of a value, worst last. unknown: without statistics. near_limit: a float16 value of more than half of its
/// largest one, which is not bad yet. limit: the largest finite magnitude of the type, where saturating arithmetic
/// stops.
enum class ApiState { unknown, clean, near_limit, limit, inf, nan };

/// "unknown", "clean", "near_limit", "limit", "inf", "nan". Static storage.
OPDEBUG_API std::string_view to_string(ApiState state) noexcept;

/// Verdict on a call. The rules behind each: docs/api-dumps.md, "Verdicts".
enum class ApiVerdict {
    clean,          ///< no bad value: no finding
    born_here,      ///< inputs clean, an output NaN or infinite
    inherited,      ///< an input is bad
    absorbed,       ///< an input is bad, the outputs are clean
    weight,         ///< only a weight is bad: it was written at the end of the step before
    saturated,      ///< inputs clean, an output at the limit of its type
    in_collective,  ///< a call between ranks gave a bad value, though no bad one is known to have been given to it
    process,        ///< the overflow register was set, but no value is bad
    deliberate,     ///< the bad values are masks and constants, made or passed in on purpose
    unknown,        ///< an output is bad, and the inputs are not known
};

/// "born_here", ...: the words of the document. Static storage.
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
    std::string api;             ///< name of the entry as written
    std::uint64_t position = 0;  ///< in its file
    ApiVerdict verdict = ApiVerdict::unknown;
    std::string because;                  ///< an English sentence part with the values behind it
    std::vector<ApiFindingValue> values;  ///< the bad ones
    std::vector<std::string> stack;
    std::string file;
    /// statistic.csv: type, ids and time of the kernel, where the row has them.
    std::string operator_type;
    std::optional<std::uint64_t> task_id, stream_id, timestamp_us;
    std::vector<Diagnostic> remarks;  ///< what makes the verdict less sure; what feeds it, what it feeds; the next step
};

/// How much was read. failed: paths, folders and files that could not be.
struct ApiCounts {
    std::uint64_t files = 0, entries = 0, steps = 0, ranks = 0, failed = 0;
};

/// "opdebug.api_report/1" as values.
struct ApiReport {
    std::vector<std::string> inputs;
    ApiCounts counts;
    std::vector<ApiFinding> first;     ///< the earliest culprits of the earliest step; several: nothing orders them
    std::vector<ApiFinding> findings;  ///< by step, rank, position; of several runs one run behind the other
    std::vector<Error> failures;
    std::vector<Diagnostic> diagnostics;
    bool complete = true;  ///< false: stopped early
};

/// How API dumps are read and judged.
struct ApiOptions {
    ApiReadOptions read;
    /// Findings that are listed of each verdict and file, the first culprits in any case: behind a NaN nearly every
    /// call is one. Told by findings_left_out. What is first does not depend on numbers up to 1000.
    std::uint64_t findings_per_verdict = 1000;
    unsigned threads = 0;  ///< 0: as many as the machine runs at once. The result does not depend on it
};

/// Finds, reads and judges the API dumps of the given paths. Error: as find_api_dumps(). Thread-safe.
OPDEBUG_API Result<ApiReport> find_api_culprits(const std::vector<std::string>& paths, const ApiOptions& options = {});

}  // namespace v0
}  // namespace opdebug
