// Paths → task map, or the bytes of a saved map.
#include <algorithm>
#include <iterator>
#include <optional>
#include <utility>

#include <opdebug/logs.hpp>

#include "bytes/free_descriptors.hpp"
#include "logs/collecting/builder.hpp"
#include "logs/collecting/ordered_matching.hpp"
#include "logs/files/log_files.hpp"
#include "logs/files/log_steps.hpp"
#include "logs/files/reading_watch.hpp"
#include "logs/formats/formats.hpp"
#include "logs/matching/matching_threads.hpp"
#include "logs/processes/each_in_parallel.hpp"
#include "logs/processes/shared_ids.hpp"
#include "logs/recording/line_recorder.hpp"
#include "logs/saved_map/read_maps.hpp"
#include "logs/saved_map/saved_map.hpp"
#include "remarks/diagnose.hpp"

namespace opdebug {
inline namespace v0 {
namespace {

using Formats = std::shared_ptr<const logs::LogFormats>;

Result<Formats> formats_with(const std::vector<NamedText>& of_the_user, const Limits& limits) {
    if (of_the_user.empty()) {
        return logs::built_in_log_formats();
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

/// Reads logs and saved maps in their order; what they state goes to a builder and, where a map is made, to a recorder.
class Reading {
public:
    Reading(const std::vector<std::string>& paths, const ReadLogsOptions& options)
        : paths_(paths), options_(options), threads_(logs::thread_count(options.threads)), watch_(options) {}

    /// Error: that of the first failure where nothing could be read.
    Result<ReadLogs> read(logs::TaskMapBuilder& builder, logs::LineRecorder* recorder) {
        logs::LogFiles found = logs::find_log_files(paths_, options_.limits);
        result_.failures = std::move(found.failures);
        std::vector<std::string> maps;
        const auto first_map = std::stable_partition(found.paths.begin(), found.paths.end(),
                                                     [](const std::string& path) { return !logs::is_map_file(path); });
        std::move(first_map, found.paths.end(), std::back_inserter(maps));
        found.paths.erase(first_map, found.paths.end());
        const Result<Formats> formats = formats_with(options_.log_formats, options_.limits);
        if (!formats) {
            return formats.error();
        }
        if (recorder != nullptr) {
            recorder->use_formats(**formats, options_.log_formats);
        }
        if (maps.empty()) {
            read_files(found.paths, **formats, builder, recorder);
        } else {
            read_with_maps(found.paths, maps, *formats, {builder, recorder, watch_});
        }
        result_.complete = !watch_.stopped();
        if (result_.files == 0 && result_.complete) {
            return nothing_read(paths_, result_.failures);
        }
        return std::move(result_);
    }

private:
    void read_files(const std::vector<std::string>& files, const logs::LogFormats& formats,
                    logs::TaskMapBuilder& builder, logs::LineRecorder* recorder) {
        logs::LogSteps steps(files, std::max<std::size_t>(options_.buffer_size, 1), options_.limits);
        // Each has the file open whose lines it reads.
        const unsigned threads = bytes::threads_with_files(threads_);
        logs::MatchingThreads matching(steps, formats, options_.limits.line_bytes, builder.wanted(), threads);
        logs::OrderedMatching in_order(builder, recorder, watch_, result_);
        while (std::optional<logs::MatchedStep> matched = matching.next()) {
            if (!in_order.take(*matched)) {
                break;
            }
            matching.give_back(*std::move(matched));
        }
        in_order.finish();
        leave_out_no_logs(in_order.files_without_log_lines());
    }

    /// Logs are made a map in memory first, so that their lines and those of the maps are read in one order.
    void read_with_maps(const std::vector<std::string>& files, const std::vector<std::string>& paths,
                        const Formats& formats, const logs::MapReaders& readers) {
        std::vector<logs::SavedMap> maps;
        if (!files.empty()) {
            logs::LineRecorder recorder(threads_);
            logs::LinesOfTasks lines;
            logs::TaskMapBuilder builder(lines, options_.limits, threads_);
            recorder.use_formats(*formats, {});
            read_files(files, *formats, builder, &recorder);
            add(recorder.finish(lines, {}), maps);
            builder.finish_processes();
            builder.finish_contents();
            result_.diagnostics = builder.diagnostics();
        }
        for (const std::string& path : paths) {
            Result<logs::SavedMap> map = logs::SavedMap::open(path);
            if (map) {
                maps.push_back(*std::move(map));
            } else {
                result_.failures.push_back(std::move(map.error()));
            }
        }
        logs::read_maps(maps, options_, formats, readers, result_);
    }

    void add(Result<std::string> bytes, std::vector<logs::SavedMap>& maps) {
        Result<logs::SavedMap> map = bytes ? logs::SavedMap::of_bytes(*std::move(bytes)) : std::move(bytes.error());
        if (map) {
            maps.push_back(*std::move(map));
        } else {
            result_.failures.push_back(std::move(map.error()));
        }
    }

    /// Files without a log line are no logs. A folder may hold such files beside the logs, but not only them.
    void leave_out_no_logs(const std::vector<std::string>& files) {
        const bool is_all = files.size() == result_.files;
        for (const std::string& file : files) {
            const bool is_named = std::find(paths_.begin(), paths_.end(), file) != paths_.end();
            if (is_named || is_all) {
                --result_.files;
                result_.failures.push_back({ErrorCode::log_unreadable,
                                            "no line of this file is a log line: lines that begin with "
                                            "[LEVEL] MODULE(PID,NAME):TIME were expected; give a plog or device log",
                                            file, std::nullopt});
            }
        }
    }

    const std::vector<std::string>& paths_;
    const ReadLogsOptions& options_;
    unsigned threads_;
    logs::ReadingWatch watch_;
    ReadLogs result_;
};

void finish(logs::TaskMapBuilder& builder, ReadLogs& result) {
    auto contents = std::make_unique<TaskMap::Contents>(builder.finish_contents());
    contents->unread = result.failures;
    const auto is_known = [&result](const Diagnostic& remark) {
        return std::any_of(result.diagnostics.begin(), result.diagnostics.end(),
                           [&remark](const Diagnostic& known) { return known.code == remark.code; });
    };
    std::vector<Diagnostic> remarks = builder.diagnostics();
    if (std::optional<Diagnostic> shared = logs::shared_id(contents->processes, contents->files)) {
        remarks.push_back(*std::move(shared));
    }
    std::remove_copy_if(remarks.begin(), remarks.end(), std::back_inserter(result.diagnostics), is_known);
    result.task_map = std::make_shared<const TaskMap>(std::move(contents));
}

}  // namespace

std::vector<Diagnostic> remarks_on(const ReadLogs& logs) {
    std::vector<Diagnostic> remarks;
    remarks.reserve(logs.failures.size() + logs.diagnostics.size());
    for (const Error& failure : logs.failures) {
        remarks.push_back(remarks::diagnose(failure));
    }
    remarks.insert(remarks.end(), logs.diagnostics.begin(), logs.diagnostics.end());
    return remarks;
}

Result<ReadLogs> read_logs(const std::vector<std::string>& paths, const ReadLogsOptions& options) {
    logs::TaskMapBuilder builder(options.wanted, options.limits, logs::thread_count(options.threads));
    Result<ReadLogs> result = Reading(paths, options).read(builder, nullptr);
    if (result) {
        builder.finish_processes();
        finish(builder, *result);
    }
    return result;
}

Result<IndexedLogs> index_logs(const std::vector<std::string>& paths, const ReadLogsOptions& options) {
    ReadLogsOptions everything = options;
    everything.wanted.reset();
    const unsigned threads = logs::thread_count(options.threads);
    logs::LinesOfTasks lines;
    logs::TaskMapBuilder builder(lines, options.limits, threads);
    logs::LineRecorder recorder(threads);
    Result<ReadLogs> read = Reading(paths, everything).read(builder, &recorder);
    if (!read) {
        return read.error();
    }
    IndexedLogs indexed;
    builder.finish_processes();
    Result<std::string> map = recorder.finish(
        lines, [&builder](const std::string& path, logs::SavedWriter& writer) { builder.show_writer(path, writer); });
    if (!map) {
        return map.error();
    }
    finish(builder, *read);
    indexed.map = *std::move(map);
    indexed.size = size_of(*read->task_map);
    indexed.size.tasks = builder.count_tasks();
    indexed.logs = *std::move(read);
    return indexed;
}

}  // namespace v0
}  // namespace opdebug
