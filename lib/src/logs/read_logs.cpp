// Paths → task map.
#include <algorithm>
#include <optional>
#include <utility>

#include <opdebug/task_map.hpp>

#include "bytes/free_descriptors.hpp"
#include "logs/collecting/builder.hpp"
#include "logs/collecting/ordered_matching.hpp"
#include "logs/files/log_files.hpp"
#include "logs/files/log_steps.hpp"
#include "logs/files/reading_watch.hpp"
#include "logs/formats/formats.hpp"
#include "logs/map_file/map_file.hpp"
#include "logs/matching/matching_threads.hpp"
#include "logs/processes/each_in_parallel.hpp"
#include "logs/processes/packed_map.hpp"

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

void add_saved_map(const std::string& path, const std::optional<WantedTasks>& wanted, bool is_joined,
                   std::vector<TaskMap::Contents>& saved, ReadLogs& result) {
    Result<TaskMap::Contents> map = logs::read_map_file(path, wanted, is_joined);
    if (map) {
        ++result.files;
        saved.push_back(std::move(*map));
    } else {
        result.failures.push_back(std::move(map.error()));
    }
}

/// Returns the files that hold lines, but no log line.
std::vector<std::string> read_files(const std::vector<logs::LogPath>& files, const ReadLogsOptions& options,
                                    const logs::LogFormats& formats, logs::TaskMapBuilder& builder,
                                    std::vector<TaskMap::Contents>& saved, ReadLogs& result) {
    logs::LogSteps steps(files, std::max<std::size_t>(options.buffer_size, 1), options.limits);
    // Each has the file open whose lines it reads.
    const unsigned threads = bytes::threads_with_files(logs::thread_count(options.threads));
    logs::MatchingThreads matching(steps, formats, options.limits.line_bytes, builder.wanted(), threads);
    logs::ReadingWatch watch(options);
    logs::OrderedMatching in_order(builder, watch, result);
    while (std::optional<logs::MatchedStep> matched = matching.next()) {
        if (!in_order.take(*matched)) {
            break;
        }
        if (const logs::LogPath& file = *matched->step.path; file.is_map) {
            add_saved_map(file.path, options.wanted, files.size() > 1, saved, result);
        }
        matching.give_back(*std::move(matched));
    }
    in_order.finish();
    result.complete = !watch.stopped();
    return in_order.files_without_log_lines();
}

std::vector<logs::LogPath> with_kinds(std::vector<std::string> paths) {
    std::vector<logs::LogPath> files;
    for (std::string& path : paths) {
        const bool is_map = logs::is_map_file(path);
        files.push_back({std::move(path), is_map});
    }
    return files;
}

}  // namespace

std::vector<Diagnostic> remarks_on(const ReadLogs& logs) {
    std::vector<Diagnostic> remarks;
    remarks.reserve(logs.failures.size() + logs.diagnostics.size());
    for (const Error& failure : logs.failures) {
        remarks.push_back({Severity::error, std::string(to_string(failure.code)), to_string(failure)});
    }
    remarks.insert(remarks.end(), logs.diagnostics.begin(), logs.diagnostics.end());
    return remarks;
}

Result<ReadLogs> read_logs(const std::vector<std::string>& paths, const ReadLogsOptions& options) {
    logs::LogFiles found = logs::find_log_files(paths, options.limits);
    const std::vector<logs::LogPath> files = with_kinds(std::move(found.paths));
    const bool reads_logs = !std::all_of(files.begin(), files.end(), [](const auto& file) { return file.is_map; });
    const auto formats = formats_with(options.log_formats, reads_logs, options.limits);
    if (!formats) {
        return formats.error();
    }
    ReadLogs result;
    result.failures = std::move(found.failures);
    const unsigned threads = logs::thread_count(options.threads);
    const bool is_joined = std::any_of(files.begin(), files.end(), [](const auto& file) { return file.is_map; });
    logs::TaskMapBuilder builder(options.wanted, options.limits, threads, is_joined);
    std::vector<TaskMap::Contents> saved;
    leave_out_no_logs(read_files(files, options, **formats, builder, saved, result), paths, result);
    if (result.files == 0 && result.complete) {
        return nothing_read(paths, result.failures);
    }
    TaskMap::Packed of_logs = builder.finish_packed();
    of_logs.contents.unread = result.failures;
    if (options.wanted) {  // to be asked for: the thread that asks first would open all, and the others wait for it
        logs::open_facts(of_logs, threads);
    }
    result.diagnostics = builder.diagnostics();
    result.task_map = logs::join_maps(std::move(of_logs), std::move(saved), options.limits, result.diagnostics);
    return result;
}

}  // namespace v0
}  // namespace opdebug
