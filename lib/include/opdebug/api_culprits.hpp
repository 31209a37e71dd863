// The API call that produced the first bad value of a run: a verdict for each call, the first culprit of each step and
// rank, and the order of ranks. Rules: docs/api-dumps.md.
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

/// State of a value, worst last. unknown: without statistics. near_limit: a float16 value above half of the largest
/// one, not bad yet. limit: the largest finite magnitude of the type, where saturating arithmetic stops.
enum class ApiState { unknown, clean, near_limit, limit, inf, nan };

/// "unknown", "clean", "near_limit", "limit", "inf", "nan". Static storage.
OPDEBUG_API std::string_view to_string(ApiState state) noexcept;

/// Verdict on a call. Rules: docs/api-dumps.md, "Verdicts".
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
    std::string api;             ///< name of the entry as written
    std::uint64_t position = 0;  ///< in its file
    ApiVerdict verdict = ApiVerdict::unknown;
    std::string because;                  ///< English reason with the values
    std::vector<ApiFindingValue> values;  ///< the bad ones
    std::vector<std::string> stack;
    std::string file;
    /// statistic.csv: type, ids and time of the kernel, if the row contains them.
    std::string operator_type;
    std::optional<std::uint64_t> task_id, stream_id, timestamp_us;
    std::vector<Diagnostic> remarks;  ///< doubts, producers and consumers of the value, next step
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

/// Finds, reads and judges the API dumps of the given paths. Error: as find_api_dumps(). Thread-safe.
OPDEBUG_API Result<ApiReport> find_api_culprits(const std::vector<std::string>& paths, const ApiOptions& options = {});

}  // namespace v0
}  // namespace opdebug
