// Paths → task map, or the bytes of a saved map.
#include <algorithm>
#include <iterator>
#include <memory>
#include <optional>
#include <utility>

#include <opdebug/logs.hpp>

#include "bytes/each_in_parallel.hpp"
#include "logs/files/log_files.hpp"
#include "logs/files/log_parts.hpp"
#include "logs/formats/formats.hpp"
#include "logs/processes/builder.hpp"
#include "logs/processes/own_logs.hpp"
#include "logs/reading/reading_threads.hpp"
#include "logs/saved_map/map_writer.hpp"
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
            "no log was found: log files end in .log, .txt or .out, also rotated (.log.1) or compressed (.gz, .zst)",
            paths.empty() ? std::string() : paths.front(), std::nullopt};
}

/// Reads logs and saved maps in their order; what they state goes to a builder and, where a map is made, to a writer.
class Reading {
public:
    Reading(const std::vector<std::string>& paths, const ReadLogsOptions& options)
        : paths_(paths), options_(options), threads_(bytes::thread_count(options.threads)), watch_(options) {}

    /// Error: that of the first failure where nothing could be read.
    Result<ReadLogs> read(logs::TaskMapBuilder& builder, logs::MapWriter* writer) {
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
        if (writer != nullptr) {
            writer->use_formats(**formats, options_.log_formats);
        }
        if (maps.empty()) {
            read_files(found.paths, **formats, {builder, writer, watch_});
        } else {
            read_with_maps(found.paths, maps, *formats, {builder, writer, watch_});
        }
        result_.complete = !watch_.stopped();
        if (result_.files == 0 && result_.complete) {
            return nothing_read(paths_, result_.failures);
        }
        return std::move(result_);
    }

private:
    void read_files(const std::vector<std::string>& files, const logs::LogFormats& formats,
                    const logs::LineTakers& takers) {
        logs::LogSteps steps(files, std::max<std::size_t>(options_.buffer_size, 1), options_.limits);
        logs::ReadingThreads reading(steps, formats, options_.limits.line_bytes, takers.builder.wanted(), threads_);
        while (const std::unique_ptr<logs::ReadStep> step = reading.next()) {
            if (!take(*step, takers)) {
                break;
            }
        }
        end_file();
        leave_out_no_logs();
    }

    /// False where reading was stopped: nothing of the step counts, and nothing after it. The watch is checked before
    /// each step is processed, not before it is read: the result does not depend on how far ahead the threads have
    /// read.
    bool take(logs::ReadStep& read, const logs::LineTakers& takers) {
        logs::LogStep& step = read.step;
        if (watch_.must_stop()) {
            if (!step.begins) {
                begin_file(*step.path, takers);  // it could be opened
            }
            return false;
        }
        if (step.begins) {
            is_begun_ = false;
        } else {
            add(step, std::move(read.lines), takers);
        }
        if (step.read.failure) {
            takers.builder.mark_damaged(*step.path);
            result_.failures.push_back(*std::move(step.read.failure));
        }
        return true;
    }

    void begin_file(const std::string& path, const logs::LineTakers& takers) {
        if (is_begun_) {
            return;
        }
        end_file();
        takers.builder.begin_file(path);
        if (takers.writer != nullptr) {
            takers.writer->begin_file(path);
        }
        ++result_.files;
        is_begun_ = true;
        file_ = path;
        has_log_lines_ = false;
        lines_of_file_ = 0;
    }

    void end_file() {
        if (!has_log_lines_ && lines_of_file_ != 0) {
            without_log_lines_.push_back(file_);
        }
        has_log_lines_ = true;
    }

    void add(const logs::LogStep& step, logs::StatedLines lines, const logs::LineTakers& takers) {
        const bool is_end = step.read.bytes == 0 && !step.read.failure;
        if (!step.read.lines.empty() || is_end) {
            begin_file(*step.path, takers);
        }
        if (step.read.bytes != 0 || is_end) {
            watch_.add(step.read.bytes);
        }
        if (step.read.lines.empty()) {
            return;
        }
        lines.lines_before = lines_of_file_;
        for (auto& [number, diagnostic] : lines.diagnostics) {
            number += lines_of_file_;
        }
        lines.first_long_line += lines_of_file_;
        has_log_lines_ = has_log_lines_ || !lines.writers.empty();
        result_.lines += lines.count;
        lines_of_file_ += lines.count;
        if (takers.writer != nullptr) {
            takers.writer->add(step.read.lines, lines);
        }
        takers.builder.add(std::move(lines));
    }

