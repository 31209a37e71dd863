// Ties between API calls and overflow dumps of one tree, each with its confidence. Only a profiler trace names both
// sides.
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
    std::vector<std::string> dtypes;                     ///< of the operator dump, as ApiValue::dtype; empty: not read
    std::vector<std::vector<std::uint64_t>> shapes;      ///< of the same tensors
};

/// A tie between an overflow and a call.
struct ApiTie {
    ApiTieLevel level = ApiTieLevel::rank_or_device_only;
    std::size_t overflow = 0;  ///< index in the overflows given
    /// Index in ApiReport::findings; empty: a trace names a call that is no finding.
    std::optional<std::size_t> finding;
    std::string api;      ///< call of the finding, or host operation in a trace
    std::string because;  ///< English reason: matches and assumptions
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
