// Many dumps: the scan of a tree, its groups and chains, and following a running job.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <opdebug/export.h>
#include <opdebug/api.hpp>
#include <opdebug/dump.hpp>
#include <opdebug/locate.hpp>
#include <opdebug/result.hpp>
#include <opdebug/tensor.hpp>
#include <opdebug/tree.hpp>

namespace opdebug {
inline namespace v0 {

// A dump tree: decodes and locates every overflow dump below some paths, in parallel and in a fixed order. For the
// overview of all dumps see scan_overview.hpp.

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
    /// Ignored members: `folders` (each folder is read once anyway) and `limits`.
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
/// * API dumps: see find_api_culprits(). An API dump that is given as a path is no overflow dump.
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

// Overview of the dumps of a scan: order and groups. The functions are thread-safe.

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
    std::optional<int> utc_offset_minutes = {};  ///< time zone of the run, see Location
    std::vector<ScanCause> causes;               ///< of the overflowed records, sorted by id, without duplicates
    std::string operator_type, operator_name;    ///< of the located task; empty: unknown
    std::string model;                           ///< see model_in_groups(); empty: unknown
    std::optional<Origin> origin;                ///< empty: the operator dump was not measured
    OpDumpState op_dump = OpDumpState::absent;   ///< damaged: known only after measuring
};

/// Makes an item of a scanned dump. A status without a named cause becomes "UNIT.undocumented", for example
/// "ai_core.undocumented".
OPDEBUG_API ScanItem scan_item_of(const ScannedDump& scanned);

/// Selects overflows for a page. Empty members select all.
struct ScanFilter {
    std::vector<std::uint64_t> ranks = {}, steps = {}, devices = {};
    std::string op = {};     ///< pattern of the operator name or type, in either case: * any letters, ? one letter
    std::string model = {};  ///< pattern of the model, see model_in_groups()
    std::string cause = {};  ///< id
    /// Inclusive. Local times (microseconds since 1970) of the run, or of `utc_offset_minutes` if its zone is not
    /// known.
    std::optional<std::uint64_t> since_us = std::nullopt, until_us = std::nullopt;
    int utc_offset_minutes = 0;
};

/// Whether the filter selects the item. An unknown member of the item matches no condition.
OPDEBUG_API bool matches(const ScanFilter& filter, const ScanItem& item);

/// The same for a finding of API dumps: rank, step and time; `op` is a pattern of the call or operator type.
OPDEBUG_API bool matches(const ScanFilter& filter, const ApiFinding& finding);

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

/// An operator, with all causes of its overflows.
struct ScanOperator {
    std::string type, name;             ///< both empty: unknown
    std::vector<std::string> patterns;  ///< codes of remarks, as groups have them
};

/// Groups and doubts of all dumps.
struct ScanOverview {
    std::vector<ScanGroup> groups;        ///< most frequent first, then by first time, then by name
    std::vector<Diagnostic> diagnostics;  ///< doubts about the order of the first overflows
    FirstRivals rivals;                   ///< numbers of these doubts
    std::vector<ScanOperator> operators;  ///< by type and name
};

/// Groups the overflowed items and checks their order. `items`: all dumps in report order.
OPDEBUG_API ScanOverview overview_of(const std::vector<ScanItem>& items);

// Chains of overflowing operators: the overflowed dumps of one step in the order of time. A chain shows where the first
// bad value (NaN, Inf, saturated) appears, as far as the operators' dumps show it.

/// One dump of a chain.
struct ChainLink {
    std::uint64_t position = 0;  ///< in the chain, from 0
    std::string file;
    std::optional<std::uint64_t> timestamp_us;
    std::string operator_type, operator_name;  ///< empty: unknown
    std::optional<Origin> origin;              ///< nothing: not measured
    OpDumpState op_dump = OpDumpState::absent;
};

/// The overflowed dumps of one step, model, rank, device and process.
struct OverflowChain {
    std::optional<std::uint64_t> step;  ///< data index; nothing: no folder shows it, and the chain is over all time
    std::optional<std::uint64_t> rank, device_id;
    std::optional<std::string> folder_time;  ///< the {time} folder: one for each process
    std::string model;                       ///< empty: unknown
    std::uint64_t count = 0;                 ///< dumps
    std::uint64_t born_here = 0, inherited = 0, not_visible = 0, not_measured = 0;  ///< of these
    std::optional<std::uint64_t> first_us, last_us;
    /// The first dump that shows a bad value, in the inputs of its operator or only in its outputs, whatever the
    /// verdict: not_visible where only the outputs were dumped. One that shows integers at the ends of their range only
    /// counts when no other shows more. Nothing: none does.
    std::optional<ChainLink> first_bad;
    std::optional<ChainLink> first_born_here;  ///< likewise, of those whose verdict is born_here
    std::uint64_t inherited_after = 0;         ///< dumps after first_born_here whose inputs hold bad values
    std::vector<ChainLink> links;              ///< the first 20 dumps, in order
    std::vector<ScanRemark> remarks;           ///< why the first bad value is uncertain, or differs elsewhere
};

/// The first chains of a scan.
struct OverflowChains {
    std::vector<OverflowChain> chains;  ///< in the order of their first dumps; 1,000 at most
    std::uint64_t count = 0;            ///< of all chains
};

/// Puts the overflowed items into chains. `items`: all dumps, in report order. Thread-safe.
OPDEBUG_API OverflowChains chains_of(const std::vector<ScanItem>& items);

// Follows the dumps of a running job: reads the folders repeatedly, and reports new overflows. For the
// report at the end, scan the same paths (scan.hpp).

struct WatchOptions {
    ScanOptions scan;  ///< for each look; `shard`, `api_dumps`, `threads` and `progress` are not used
    /// A file is decoded after it has not changed for this time, because writing may continue and the operator dump is
    /// written later.
    std::chrono::milliseconds settle{1000};
};

/// A new or rewritten overflow.
struct WatchedOverflow {
    ScannedDump scanned;
    ScanItem item;
    bool first_of_rank = false;         ///< the first of its rank, or of its device if the rank is unknown
    std::vector<ScanGroup> new_groups;  ///< groups that start with it: names, count 1, first_file
};

/// Follows paths. Writes nothing. Not thread-safe.
class OPDEBUG_API DumpWatch {
public:
    /// Waits for missing paths.
    explicit DumpWatch(std::vector<std::string> paths, WatchOptions options = {});
    ~DumpWatch();
    DumpWatch(const DumpWatch&) = delete;
    DumpWatch& operator=(const DumpWatch&) = delete;

    /// Reads the folders once. Decodes new dumps that have not changed for a while, and passes their overflows
    /// on in the order of their times. `last`: also dumps that may still be written. Returns how many dumps
    /// were decoded. Throws what the functions of the caller throw.
    std::uint64_t look(const std::function<void(WatchedOverflow&&)>& use, bool last = false);

    /// Number of dumps that may still be written.
    std::uint64_t waiting() const noexcept;

    /// Paths that appeared or disappeared since the last call.
    std::vector<Diagnostic> take_diagnostics();

private:
    struct State;
    std::unique_ptr<State> state_;
};

}  // namespace v0
}  // namespace opdebug
