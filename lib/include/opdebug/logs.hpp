// What logs state about tasks: reading them, saved maps of them, and the definitions of their lines.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <opdebug/export.h>
#include <opdebug/result.hpp>
#include <opdebug/tree.hpp>

namespace opdebug {
inline namespace v0 {

// Facts of CANN logs about tasks: operator, kernel and model of a (stream, task), and when.

/// The facts of a set of logs. Immutable; threads may share it.
class OPDEBUG_API TaskMap {
public:
    struct Contents;
    explicit TaskMap(std::unique_ptr<const Contents> contents);
    ~TaskMap();
    TaskMap(const TaskMap&) = delete;
    TaskMap& operator=(const TaskMap&) = delete;

    /// Used by the library's own stages.
    const Contents& contents() const noexcept { return *contents_; }

private:
    std::unique_ptr<const Contents> contents_;
};

/// A task map, and how the files were read.
struct ReadLogs {
    std::shared_ptr<const TaskMap> task_map;  ///< never null
    std::uint64_t files = 0;
    std::uint64_t lines = 0;
    std::vector<Error> failures;  ///< unreadable files; the others count
    /// Unused lines, the first of each kind (a pattern gave up, a number may be cut); processes that share an id;
    /// exceeded limits.
    std::vector<Diagnostic> diagnostics;
    bool complete = true;  ///< false: `stop` ended reading
};

/// The diagnostics of the logs for ScanOptions::diagnostics: an error for each unreadable file, then `diagnostics`.
/// Thread-safe.
OPDEBUG_API std::vector<Diagnostic> remarks_on(const ReadLogs& logs);

/// A dump with a task id. All dumps of a scan together show the offset between the clocks of devices and hosts.
struct WantedDump {
    std::optional<std::uint64_t> stream_id, task_id;
    std::optional<std::uint64_t> model_id;  ///< in the record
    bool is_without_model = false;          ///< the record contains the value for it
    std::optional<std::uint64_t> timestamp_us;
    std::string file;
    PathIds path_ids;
};

/// The tasks that are needed. Other tasks of the logs are dropped.
struct WantedTasks {
    std::vector<std::pair<std::uint64_t, std::uint64_t>> tasks;  ///< stream id and task id
    std::vector<std::uint64_t> addresses;                        ///< of kernel code, to find launches by address
    std::vector<WantedDump> dumps{};                             ///< for estimate_clocks(); read_logs() needs none
};

/// How logs are read, and which facts are kept.
struct ReadLogsOptions {
    std::vector<NamedText> log_formats;                 ///< log formats of the user, added to the built-in ones
    std::optional<WantedTasks> wanted;                  ///< keep only facts about these; empty: all facts
    unsigned threads = 0;                               ///< 0: one for each core. The map does not depend on it
    std::size_t buffer_size = std::size_t{256} << 10U;  ///< bytes read at a time. The map does not depend on it
    /// Called in the calling thread before a read is used. true stops early. Null: never.
    std::function<bool()> stop;
    /// Called in the calling thread after each read with the number of (uncompressed) bytes so far. May be null.
    std::function<void(std::uint64_t bytes)> progress;
    Limits limits;
};

/// Size of a task map.
struct TaskMapSize {
    std::uint64_t processes = 0;
    std::uint64_t tasks = 0;  ///< pairs of stream and task id, counted in each process
};
/// Counts processes and tasks. Processes without any line of the runtime, GE or AscendCL are not counted. Thread-safe.
OPDEBUG_API TaskMapSize size_of(const TaskMap& map) noexcept;

/// Whether any log line was read, counted or not. Thread-safe.
OPDEBUG_API bool has_log_lines(const TaskMap& map) noexcept;

/// Reads log files, and logs below folders: names that end with .log, .txt or .out, also rotated (.log.1) and
/// compressed (.gz, .zst).
/// * The content decides what a file is. A file that is given as a path is read whatever its name is.
/// * The process of a line comes from the line, not from the file name.
/// * Saved maps among the paths are read like the logs that they were made from.
/// * Paths that cannot be used are failures. Of a damaged file the lines before the damage count.
/// * After a stop, the complete lines read so far count.
/// Errors: the first failure if no log could be read (log_unreadable if there is none); log_format_invalid for a wrong
/// format of the user. Starts threads. Thread-safe. Throws exceptions of `stop` and `progress`.
OPDEBUG_API Result<ReadLogs> read_logs(const std::vector<std::string>& paths, const ReadLogsOptions& options = {});

/// A saved map, and how its logs were read.
struct IndexedLogs {
    std::string map;   ///< content of the file
    TaskMapSize size;  ///< size of the map
    ReadLogs logs;     ///< its task map is empty: read the saved map
};

/// Makes a saved map of logs, which read_logs() accepts instead of the logs (docs/internals/logs.md). It contains
/// the lines with facts, compressed, and an index of the tasks. Ignores `wanted`. The same logs and log formats give
/// the same bytes. Errors: see read_logs(); write_failed if the map is too large. Thread-safe.
OPDEBUG_API Result<IndexedLogs> index_logs(const std::vector<std::string>& paths, const ReadLogsOptions& options = {});

// The definitions of log lines (docs/reference/log-formats.md): the built-in ones, a user's own, and whether they are
// sound.

/// One definition, as its file states it. What the file leaves out is empty or false.
struct LogFormatInfo {
    std::string file;  ///< name of the file that it comes from
    std::string id;
    std::string catalogue;  ///< short mark that the texts of one message share
    std::string states;
    std::string else_states;  ///< what lines with values of `ignore` state
    std::string log;
    std::vector<std::string> modules;
    std::vector<std::string> functions;
    std::vector<std::string> patterns;
    std::vector<std::string> literals;  ///< for each pattern the text that each of its lines contains
    std::string literal;                ///< that text for all patterns, where the file has it
    std::vector<std::pair<std::string, std::vector<std::string>>> ignore;  ///< captures and values that state nothing
    bool cut_lines = false;                                                ///< only lines that may have been cut
    bool fallback = false;                                                 ///< only lines that no other format reads
    std::vector<std::pair<std::string, std::uint64_t>> constants;  ///< numbers that each line states without printing
    bool task_id_provisional = false;
    std::string remembers;
    bool once = false;
    std::string forgets;
    std::vector<std::string> completed_by;
    std::string versions;
    std::string source;
    std::vector<std::string> samples;
};

/// The built-in definitions and those of `files` (JSON texts), in this order. Error: log_format_invalid, with file,
/// entry, member, reason and remedy; those of limits. Thread-safe.
OPDEBUG_API Result<std::vector<LogFormatInfo>> list_log_formats(const std::vector<NamedText>& files = {},
                                                                const Limits& limits = {});

/// What a sound file holds.
struct LogFormatFile {
    std::uint64_t formats = 0;
    std::uint64_t samples = 0;
};

/// Whether a file is sound together with the built-in definitions and those of `others`. The file itself (equal name
/// without folders, and equal text) is left out of these. Errors as for list_log_formats(); the fault may also be
/// that of a file of `others`. Thread-safe.
OPDEBUG_API Result<LogFormatFile> check_log_format_file(const NamedText& file,
                                                        const std::vector<NamedText>& others = {},
                                                        const Limits& limits = {});

/// Reads a file of definitions, or all files in a folder whose names end in .json, in the order of their names.
/// Sub-folders are not read. Errors: those of opening and reading (file_not_found ...), definition_too_large, and
/// log_format_invalid for a folder without such files. Thread-safe.
OPDEBUG_API Result<std::vector<NamedText>> read_log_format_files(const std::string& path, const Limits& limits = {});

/// Those of `formats` with that id or catalogue mark. Marks may be ranges: "L4-L10" is the mark of "L7" as well.
/// Letters of marks count in either case. Thread-safe.
OPDEBUG_API std::vector<LogFormatInfo> log_formats_named(const std::vector<LogFormatInfo>& formats,
                                                         const std::string& name);

/// Ids and catalogue marks of `formats` that are spelled nearly like `name`, the nearest first, at most five.
/// Thread-safe.
OPDEBUG_API std::vector<std::string> near_log_format_names(const std::vector<LogFormatInfo>& formats,
                                                           const std::string& name);

}  // namespace v0
}  // namespace opdebug
