// A dump tree: decodes and locates every overflow dump below some paths, in parallel and in a fixed order. For the
// overview of all dumps see scan_overview.hpp.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <opdebug/export.h>
#include <opdebug/api_culprits.hpp>
#include <opdebug/api_ties.hpp>
#include <opdebug/dump.hpp>
#include <opdebug/locate.hpp>
#include <opdebug/origin.hpp>
#include <opdebug/result.hpp>
#include <opdebug/tree.hpp>

namespace opdebug {
inline namespace v0 {

/// Each dump has exactly one state. failed: nothing could be decoded, or records are missing and no other record
/// overflowed. A damaged dump can be overflowed or clean if its answer is certain; then Dump::complete() is false.
enum class DumpState { overflowed, clean, failed };

/// "overflowed", "clean" or "failed". Static storage.
OPDEBUG_API std::string_view to_string(DumpState state) noexcept;

/// One scanned dump.
struct ScannedDump {
    DumpState state = DumpState::failed;
    std::string file;              ///< path below the given path; converted JSON: the file of output 0
    std::optional<Dump> dump;      ///< empty: nothing could be decoded
    Location location;             ///< of overflowed dumps
    TensorEvidence tensors;        ///< of overflowed dumps, with ScanOptions::tensors
    std::optional<Error> failure;  ///< reason of state failed
};

/// Numbers of files. dumps == overflowed + clean + failed.
struct ScanCounts {
    std::uint64_t dumps = 0, overflowed = 0, clean = 0, failed = 0;
    std::uint64_t op_dumps = 0;     ///< operator dumps
    std::uint64_t other_files = 0;  ///< all others, including pipes, sockets and dangling links
};

/// Progress of a scan.
struct ScanProgress {
    std::uint64_t found = 0;  ///< dumps found so far
    std::uint64_t done = 0;
    bool walking = true;  ///< folders are still being read
};

/// One shard of a scan. Whole folders are assigned, so a dump and its operator dumps are in one shard. The numbers of
/// dumps are balanced. All shards that find the same tree make the same assignment. Shard 0 reports everything that
/// belongs to no dump: other files, operator dumps, unreadable folders, remarks on names.
struct ScanShard {
    std::uint64_t index = 0;  ///< from 0 to count - 1
    std::uint64_t count = 1;
};

/// Options of a scan. Each function lists the members that it uses.
struct ScanOptions {
    std::optional<ScanShard> shard;  ///< empty: all dumps
    DecodeOptions decode;            ///< `file` is not used; `limits` hold for the whole scan
    /// Ignored members: `folders` (each folder is read once anyway) and `limits`. A scan of a tree also ignores
    /// `first_of_time_folder_us` and uses the names of the dumps.
    LocateOptions locate;
    bool locate_overflowed = true;
    /// Measure the operator dump of each located overflow.
    bool tensors = false;
    /// Offset of this machine's time zone from UTC in minutes, at a time in UTC microseconds. Called from several
    /// threads. Null: the number in `locate` is used for all dumps.
    std::function<int(std::optional<std::uint64_t>)> host_utc_offset_minutes;
    /// Also read and judge API dumps below the paths.
    bool api_dumps = true;
    unsigned threads = 0;  ///< 0: one for each core. The result does not depend on it
    /// Called often, from several threads. true stops the scan; the result contains the dumps that are finished.
    std::function<bool()> stop;
    /// Called from time to time, in the calling thread.
    std::function<void(const ScanProgress&)> progress;
    /// Diagnostics of the inputs, for example remarks_on() the logs of `locate.task_map`. Scan::diagnostics contains
    /// them after the remarks on names.
    std::vector<Diagnostic> diagnostics;
};

/// Damage that does not make a dump failed.
struct ScanDamage {
    std::uint64_t damaged = 0;                  ///< damaged dumps with a certain answer
    std::vector<std::string> first;             ///< the first three, in path order
    std::uint64_t unmeasured = 0;               ///< operator dumps that were not measured completely
    std::string first_unmeasured;               ///< the first of them, in path order of the overflow dumps
    std::string first_unmeasured_of;            ///< its overflow dump
    std::uint64_t clean_with_warning = 0;       ///< clean dumps with a warning: they may hide an overflow
    std::vector<Diagnostic> warnings_of_clean;  ///< the first of each code; the message starts with the file
    std::uint64_t not_read = 0;                 ///< dumps that were not read because the scan was stopped
    bool every_folder_searched = true;
};

/// The tree that a shard belongs to.
struct ScannedTree {
    std::uint64_t dumps = 0;  ///< in all shards
    std::string digest;       ///< 16 hex digits of the paths: equal for all shards of one tree
};

/// API dumps in the tree, and the overflow dumps that can be tied to them.
struct ScanApiDumps {
    std::shared_ptr<const ApiReport> report;  ///< null: shards other than 0 do not read API dumps
    /// Overflowed dumps in report order: the first 1,000 of each step and rank (or device), at most 20,000.
    std::vector<KernelOverflow> overflows;
    std::uint64_t overflows_left_out = 0;
};

/// Result of a scan, without the single dumps.
struct Scan {
    std::vector<std::string> inputs;
    ScanCounts counts;
    std::uint64_t dumps_found = 0;  ///< more than counts.dumps if the scan was stopped
    std::vector<Error> failures;    ///< unreadable paths and folders, without failed dumps
    std::vector<Diagnostic> diagnostics;
    bool complete = true;  ///< false: stopped early
    ScanDamage damage;     ///< also in `diagnostics`
    std::optional<ScanShard> shard;
    ScannedTree tree;
    std::optional<ScanApiDumps> api;  ///< empty: no API dumps, or `api_dumps` is false
};

/// The dumps below some paths, not decoded. Copies share the content. A moved-from object may only be assigned to or
/// destroyed. Thread-safe.
class OPDEBUG_API DumpTree {
public:
    struct Contents;
    explicit DumpTree(std::shared_ptr<const Contents> contents);
    /// Used by the library's own stages.
    const Contents& contents() const noexcept { return *contents_; }

private:
    std::shared_ptr<const Contents> contents_;
};

/// Finds dumps in files and in trees below folders.
/// * A file is a dump if its name is the name of a dump. A file that is given as a path is always read.
/// * Links to folders are followed once, after all real folders. A link to a file is a dump with the name of the link.
///   If the target is found too, only the target counts.
/// * Converted JSON (.output.N.json of msaccucmp, MindSpore or msprobe) replaces its dump if the binary is absent. JSON
///   in another folder is a copy if the name and the records match and the ids of the folders do not differ.
/// * API dumps: see find_api_dumps(). An API dump that is given as a path is no overflow dump.
/// Uses `shard`, `decode`, `threads`, `api_dumps`, `stop` and `progress`. After a stop the tree contains the dumps
/// found so far. A missing path is a failure of the scan.
/// Errors: file_not_found, permission_denied or read_failed if no path can be used; invalid_argument for a wrong shard.
/// Starts threads. Thread-safe. Throws exceptions of `stop` and `progress`.
OPDEBUG_API Result<DumpTree> find_dump_tree(const std::vector<std::string>& paths, const ScanOptions& options = {});

/// The dump files in path order, with the names of ScannedDump::file. Thread-safe.
OPDEBUG_API std::vector<std::string> files_of(const DumpTree& tree);

/// The tasks that the dumps need from the logs, for read_logs(). Decodes every dump and keeps none, so memory does not
/// grow; the scan decodes them again. Uses `decode`, `threads`, `stop` and `progress`. Ignores dumps that cannot be
/// decoded. Error: interrupted. Thread-safe.
OPDEBUG_API Result<WantedTasks> wanted_tasks(const DumpTree& tree, const ScanOptions& options = {});

/// Decodes and locates the dumps. `use` receives every dump in path order, in the calling thread. Memory is bounded by
/// the number of threads, except for names. Writes nothing. A dump that was removed in the meantime is failed. Starts
/// threads. Thread-safe. Throws exceptions of the caller's functions.
OPDEBUG_API Scan scan(const DumpTree& tree, const ScanOptions& options, const std::function<void(ScannedDump&&)>& use);

/// Convenience overload: finds and scans in one call. Errors: see find_dump_tree(). Thread-safe.
OPDEBUG_API Result<Scan> scan(const std::vector<std::string>& paths, const ScanOptions& options,
                              const std::function<void(ScannedDump&&)>& use);

}  // namespace v0
}  // namespace opdebug
