#include "command_line/log_options.hpp"

#include <cstdint>
#include <iterator>
#include <utility>

#include <opdebug/log_formats.hpp>

#include "output/messages.hpp"
#include "system/environment.hpp"
#include "system/interrupt.hpp"

namespace opdebug::tool {

void add_log_options(CommandLine& line) {
    line.options.push_back({"logs", repeated(file_or_folder_value("PATH")),
                            "log file or folder of the run, or a map of 'opdebug index'; may be repeated"});
    line.options.push_back(
        {"utc-offset", text_value("+HH:MM"),
         "zone of the logs' local time, when it is neither that of the dump's time folder nor this machine's"});
    add_log_formats_option(line);
}

std::optional<std::string> read_log_settings(const ParsedArguments& arguments, LogSettings& settings) {
    settings.paths = arguments.texts("logs");
    settings.format_paths = arguments.texts("log-formats");
    if (arguments.has("utc-offset")) {
        settings.utc_offset_minutes = parse_utc_offset(arguments.text("utc-offset"));
        if (!settings.utc_offset_minutes) {
            return "--utc-offset is a form like +08:00, not '" + arguments.text("utc-offset") + "'";
        }
    }
    return read_log_formats(arguments, settings.reading.limits, settings.reading.log_formats);
}

Result<ReadLogs> read_logs_with_progress(const std::vector<std::string>& paths, ReadLogsOptions reading,
                                         ProgressLine& progress) {
    reading.stop = interrupted;
    reading.progress = [&progress](std::uint64_t bytes) { progress.show_logs(bytes); };
    Result<ReadLogs> logs = read_logs(paths, reading);
    progress.clear();
    return logs;
}

UsedLogs use_logs(const LogSettings& settings, WantedTasks wanted, LocateOptions& locate, ProgressLine& progress) {
    locate.utc_offset_minutes = settings.utc_offset_minutes;
    UsedLogs used;
    if (settings.paths.empty()) {
        return used;
    }
    ReadLogsOptions reading = settings.reading;
    reading.wanted = std::move(wanted);
    const Result<ReadLogs> logs = read_logs_with_progress(settings.paths, std::move(reading), progress);
    if (logs) {
        used.remarks = remarks_on(*logs);
        used.whole = logs->failures.empty();
        locate.task_map = logs->task_map;
    } else {
        used.remarks = {{Severity::error, std::string(to_string(logs.error().code)), to_string(logs.error())}};
        used.whole = false;
    }
    say_remarks(used.remarks);
    return used;
}

void add_log_formats_option(CommandLine& line) {
    line.options.push_back(
        {"log-formats", repeated(file_or_folder_value("DIR")),
         "definitions of further log lines: a folder with .json files, or one file; may be repeated"});
}

std::optional<std::string> read_log_formats(const ParsedArguments& arguments, const Limits& limits,
                                            std::vector<NamedText>& files) {
    for (const std::string& path : arguments.texts("log-formats")) {
        Result<std::vector<NamedText>> found = read_log_format_files(path, limits);
        if (!found) {
            return "--log-formats: " + to_string(found.error());
        }
        files.insert(files.end(), std::make_move_iterator(found->begin()), std::make_move_iterator(found->end()));
    }
    if (files.empty()) {
        return std::nullopt;
    }
    const auto formats = list_log_formats(files, limits);
    return formats ? std::nullopt : std::optional<std::string>("--log-formats: " + to_string(formats.error()));
}

std::optional<std::string> read_threads(const ParsedArguments& arguments, unsigned& threads) {
    constexpr std::uint64_t kMostThreads = 1024;
    if (!arguments.has("jobs")) {
        return std::nullopt;
    }
    const std::string text = arguments.text("jobs");
    const std::optional<std::uint64_t> count = parse_count(text);
    if (!count || *count == 0 || *count > kMostThreads) {
        return "-j is a number of threads from 1 to 1024, not '" + text + "'";
    }
    threads = static_cast<unsigned>(*count);
    return std::nullopt;
}

}  // namespace opdebug::tool
