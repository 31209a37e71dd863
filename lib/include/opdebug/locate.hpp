// Finds operator and model of an overflow: joins a record with the operator dumps next to it and with logs.
//
// Stream and task ids come from the record. The ids in the file name, which are those of a debug task in old versions,
// are used last, and only for operator dumps: they are a hint (diagnostic "name_ids_used").
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <opdebug/export.h>
#include <opdebug/dump.hpp>
#include <opdebug/logs.hpp>
#include <opdebug/result.hpp>

namespace opdebug {
inline namespace v0 {

/// Source of a statement. op_dump: a file or folder of the dump tree. task_map: a line in a saved map, with file and
/// line number of the original log.
enum class EvidenceKind { op_dump, ge_log, runtime_log, device_log, task_map };

/// "op_dump", "ge_log", "runtime_log", "device_log" or "task_map". Static storage.
OPDEBUG_API std::string_view to_string(EvidenceKind kind) noexcept;

/// Evidence of a statement: a log line or a file.
struct Evidence {
    EvidenceKind kind = EvidenceKind::op_dump;
    std::string file;
    std::optional<std::uint64_t> line;  ///< from 1; logs only
    std::string text;                   ///< the line, or a description of the file
};

/// exact: a line or dump names the node for this task. kernel: only a kernel name is known (the node name is decoded
/// from it if possible). type: only an operator type is known. Or the operator dump is over 0.5 s away or has no stream
/// in its name. Or several operators are possible. Or the answer depends on a hint ("name_ids_used") or on an inferred
/// use of the ids.
enum class Confidence { exact, kernel, type };

/// "exact", "kernel" or "type". Static storage.
OPDEBUG_API std::string_view to_string(Confidence confidence) noexcept;

/// A candidate for the operator.
struct OperatorAnswer {
    std::optional<std::string> name;  ///< graph node, as GE spells it
    std::optional<std::string> type;
    std::optional<std::string> kernel;
    Confidence confidence = Confidence::exact;
    std::vector<Evidence> evidence;
};

/// The best candidate. If several are equally good, `candidates` lists all, best first.
struct LocatedOperator {
    OperatorAnswer best;
    std::vector<OperatorAnswer> candidates;
};

/// Model of the operator, as far as known. The model ids of the runtime and of GE are different numbers.
struct LocatedModel {
    std::optional<std::string> name;
    std::optional<std::uint64_t> runtime_id;
    std::optional<std::uint64_t> ge_id;
    std::optional<std::uint64_t> graph_id;
    std::vector<Evidence> evidence;
};

/// The operator dump: inputs and outputs of the execution that overflowed.
struct LocatedOpDump {
    std::string file;                ///< path
    std::string real_name;           ///< file name, or the long name in mapping.csv
    std::uint64_t equally_good = 0;  ///< number of other dumps that match equally
    /// All files if each tensor is a .npy file, including `file`. Empty: `file` contains all tensors.
    std::vector<std::string> tensor_files;
};

/// A use of the record's ids in the logs, compared with record and folders.
struct ComparedUse {
    std::int64_t process = 0;  ///< its id
    std::optional<std::uint64_t> device;
    std::string file;  ///< its first line in the logs; empty: no line is about the task
    std::uint64_t line = 0;
    std::string name;  ///< of the operator or kernel; empty: no line names one
    bool is_possible = true;
    std::string row;  ///< the rule that excluded it or ranked it after the previous use; empty: none
    std::vector<std::pair<std::string, std::string>> facts;  ///< "model id", "agrees"
};

/// Result of locate().
struct Location {
    std::optional<LocatedOperator> op;
    /// The best operator dump next to the overflow dump; with several candidates, that of `op`. Also set if logs name
    /// the operator.
    std::optional<LocatedOpDump> op_dump;
    std::optional<LocatedModel> model;
    /// Time zone of the logs, or of the {time} folder, in minutes ahead of UTC; empty: they do not show it.
    std::optional<int> utc_offset_minutes;
    std::vector<ComparedUse> uses;        ///< if there are several: possible ones, best first, then the others
    std::vector<Diagnostic> diagnostics;  ///< reasons for missing results, and settings for the next run
};

/// Cache of operator dumps and mapping.csv for each folder. Use one object for all calls on one tree, and a new one
/// after folders changed. Thread-safe.
class OPDEBUG_API OpDumpFolders {
public:
    OpDumpFolders();
    ~OpDumpFolders();
    OpDumpFolders(const OpDumpFolders&) = delete;
    OpDumpFolders& operator=(const OpDumpFolders&) = delete;

    struct Contents;
    /// Used by the library's own stages.
    Contents& contents() noexcept { return *contents_; }

private:
    std::unique_ptr<Contents> contents_;
};

/// Offsets between the clocks of devices and hosts, from all dumps of a scan. Immutable.
class ClockEstimate;

/// Input and options of locate().
struct LocateOptions {
    std::shared_ptr<const TaskMap> task_map;  ///< null: no logs
    bool use_op_dumps = true;                 ///< read the folder of the dump; false: bytes without a file
    std::shared_ptr<OpDumpFolders> folders;   ///< null: each call reads the folder
    /// The driver's number of the device, as log lines have it. Empty: the number in the path of the dump, which is the
    /// one that the process sees.
    std::optional<std::uint64_t> driver_device;
    /// Time zone of the logs in minutes ahead of UTC, if the user knows it.
    std::optional<int> utc_offset_minutes;
    /// Time zone of this machine; used if nothing better is known.
    int host_utc_offset_minutes = 0;
    /// Null: clocks may differ by seconds, and every use of the ids within that time is a candidate.
    std::shared_ptr<const ClockEstimate> clocks;
    Limits limits;
};

/// Time zone of this machine at a time (UTC microseconds; empty: 1970) in minutes ahead of UTC, for LocateOptions and
/// ScanOptions. The only function that reads TZ and zone files. 0 if they are unknown. Thread-safe.
OPDEBUG_API int system_utc_offset_minutes(std::optional<std::uint64_t> timestamp_us);

/// Adds the tasks and kernel addresses that locate() needs for this dump. Pass the sum over all dumps to read_logs()
/// (ReadLogsOptions::wanted): large logs then need little memory, and the map answers for these dumps only. Not
/// thread-safe for one `wanted`.
OPDEBUG_API void add_wanted(const Dump& dump, WantedTasks& wanted);

/// Estimates clock offsets from dumps (WantedTasks::dumps) and the logs of `options`, for LocateOptions::clocks. Every
/// dump must be within a use of its ids: the offsets that fit most dumps are possible. `host_utc_offset_minutes`: as in
/// ScanOptions; null: the number in `options`. The order of dumps does not matter. Thread-safe.
OPDEBUG_API std::shared_ptr<const ClockEstimate> estimate_clocks(
    std::vector<WantedDump> dumps, const LocateOptions& options,
    const std::function<int(std::optional<std::uint64_t>)>& host_utc_offset_minutes = {});

/// The record that locate() uses: a pointer into `dump`, null if no record overflowed. Like the official converter: in
/// a legacy payload the last overflowed of DHA, L2 and AI Core, in others the first. Thread-safe.
OPDEBUG_API const Record* located_record(const Dump& dump);

/// Whether two records have the same stream, task, context and thread. Thread-safe.
OPDEBUG_API bool same_task(const Record& a, const Record& b);

/// Finds operator and model. Reads the folder of dump.file for operator dumps (use_op_dumps). Never fails: unknown
/// members are empty, and `diagnostics` contains the reasons. Thread-safe.
OPDEBUG_API Location locate(const Dump& dump, const LocateOptions& options = {});

}  // namespace v0
}  // namespace opdebug
