// What CANN logs say about tasks: which operator, kernel and model a (stream, task) belongs to, and when.
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
#include <opdebug/limits.hpp>
#include <opdebug/named_text.hpp>
#include <opdebug/result.hpp>
#include <opdebug/tree.hpp>

namespace opdebug {
inline namespace v0 {

/// The statements of a set of logs. Immutable; safe to share between threads.
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

/// A task map and what was remarkable about the files it was read from.
struct ReadLogs {
    std::shared_ptr<const TaskMap> task_map;  ///< never null
    std::uint64_t files = 0;
    std::uint64_t lines = 0;
    std::vector<Error> failures;  ///< files that could not be read; the others count all the same
    /// Lines that were not used, the first of each kind (a pattern gave up, a number may be cut); processes that share
    /// an id; passed limits.
    std::vector<Diagnostic> diagnostics;
    bool complete = true;  ///< false: `stop` ended reading; the map holds what was read until then
};

/// What a report is to say of the logs behind it, for ScanOptions::diagnostics: an error for each file that could not
/// be read, then the diagnostics. Thread-safe.
OPDEBUG_API std::vector<Diagnostic> remarks_on(const ReadLogs& logs);

/// A dump whose record asks for a task: all of a scan tell together how far the clocks of devices and hosts differ.
struct WantedDump {
    std::optional<std::uint64_t> stream_id, task_id;
    std::optional<std::uint64_t> model_id;  ///< of the record
    bool is_without_model = false;          ///< the record says so
    std::optional<std::uint64_t> timestamp_us;
    std::string file;
    PathIds path_ids;
};

/// What somebody asks for: the logs' other tasks need not be kept.
struct WantedTasks {
    std::vector<std::pair<std::uint64_t, std::uint64_t>> tasks;  ///< stream id and task id
    std::vector<std::uint64_t> addresses;                        ///< of kernel code, to find launches by address
    std::vector<WantedDump> dumps{};                             ///< for estimate_clocks(); read_logs() needs none
};

/// How logs are read, and what of them is kept.
struct ReadLogsOptions {
    std::vector<NamedText> log_formats;  ///< log formats of the user (docs/log-formats.md), beside the built-in ones
    std::optional<WantedTasks> wanted;   ///< keep only what tells about these; nothing: everything
    unsigned threads = 0;                ///< 0: as many as the machine runs at once. The map does not depend on it
    std::size_t buffer_size = std::size_t{256} << 10U;  ///< bytes read at a time. The map does not depend on it
    /// Asked before each read counts, from the calling thread; true ends reading early. Null: never.
    std::function<bool()> stop;
    /// Told after each read how many bytes of logs were read so far (unpacked), from the calling thread. Null: nobody.
    std::function<void(std::uint64_t bytes)> progress;
    Limits limits;
};

/// How much a task map tells.
struct TaskMapSize {
    std::uint64_t processes = 0;
    std::uint64_t tasks = 0;  ///< pairs of stream and task id, counted in each process
};
/// Counts what the map holds. Processes whose lines tell nothing that answers need (none is of the runtime, GE or
/// AscendCL) are not counted. Thread-safe.
OPDEBUG_API TaskMapSize size_of(const TaskMap& map) noexcept;

/// Whether the map is of any log line, though it may be of none that is counted. Thread-safe.
OPDEBUG_API bool has_log_lines(const TaskMap& map) noexcept;

/// Reads log files, and the logs below folders (names that end in .log, .txt or .out, also rotated: .log.1, and packed:
/// .gz, .zst). What a file is, its content says: named files are read whatever they are called. The process of a line
/// is taken from the line, never from the file's name. Saved maps among the paths (known by their first bytes) are
/// read as the logs they were made of. Paths that cannot be used are among the failures, archives too;
/// of a file that is damaged, the lines before the damage count. The error of the first failure is returned only when
/// no log could be read at all (log_unreadable when there is none); log_format_invalid when a format of the user is
/// wrong. When `stop` ends it, whole lines that were read until then count, and that there were none is no error.
/// Starts threads of its own. Thread-safe. Throws what `stop` and `progress` throw.
OPDEBUG_API Result<ReadLogs> read_logs(const std::vector<std::string>& paths, const ReadLogsOptions& options = {});

/// A saved map, and what was remarkable about the files it was made from.
struct IndexedLogs {
    std::string map;   ///< the bytes of the file
    TaskMapSize size;  ///< what the map tells
    ReadLogs logs;     ///< its task map has no facts: read the saved map for them
};

/// Makes a saved map of logs, which read_logs() takes in place of them (docs/task-map.md): the lines that state
/// something, compressed, with tables by which one task is found. `wanted` of the options is not used. The same logs
/// and log formats give the same bytes, whatever the number of threads. Errors as of read_logs(), and write_failed when
/// the map is too large. Thread-safe.
OPDEBUG_API Result<IndexedLogs> index_logs(const std::vector<std::string>& paths, const ReadLogsOptions& options = {});

}  // namespace v0
}  // namespace opdebug