    /// Logs are made a map in memory first, so that their lines and those of the maps are read in one order.
    void read_with_maps(const std::vector<std::string>& files, const std::vector<std::string>& paths,
                        const Formats& formats, const logs::LineTakers& takers) {
        std::vector<logs::SavedMap> maps;
        if (!files.empty()) {
            logs::MapWriter writer(threads_);
            logs::LinesOfTasks lines;
            logs::TaskMapBuilder builder(lines, options_.limits, threads_);
            writer.use_formats(*formats, {});
            read_files(files, *formats, {builder, &writer, watch_});
            Result<std::string> bytes = writer.finish(lines, {});
            add(bytes ? logs::SavedMap::of_bytes(*std::move(bytes)) : std::move(bytes.error()), maps);
            builder.finish_processes();
            builder.finish_contents();
            result_.diagnostics = builder.diagnostics();
        }
        for (const std::string& path : paths) {
            add(logs::SavedMap::open(path), maps);
        }
        logs::read_maps(maps, options_, formats, takers, result_);
    }

    void add(Result<logs::SavedMap> map, std::vector<logs::SavedMap>& maps) {
        if (map) {
            maps.push_back(*std::move(map));
        } else {
            result_.failures.push_back(std::move(map.error()));
        }
    }

    /// Files without a log line are no logs. A folder may hold such files next to the logs, but not only them.
    void leave_out_no_logs() {
        const bool is_all = without_log_lines_.size() == result_.files;
        for (const std::string& file : without_log_lines_) {
            const bool is_named = std::find(paths_.begin(), paths_.end(), file) != paths_.end();
            if (is_named || is_all) {
                --result_.files;
                result_.failures.push_back(
                    {ErrorCode::log_unreadable,
                     "this file has no log lines: they start with [LEVEL] MODULE(PID,NAME):TIME. Use a plog or device "
                     "log ('opdebug train' reads training logs)",
                     file, std::nullopt});
            }
        }
    }

    const std::vector<std::string>& paths_;
    const ReadLogsOptions& options_;
    unsigned threads_;
    logs::ReadingWatch watch_;
    ReadLogs result_;
    bool is_begun_ = false;  ///< the file counts: its first line was there before any damage, or it has none
    std::string file_;       ///< the last that counts
    std::uint64_t lines_of_file_ = 0;
    bool has_log_lines_ = true;
    std::vector<std::string> without_log_lines_;
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

TaskMap::TaskMap(std::unique_ptr<const Contents> contents) : contents_(std::move(contents)) {}
TaskMap::~TaskMap() = default;

TaskMapSize size_of(const TaskMap& map) noexcept {
    TaskMapSize size;
    for (const logs::Process& process : map.contents().processes) {
        size.processes += process.without_host_lines && !process.states_anything ? 0U : 1U;
        size.tasks += process.of_task.size();
    }
    return size;
}

/// Any log line gives a process.
bool has_log_lines(const TaskMap& map) noexcept {
    return !map.contents().processes.empty();
}

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
    logs::TaskMapBuilder builder(options.wanted, options.limits, bytes::thread_count(options.threads));
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
    const unsigned threads = bytes::thread_count(options.threads);
    logs::LinesOfTasks lines;
    logs::TaskMapBuilder builder(lines, options.limits, threads);
    logs::MapWriter writer(threads);
    Result<ReadLogs> read = Reading(paths, everything).read(builder, &writer);
    if (!read) {
        return read.error();
    }
    IndexedLogs indexed;
    builder.finish_processes();
    Result<std::string> map =
        writer.finish(lines, [&builder](const std::string& path, const logs::Writer& of_file, std::uint32_t host) {
            return builder.statements_of(path, of_file, host);
        });
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
