// The options of every command that reads logs.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include <opdebug/locate.hpp>
#include <opdebug/named_text.hpp>
#include <opdebug/task_map.hpp>

#include "command_line/arguments.hpp"
#include "output/progress_line.hpp"

namespace opdebug::tool {

/// What --logs, --log-formats and --utc-offset say.
struct LogSettings {
    std::vector<std::string> paths;
    std::vector<std::string> format_paths;  ///< of --log-formats
    ReadLogsOptions reading;
    std::optional<int> utc_offset_minutes;
};

/// Adds --logs, --log-formats and --utc-offset.
void add_log_options(CommandLine& line);

/// Reads them, within settings.reading.limits; a message when one is wrong.
std::optional<std::string> read_log_settings(const ParsedArguments& arguments, LogSettings& settings);

/// Reads logs until they end or an interrupt comes. `progress` shows how much was read, and is cleared.
Result<ReadLogs> read_logs_with_progress(const std::vector<std::string>& paths, ReadLogsOptions reading,
                                         ProgressLine& progress);

/// How the reading of logs went.
struct UsedLogs {
    bool whole = true;                ///< everything could be read
    std::vector<Diagnostic> remarks;  ///< what could not be (severity error), and what was left out; said already
};

/// Reads the logs for what is wanted and gives them to `locate`; says what could not be read. Without --logs there is
/// nothing to do.
UsedLogs use_logs(const LogSettings& settings, WantedTasks wanted, LocateOptions& locate, ProgressLine& progress);

/// Adds --log-formats.
void add_log_formats_option(CommandLine& line);

/// The definition files of --log-formats, checked together with the built-in ones; a message when one cannot be read
/// or is not sound.
std::optional<std::string> read_log_formats(const ParsedArguments& arguments, const Limits& limits,
                                            std::vector<NamedText>& files);

/// The number of -j: 0 when it is not given. A message when it is none from 1 to 1024.
std::optional<std::string> read_threads(const ParsedArguments& arguments, unsigned& threads);

}  // namespace opdebug::tool
