// What the dumps of a scan show together: which came first, and which belong together. The functions are
// thread-safe.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <opdebug/export.h>
#include <opdebug/origin.hpp>
#include <opdebug/result.hpp>
#include <opdebug/scan.hpp>
#include <opdebug/status.hpp>
#include <opdebug/tree.hpp>

namespace opdebug {
inline namespace v0 {

/// What is known of the operator's own dump beside an overflow dump. damaged: unreadable, or values are missing.
enum class OpDumpState { absent, damaged, whole };

/// "absent", "damaged" or "whole". Static storage.
OPDEBUG_API std::string_view to_string(OpDumpState state) noexcept;

/// A cause of a dump's overflow, with the record that tells of it.
struct ScanCause {
    std::string id;
    Unit unit = Unit::ai_core;
    bool other_task = false;                              ///< the record is not about the task that was located
    bool other_model = false;                             ///< nor about its model
    std::optional<std::uint64_t> core_id = std::nullopt;  ///< counts within its unit: AIC 3 is not AIV 3
    std::optional<std::uint64_t> block_id = std::nullopt;
};

/// What order and groups need of a dump.
struct ScanItem {
    std::string host = {};  ///< the machine whose file system holds the dump, as the user names it; empty: unknown
    std::string file = {};
    DumpState state = DumpState::failed;
    PathIds path_ids;
    std::optional<std::uint64_t> timestamp_us;
    std::vector<ScanCause> causes;  ///< of the overflowed records, sorted by id; records that agree in all count once
    std::string operator_type, operator_name;   ///< of the task that was located; empty: unknown
    std::string model;                          ///< its model as groups name it, see model_in_groups(); empty: unknown
    std::optional<Origin> origin;               ///< nothing: the operator's dump was not measured
    OpDumpState op_dump = OpDumpState::absent;  ///< damaged: only when it was measured, or could not be
};

/// Takes an item from a scanned dump. A status without a named cause gives "UNIT.undocumented", for example
/// "ai_core.undocumented".
OPDEBUG_API ScanItem scan_item_of(const ScannedDump& scanned);

/// The ids of an item's causes, sorted, each once.
OPDEBUG_API std::vector<std::string> cause_ids(const ScanItem& item);

/// The name under which groups count a model. GE names graphs without a name ge_default_{time}_{n}, and each process
/// has a time of its own: "ge_default_20230911064048_1" is "ge_default_*_1" here, so that the ranks of a job share a
/// group. Other names stay as they are.
OPDEBUG_API std::string model_in_groups(std::string_view name);

/// The order of reports: step (data index) first where there is one, then time, then path, then host. Items without a
/// step come behind those with one, items without a time behind those with one.
OPDEBUG_API bool comes_before(const ScanItem& a, const ScanItem& b);

/// A suspicion or pattern, with the numbers behind it; `code` is a stable snake_case name.
using ScanRemark = Diagnostic;

/// Overflows that have cause, operator type, operator and model in common. Operator and model are those of the record
/// that tells the cause: unknown for records about another task than the one that was located.
struct ScanGroup {
    std::string cause;
    std::string operator_type, operator_name, model;  ///< empty: unknown
    std::uint64_t count = 0;                          ///< dumps; a dump with two causes is in two groups
    std::uint64_t bursts = 0;                         ///< runs of dumps of one rank and device less than a second apart
    std::vector<std::uint64_t> ranks, devices, steps;  ///< sorted, each once
    std::optional<std::uint64_t> first_us, last_us;
    std::string first_file;
    std::vector<ScanRemark> remarks;  ///< patterns (one-off, recurring, every step, one rank, all ranks) and suspicions
};

/// What the dumps show together.
struct ScanOverview {
    std::vector<ScanGroup> groups;        ///< most frequent first, then by first time, then by name
    std::vector<Diagnostic> diagnostics;  ///< where the order of the first overflows is not certain, and why
};

/// Groups the overflowed items and judges their order. `items`: all dumps, in report order.
OPDEBUG_API ScanOverview overview_of(const std::vector<ScanItem>& items);

}  // namespace v0
}  // namespace opdebug
