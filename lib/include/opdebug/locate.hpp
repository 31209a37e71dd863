// Which operator of which model overflowed: joins a record with the operator dumps beside it and with logs.
//
// Stream and task ids come from the record. Those of the dump's file name, where old writers put a debug task's, are
// asked last, and only for an operator dump beside it: a hint, which the remark "name_ids_used" tells.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <opdebug/export.h>
#include <opdebug/dump.hpp>
#include <opdebug/limits.hpp>
#include <opdebug/result.hpp>
#include <opdebug/task_map.hpp>

namespace opdebug {
inline namespace v0 {

/// Where a statement comes from. op_dump: a file or folder of the dump tree. task_map: a line that a saved map kept;
/// file and line number are those of the log when the map was made.
enum class EvidenceKind { op_dump, ge_log, runtime_log, device_log, task_map };

/// "op_dump", "ge_log", "runtime_log", "device_log" or "task_map". Static storage.
OPDEBUG_API std::string_view to_string(EvidenceKind kind) noexcept;

/// The line of a log or the file that proves a statement.
struct Evidence {
    EvidenceKind kind = EvidenceKind::op_dump;
    std::string file;
    std::optional<std::uint64_t> line;  ///< from 1; logs only
    std::string text;                   ///< the line itself, or what the file shows
};

/// exact: the node name comes from a line or dump that names it for this task; kernel: only a kernel name is known (a
/// node name is decoded from it where its form allows); type: only an operator type, or an operator dump that was found
/// by ids that are a hint ("name_ids_used").
enum class Confidence { exact, kernel, type };

/// "exact", "kernel" or "type". Static storage.
OPDEBUG_API std::string_view to_string(Confidence confidence) noexcept;

/// One answer to "which operator".
struct OperatorAnswer {
    std::optional<std::string> name;  ///< graph node, as GE spells it
    std::optional<std::string> type;
    std::optional<std::string> kernel;
    Confidence confidence = Confidence::exact;
    std::vector<Evidence> evidence;
};

/// The best answer, and all equally good ones (best first, with the best) when there is more than one.
struct LocatedOperator {
    OperatorAnswer best;
    std::vector<OperatorAnswer> candidates;
};

/// The model the operator belongs to, as far as it is known. The runtime's and GE's model ids are different numbers.
struct LocatedModel {
    std::optional<std::string> name;
    std::optional<std::uint64_t> runtime_id;
    std::optional<std::uint64_t> ge_id;
    std::optional<std::uint64_t> graph_id;
    std::vector<Evidence> evidence;
};

/// The operator's own dump: inputs and outputs of the execution that overflowed.
struct LocatedOpDump {
    std::string file;                ///< its path
    std::string real_name;           ///< differs from the path's last part where mapping.csv gives it
    std::uint64_t equally_good = 0;  ///< other dumps that fit as well
    /// Where each tensor is a .npy file: all of them, `file` among them. Empty: `file` holds all tensors.
    std::vector<std::string> tensor_files;
};

/// What locate() found.
struct Location {
    std::optional<LocatedOperator> op;
    /// The dump beside the overflow dump that fits best, that of `op` where several operators are possible. Also there
    /// when logs gave the operator's name.
    std::optional<LocatedOpDump> op_dump;
    std::optional<LocatedModel> model;
    std::vector<Diagnostic> diagnostics;  ///< why something was not found, and what to set next time
};

/// Remembers the operator dumps and the mapping.csv of folders, so that many overflow dumps of one folder read it once.
/// Share one object over the calls for one tree; make a new one when folders may have changed. Thread-safe.
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

/// How far the clocks of devices and hosts differ, as all dumps of a scan tell together. Immutable.
class ClockEstimate;

/// Where locate() looks, and what is known of clocks.
struct LocateOptions {
    std::shared_ptr<const TaskMap> task_map;  ///< null: no logs
    bool use_op_dumps = true;                 ///< read the folder of the dump; false for bytes that came from elsewhere
    std::shared_ptr<OpDumpFolders> folders;   ///< null: the folder is read in each call
    /// Minutes that the logs' local time is ahead of UTC, when the user knows it.
    std::optional<int> utc_offset_minutes;
    /// The same for the machine this runs on; used when nothing better is known.
    int host_utc_offset_minutes = 0;
    /// When the first dump below the dump's {time} folder was written (UTC microseconds), where the caller knows it.
    /// The folder is made when dumping begins, in local time: a first dump right behind it tells the zone for all of
    /// them.
    std::optional<std::uint64_t> first_of_time_folder_us;
    /// Null: clocks may differ by seconds, and each use of the ids in that time is possible.
    std::shared_ptr<const ClockEstimate> clocks;
    Limits limits;
};

/// Minutes that this machine's zone is ahead of UTC at a time (UTC microseconds; nothing: 1970), for
/// LocateOptions::host_utc_offset_minutes and ScanOptions::host_utc_offset_minutes. Asks the system, which looks at TZ
/// and at its zone files: of all functions of the library for C++ only this one does, and only for who calls it. 0 when
/// the system does not know. Thread-safe.
OPDEBUG_API int system_utc_offset_minutes(std::optional<std::uint64_t> timestamp_us);

/// Adds what locate() will look up for this dump: stream and task of each record that overflowed, and the addresses of
/// its kernel's code. What several dumps or records share is added as often. Give the sum of all dumps to read_logs()
/// (ReadLogsOptions::wanted), so that large logs need little memory: the map then answers for these dumps only. Not
/// thread-safe for one `wanted`.
OPDEBUG_API void add_wanted(const Dump& dump, WantedTasks& wanted);

/// What these dumps (WantedTasks::dumps) and the logs of `options` tell of clocks, for LocateOptions::clocks. Each dump
/// has to lie in one of the uses of its ids: the differences of clocks for which most do are possible.
/// `host_utc_offset_minutes`: as in ScanOptions; null: the number in `options`. The order of the dumps changes nothing.
/// Thread-safe.
OPDEBUG_API std::shared_ptr<const ClockEstimate> estimate_clocks(
    std::vector<WantedDump> dumps, const LocateOptions& options,
    const std::function<int(std::optional<std::uint64_t>)>& host_utc_offset_minutes = {});

/// The record that locate() answers for, a pointer into `dump`; null when none overflowed. Of a legacy payload the last
/// that overflowed of DHA, L2 and AI Core, of others the first, as in the official converter's summary. Thread-safe.
OPDEBUG_API const Record* located_record(const Dump& dump);

/// Whether two records are about one execution: stream, task, context and thread are the same. Thread-safe.
OPDEBUG_API bool same_task(const Record& a, const Record& b);

/// Joins. Reads the folder of dump.file for operator dumps (use_op_dumps). Never fails: what is not found is empty,
/// with the reason in `diagnostics`. Thread-safe.
OPDEBUG_API Location locate(const Dump& dump, const LocateOptions& options = {});

}  // namespace v0
}  // namespace opdebug
