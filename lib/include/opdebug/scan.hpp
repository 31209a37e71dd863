// A whole dump tree: every overflow dump below some paths, decoded and located in parallel, in one fixed order. What
// the dumps show together: scan_overview.hpp.
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

/// Every dump is in exactly one of these. failed: nothing could be decoded, or records are missing and none of the
/// others overflowed. A damaged dump whose answer is certain all the same is overflowed or clean; its diagnostics of
/// severity error (Dump::complete() is false) tell of the damage.
enum class DumpState { overflowed, clean, failed };

/// "overflowed", "clean" or "failed". Static storage.
OPDEBUG_API std::string_view to_string(DumpState state) noexcept;

/// One dump of the tree.
struct ScannedDump {
    DumpState state = DumpState::failed;
    std::string file;              ///< as found below the given path; converted JSON: the dump's first output
    std::optional<Dump> dump;      ///< nothing when it could not be decoded at all
    Location location;             ///< of overflowed dumps
    TensorEvidence tensors;        ///< of overflowed dumps, with ScanOptions::tensors
    std::optional<Error> failure;  ///< state failed: why
};

/// What was found. dumps == overflowed + clean + failed.
struct ScanCounts {
    std::uint64_t dumps = 0, overflowed = 0, clean = 0, failed = 0;
    std::uint64_t op_dumps = 0;     ///< dumps of operators' inputs and outputs
    std::uint64_t other_files = 0;  ///< everything else, also pipes, sockets and links that lead nowhere
};

/// How far a scan has come.
struct ScanProgress {
    std::uint64_t found = 0;  ///< dumps found so far; all of them once the folders are read
    std::uint64_t done = 0;
    bool walking = true;  ///< folders are still being read
};

/// A share of a scan's work. Folders are dealt out, so a dump stays with its operator dumps, evenly by their dumps, and
/// in the same way by every shard that finds the same tree. What is not of one dump (other files, operator dumps,
/// folders that cannot be read, remarks on names) is told by shard 0.
struct ScanShard {
    std::uint64_t index = 0;  ///< from 0 to count - 1
    std::uint64_t count = 1;
};

/// What a scan does with the dumps that it finds. Each function says which members it uses.
struct ScanOptions {
    std::optional<ScanShard> shard;  ///< nothing: all dumps
    DecodeOptions decode;            ///< `file` is not used; `limits` hold for the whole scan
    /// `folders` is not used: each folder's operator dumps are read once; nor are `limits`, nor, by a scan of a tree,
    /// `first_of_time_folder_us`: the names of its dumps tell.
    LocateOptions locate;
    bool locate_overflowed = true;
    /// Measures the operator's dump of each overflowed dump that was located.
    bool tensors = false;
    /// Minutes that this machine's zone is ahead of UTC at a time (UTC microseconds); asked from several threads. Null:
    /// the number in `locate` holds for all dumps.
    std::function<int(std::optional<std::uint64_t>)> host_utc_offset_minutes;
    /// Reads and judges the dumps of single API calls that lie below the paths as well.
    bool api_dumps = true;
    unsigned threads = 0;  ///< 0: as many as the machine runs at once. The result does not depend on it
    /// Asked often, from several threads; true ends the scan early, with what was done so far.
    std::function<bool()> stop;
    /// Told now and then, from the calling thread.
    std::function<void(const ScanProgress&)> progress;
    /// What was wrong with what the scan is given, such as remarks_on() the logs of `locate.task_map`: stands in
    /// Scan::diagnostics, behind the remarks on names.
    std::vector<Diagnostic> diagnostics;
};

/// What is not as it should be with dumps that count all the same.
struct ScanDamage {
    std::uint64_t damaged = 0;                  ///< dumps that are damaged although their answer is certain
    std::vector<std::string> first;             ///< the first three of them in path order
    std::uint64_t unmeasured = 0;               ///< operators' dumps that were not measured wholly
    std::string first_unmeasured;               ///< the first of these in the path order of its overflow dump
    std::string first_unmeasured_of;            ///< that overflow dump
    std::uint64_t clean_with_warning = 0;       ///< clean dumps with a warning: an overflow may be hidden there
    std::vector<Diagnostic> warnings_of_clean;  ///< the first of each code; the message begins with the dump's file
    std::uint64_t not_read = 0;                 ///< dumps that were found, but not read, when the scan was stopped
    bool every_folder_searched = true;
};

