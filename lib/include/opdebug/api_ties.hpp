// Which kernels overflowed in which API calls: ties between the findings of API dumps and overflow dumps of the same
// tree, each with how sure it is. Nothing in the files of either side names the other, but for a profiler's trace.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <opdebug/export.h>
#include <opdebug/api_culprits.hpp>
#include <opdebug/limits.hpp>
#include <opdebug/result.hpp>

namespace opdebug {
inline namespace v0 {

/// How sure a tie is, surest first. exact: a trace of the run says which operation launched the task, one in its step.
/// type_only: the operator type fits, or a trace names the operation, and other pairings are possible.
/// rank_or_device_only: nothing but rank and step.
enum class ApiTieLevel { exact, type_only, rank_or_device_only };

/// "exact", "type_only", "rank_or_device_only". Static storage.
OPDEBUG_API std::string_view to_string(ApiTieLevel level) noexcept;

/// What a tie needs of an overflow dump.
struct KernelOverflow {
    std::string file;
    std::optional<std::uint64_t> timestamp_us;
    std::optional<std::uint64_t> step, rank, device_id;  ///< of its path; the device also of its record
    std::optional<std::uint64_t> stream_id, task_id;     ///< of the task that was located
    std::string operator_type, operator_name, kernel;    ///< empty: unknown
    std::vector<std::string> dtypes;                 ///< of its operator's dump, as ApiValue::dtype; empty: not read
    std::vector<std::vector<std::uint64_t>> shapes;  ///< of the same tensors
};

/// One overflow and one call that belong together.
struct ApiTie {
    ApiTieLevel level = ApiTieLevel::rank_or_device_only;
    std::size_t overflow = 0;  ///< index in the overflows given
    /// Index in ApiReport::findings; nothing: a trace names a call that is none of them.
    std::optional<std::size_t> finding;
    std::string api;      ///< the finding's call, or the host operation that a trace names
    std::string because;  ///< an English sentence part: what fits, and what is assumed for it
};

/// All ties of a tree, and what they rest on.
struct ApiTies {
    /// By overflow, then surest first, then by finding; at most 5 of an overflow.
    std::vector<ApiTie> ties;
    std::vector<Diagnostic> diagnostics;  ///< assumptions (rank and device), traces that are damaged, what was left out
};

/// What may make ties surer.
struct ApiTieOptions {
    std::vector<std::string> traces;  ///< trace_view.json of PyTorch's profiler for Ascend, plain or packed
    std::function<bool()> stop;       ///< asked now and then; true: the error is interrupted
    Limits limits;
};

/// Ties overflows to findings. Error: interrupted. A trace that cannot be read is told (trace_unread, severity error).
/// Thread-safe.
OPDEBUG_API Result<ApiTies> tie_api_findings(const ApiReport& report, const std::vector<KernelOverflow>& overflows,
                                             const ApiTieOptions& options = {});

}  // namespace v0
}  // namespace opdebug
