// Overview of the dumps of a scan: order and groups. The functions are thread-safe.
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

/// State of the operator dump of an overflow. damaged: unreadable, or values are missing.
enum class OpDumpState { absent, damaged, whole };

/// "absent", "damaged" or "whole". Static storage.
OPDEBUG_API std::string_view to_string(OpDumpState state) noexcept;

/// A cause of an overflow, with its record.
struct ScanCause {
    std::string id;
    Unit unit = Unit::ai_core;
    bool other_task = false;                              ///< the record is about another task than the located one
    bool other_model = false;                             ///< the record is about another model
    std::optional<std::uint64_t> core_id = std::nullopt;  ///< counts within its unit: AIC 3 is not AIV 3
    std::optional<std::uint64_t> block_id = std::nullopt;
};

/// Facts about a dump for order and groups.
struct ScanItem {
    std::string host = {};  ///< host name given by the user; empty: unknown
    std::string file = {};
    DumpState state = DumpState::failed;
    PathIds path_ids;
    std::optional<std::uint64_t> timestamp_us;
    std::vector<ScanCause> causes;              ///< of the overflowed records, sorted by id, without duplicates
    std::string operator_type, operator_name;   ///< of the located task; empty: unknown
    std::string model;                          ///< see model_in_groups(); empty: unknown
    std::optional<Origin> origin;               ///< empty: the operator dump was not measured
    OpDumpState op_dump = OpDumpState::absent;  ///< damaged: known only after measuring
};

/// Makes an item of a scanned dump. A status without a named cause becomes "UNIT.undocumented", for example
/// "ai_core.undocumented".
OPDEBUG_API ScanItem scan_item_of(const ScannedDump& scanned);

/// Selects overflows for a page. Empty members select all.
struct ScanFilter {
    std::vector<std::uint64_t> ranks = {}, steps = {}, devices = {};
    std::string op = {};     ///< pattern of the operator name or type: * any letters, ? one letter
    std::string model = {};  ///< pattern of the model, see model_in_groups()
    std::string cause = {};  ///< id
    std::optional<std::uint64_t> since_us = std::nullopt, until_us = std::nullopt;  ///< inclusive
};

/// Whether the filter selects the item. An unknown member of the item matches no condition.
OPDEBUG_API bool matches(const ScanFilter& filter, const ScanItem& item);

/// Ids of the causes, sorted, without duplicates.
OPDEBUG_API std::vector<std::string> cause_ids(const ScanItem& item);

/// Name of a model in groups. GE names graphs without a name ge_default_{time}_{n}, with another time in each process.
/// "ge_default_20230911064048_1" becomes "ge_default_*_1", so all ranks of a job share a group. Other names are
/// unchanged.
OPDEBUG_API std::string model_in_groups(std::string_view name);

/// Order of reports: step (data index), then time, then path, then host. Items without a step or time come last.
OPDEBUG_API bool comes_before(const ScanItem& a, const ScanItem& b);

/// A pattern or suspicion with its numbers; `code` is a stable snake_case name.
using ScanRemark = Diagnostic;

/// Overflows with the same cause, operator type, operator and model. Operator and model are unknown for records about
/// another task than the located one.
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

/// Dumps that may be earlier than the first overflow, by reason.
struct FirstRivals {
    std::uint64_t close_in_time = 0;   ///< within a second by another clock, or earlier by the time
    std::vector<std::uint64_t> ranks;  ///< of these dumps, sorted, without duplicates
    std::uint64_t without_time = 0, unreadable = 0;
    bool first_is_implausible = false;  ///< the time of the first is before 2019 or after 2099
};

/// Groups and doubts of all dumps.
struct ScanOverview {
    std::vector<ScanGroup> groups;        ///< most frequent first, then by first time, then by name
    std::vector<Diagnostic> diagnostics;  ///< doubts about the order of the first overflows
    FirstRivals rivals;                   ///< numbers of these doubts
};

/// Groups the overflowed items and checks their order. `items`: all dumps in report order.
OPDEBUG_API ScanOverview overview_of(const std::vector<ScanItem>& items);

}  // namespace v0
}  // namespace opdebug