/// Of which tree a scan has a share.
struct ScannedTree {
    std::uint64_t dumps = 0;  ///< of all shards
    std::string digest;       ///< 16 hex digits over the paths of the dumps: shards of one tree have the same
};

/// What the dumps of single API calls show that lie in the tree, and what ties need of the overflow dumps beside them.
struct ScanApiDumps {
    std::shared_ptr<const ApiReport> report;  ///< null: of a shard other than 0, which does not read them
    /// Of the overflowed dumps, in report order: the first 1,000 of each step and rank (or device), at most 20,000.
    std::vector<KernelOverflow> overflows;
    std::uint64_t overflows_left_out = 0;
};

/// The scan as a whole, behind the single dumps.
struct Scan {
    std::vector<std::string> inputs;
    ScanCounts counts;
    std::uint64_t dumps_found = 0;  ///< more than counts.dumps when it was stopped early
    std::vector<Error>
        failures;  ///< given paths and folders that could not be read; failed dumps are not repeated here
    std::vector<Diagnostic> diagnostics;
    bool complete = true;  ///< false: stopped early
    ScanDamage damage;     ///< the diagnostics tell of it
    std::optional<ScanShard> shard;
    ScannedTree tree;
    std::optional<ScanApiDumps> api;  ///< nothing: no API dump lies in the tree, or they were not asked for
};

/// The dumps below some paths, by their names; nothing is decoded yet. Copies share the names. One that was moved from
/// may only be assigned to or destroyed. Thread-safe.
class OPDEBUG_API DumpTree {
public:
    struct Contents;
    explicit DumpTree(std::shared_ptr<const Contents> contents);
    /// Used by the library's own stages.
    const Contents& contents() const noexcept { return *contents_; }

private:
    std::shared_ptr<const Contents> contents_;
};

/// Finds the dumps of files and of the trees below folders. A file counts by its name, one that was given itself
/// whatever its name. Symbolic links to folders are followed once, behind all real folders; links to files are dumps of
/// their own names, unless their target is found as well: then it counts once, under its own path (of several links to
/// one file, the first in path order). A converted JSON (.output.N.json of msaccucmp, MindSpore or msprobe) stands for
/// its dump where the binary is not there; one in another folder that has the name of a binary and the records that a
/// converter writes of it, and no ids of other folders, is a copy and no dump. Dumps of API calls are found as
/// find_api_dumps() finds them; one that was given itself is no overflow dump. Of `options`, `shard`, `decode`,
/// `threads`, `api_dumps`, `stop` and `progress` are used; what was found until a stop is the tree. A given path that
/// is not there is among the failures of the scan. Error: file_not_found, permission_denied or read_failed when none is
/// there; invalid_argument for a shard that is not one of its count. Starts threads of its own. Thread-safe. Throws
/// what `stop` and `progress` throw.
OPDEBUG_API Result<DumpTree> find_dump_tree(const std::vector<std::string>& paths, const ScanOptions& options = {});

/// The files of the tree's dumps in path order, each as ScannedDump::file will name it. Thread-safe.
OPDEBUG_API std::vector<std::string> files_of(const DumpTree& tree);

/// What the dumps of the tree ask the logs for, as add_wanted() collects it: for read_logs(), before the scan that
/// takes the logs. Decodes every dump and keeps none, so memory does not grow with them; the scan decodes them again.
/// Of `options`, `decode`, `threads`, `stop` and `progress` are used. Dumps that cannot be decoded ask for nothing.
/// Error: interrupted. Thread-safe.
OPDEBUG_API Result<WantedTasks> wanted_tasks(const DumpTree& tree, const ScanOptions& options = {});

/// Decodes and locates the dumps of the tree. `use` gets every dump in path order, in the calling thread; memory is
/// bound by the number of threads, not by the number of dumps (names excepted). Nothing is written. A dump that is gone
/// by now failed. Starts threads of its own. Thread-safe. Throws what the functions of the caller throw.
OPDEBUG_API Scan scan(const DumpTree& tree, const ScanOptions& options, const std::function<void(ScannedDump&&)>& use);

/// Both in one, for who needs the tree only once. Error: as find_dump_tree(). Thread-safe.
OPDEBUG_API Result<Scan> scan(const std::vector<std::string>& paths, const ScanOptions& options,
                              const std::function<void(ScannedDump&&)>& use);

}  // namespace v0
}  // namespace opdebug
