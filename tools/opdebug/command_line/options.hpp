// Options that several commands have: of results, limits and logs.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include <opdebug/locate.hpp>
#include <opdebug/logs.hpp>
#include <opdebug/report.hpp>
#include <opdebug/result.hpp>

#include "command_line/arguments.hpp"
#include "output/messages.hpp"

namespace opdebug::tool {

constexpr const char* kTensorsHelp =
    "also measure the operators' own dumps: what their inputs and outputs hold, and whether the bad value was born in "
    "the operator or inherited; reads these files as a whole";

/// Adds --output, --color, --lang and --help.
void add_report_options(CommandLine& line);

/// --output
Option output_option();

/// --lang
Option language_option(const char* summary);

/// The value of --output, if given.
std::optional<std::string> output_path(const ParsedArguments& arguments);

/// --color
Option color_option();

/// Minutes that the reader's zone is ahead of UTC: those that are given, else this machine's.
std::function<int(std::optional<std::uint64_t>)> local_time_of(std::optional<int> utc_offset_minutes);

/// Reads --lang and --color, else the environment.
void read_report_options(const ParsedArguments& arguments, ReportOptions& report);

using WriteReport = std::optional<Error> (ScanReport::*)(const TextSink&) const;

/// --trace
Option trace_option();

/// The writer of a scan's report in that form, and what is to be kept for it. Partial reports (`report.partial`) are
/// JSON lines with all that is kept; in other forms there is none.
WriteReport writer_of(const std::string& form, ScanReportOptions& report);

/// The forms of a scan's report.
inline const std::vector<std::string> kReportForms{"text", "json", "jsonl", "csv", "html"};

/// --limit
Option limit_option();

/// Reads NAME=NUMBER of each --limit, where K, M and G behind the number are powers of 1024; a message when one is
/// wrong.
std::optional<std::string> read_limit_option(const ParsedArguments& arguments, Limits& limits);

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

/// Reading ends early when an interrupt comes; `progress` shows how much was read, and is to be cleared.
void show_reading(ReadLogsOptions& reading, ProgressLine& progress);

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

/// --jobs
Option jobs_option();

/// The number of -j: 0 when it is not given. A message when it is none from 1 to 1024.
std::optional<std::string> read_threads(const ParsedArguments& arguments, unsigned& threads);

}  // namespace opdebug::tool
