// Paths → task map.
#include <algorithm>
#include <optional>
#include <utility>

#include <opdebug/task_map.hpp>

#include "logs/builder.hpp"
#include "logs/byte_source.hpp"
#include "logs/each_in_parallel.hpp"
#include "logs/formats.hpp"
#include "logs/log_files.hpp"
#include "logs/log_parts.hpp"
#include "logs/map_file.hpp"
#include "logs/ordered_matching.hpp"
#include "logs/reading_watch.hpp"

namespace opdebug {
inline namespace v0 {
namespace {

/// Where there are saved maps only, none: to load them takes as long as to read from a map what one record asks for.
Result<std::shared_ptr<const logs::LogFormats>> formats_with(const std::vector<NamedText>& of_the_user, bool are_needed,
                                                             const Limits& limits) {
    if (of_the_user.empty()) {
        return are_needed ? logs::built_in_log_formats() : logs::LogFormats::load({}, limits);
    }
    std::vector<NamedText> files = logs::built_in_log_format_files();
    files.insert(files.end(), of_the_user.begin(), of_the_user.end());
    return logs::LogFormats::load(files, limits);
}

/// Feeds one file. Nothing of it counts when it cannot be opened, or is damaged before the first line ends.
std::optional<Error> read_file(const std::string& path, const ReadLogsOptions& options, logs::ReadingWatch& watch,
                               logs::OrderedMatching& matching, std::uint64_t& files) {
    Result<logs::ByteSource> source = logs::ByteSource::open(path);
    if (!source) {
        return std::move(source.error());
    }
    // source->start() holds the first bytes: here is the place to recognise files that are no logs.
    const std::size_t read_size = std::max<std::size_t>(options.buffer_size, 1);
    logs::LogParts parts(std::move(*source), read_size, watch, options.limits.line_bytes);
    bool begun = false;
    while (true) {
        Result<std::optional<logs::LogPart>> part = parts.next(matching.spare_buffer());
        if (!begun && part) {
            matching.begin_file(path);
            begun = true;
            ++files;
        }
        if (!part) {
            return std::move(part.error());
        }
        if (!*part) {
            return std::nullopt;
        }
        matching.add(**std::move(part));
    }
}

/// The first failure, where there is one; else there was nothing to read.
Error nothing_read(const std::vector<std::string>& paths, const std::vector<Error>& failures) {
    if (!failures.empty()) {
        return failures.front();
    }
    return {ErrorCode::log_unreadable,
            "no log was found: files ending in .log, .txt or .out were expected, also rotated (.log.1) or packed (.gz, "
            ".zst)",
            paths.empty() ? std::string() : paths.front(), std::nullopt};
}

/// Files without a log line are no logs. A folder may hold such files beside the logs, but not only them.
void leave_out_no_logs(const std::vector<std::string>& files, const std::vector<std::string>& paths, ReadLogs& result) {
    const bool is_all = files.size() == result.files;
    for (const std::string& file : files) {
        const bool is_named = std::find(paths.begin(), paths.end(), file) != paths.end();
        if (is_named || is_all) {
            --result.files;
            result.failures.push_back({ErrorCode::log_unreadable,
                                       "no line of this file is a log line: lines that begin with "
                                       "[LEVEL] MODULE(PID,NAME):TIME were expected; give a plog or device log",
                                       file, std::nullopt});
        }
    }
}

void add_saved_map(const std::string& path, const std::optional<WantedTasks>& wanted,
                   std::vector<TaskMap::Contents>& saved, ReadLogs& result) {
    Result<TaskMap::Contents> map = logs::read_map_file(path, wanted);
    if (map) {
        ++result.files;
        saved.push_back(std::move(*map));
    } else {
        result.failures.push_back(std::move(map.error()));
    }
}

}  // namespace

Result<ReadLogs> read_logs(const std::vector<std::string>& paths, const ReadLogsOptions& options) {
    logs::LogFiles found = logs::find_log_files(paths, options.limits);
    std::vector<bool> is_map;
    for (const std::string& path : found.paths) {
        is_map.push_back(logs::is_map_file(path));
    }
    const bool reads_logs = std::find(is_map.begin(), is_map.end(), false) != is_map.end();
    const auto formats = formats_with(options.log_formats, reads_logs, options.limits);
    if (!formats) {
        return formats.error();
    }
    ReadLogs result;
    result.failures = std::move(found.failures);
    const unsigned threads = logs::thread_count(options.threads);
    logs::TaskMapBuilder builder(options.wanted, options.limits, threads);
    logs::OrderedMatching matching(builder, **formats, threads, options.limits.line_bytes);
    logs::ReadingWatch watch(options);
    std::vector<TaskMap::Contents> saved;
    for (std::size_t index = 0; index < found.paths.size() && !watch.must_stop(); ++index) {
        const std::string& path = found.paths[index];
        if (is_map[index]) {
            add_saved_map(path, options.wanted, saved, result);
            continue;
        }
        if (std::optional<Error> failure = read_file(path, options, watch, matching, result.files)) {
            builder.mark_damaged(path);
            result.failures.push_back(*std::move(failure));
        }
    }
    matching.finish();
    leave_out_no_logs(matching.files_without_log_lines(), paths, result);
    result.complete = !watch.stopped();
    if (result.files == 0 && result.complete) {
        return nothing_read(paths, result.failures);
    }
    result.lines = matching.lines();
    TaskMap::Packed of_logs = builder.finish_packed();
    result.diagnostics = builder.diagnostics();
    result.task_map = logs::join_maps(std::move(of_logs), std::move(saved), options.limits, result.diagnostics);
    return result;
}

}  // namespace v0
}  // namespace opdebug
