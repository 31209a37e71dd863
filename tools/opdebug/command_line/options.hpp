// Common options of several commands: results, limits, logs, filters and lists. Invalid values are wrong usage:
// UsageError.
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

#include "command_line/command_line.hpp"
#include "output/messages.hpp"

namespace opdebug::tool {

/// The user's offset from UTC in minutes: the option, otherwise this machine's.
std::function<int(std::optional<std::uint64_t>)> local_time_of(std::optional<int> utc_offset_minutes);

/// --lang, --color and --verbose, otherwise the environment.
ReportOptions read_report_options(const ParsedArguments& arguments);

using WriteReport = std::optional<Error> (ScanReport::*)(const TextSink&) const;

/// The writer of a scan's report in that format; sets which data the scan keeps. Partial reports (`report.partial`) are
/// JSON lines with all data; other formats have no partial report.
WriteReport writer_of(const std::string& form, ScanReportOptions& report);

/// The limits of --limit NAME=NUMBER; K, M and G after the number are powers of 1024.
Limits read_limits(const ParsedArguments& arguments);

/// The values of --logs, --log-formats and --utc-offset.
struct LogSettings {
    std::vector<std::string> paths;
    ReadLogsOptions reading;
    std::optional<int> utc_offset_minutes;
};
LogSettings read_log_settings(const ParsedArguments& arguments, const Limits& limits);

/// --jobs, --limit and --log-formats of commands that only read logs.
ReadLogsOptions read_reading(const ParsedArguments& arguments);

/// Makes reading stop after an interrupt. `progress` shows the amount read; the caller clears it.
void show_reading(ReadLogsOptions& reading, ProgressLine& progress);

/// Reads logs until their end or an interrupt. `progress` shows the amount read and is cleared.
Result<ReadLogs> read_logs_with_progress(const std::vector<std::string>& paths, ReadLogsOptions reading,
                                         ProgressLine& progress);

/// The result of reading logs.
struct UsedLogs {
    bool whole = true;                ///< everything could be read
    std::vector<Diagnostic> remarks;  ///< unreadable (severity error) and dropped parts; already reported
};

/// Reads the wanted facts of the logs into `locate`, and reports unreadable logs. Does nothing without --logs.
UsedLogs use_logs(const LogSettings& settings, WantedTasks wanted, LocateOptions& locate, ProgressLine& progress);

/// Offers a folder of logs near the dumps, or where CANN writes logs; such logs are never read unasked.
void suggest_logs(const std::vector<std::string>& inputs);

/// The files of --log-formats, which are valid together with the built-in ones.
std::vector<NamedText> read_log_formats(const ParsedArguments& arguments, const Limits& limits);

/// The number of -j; 0 if it is not set.
unsigned read_threads(const ParsedArguments& arguments);

/// Reads filters, --top and lists. Times are local: `report.report.utc_offset_minutes` must be set.
void read_page_options(const ParsedArguments& arguments, ScanReportOptions& report);

/// The filters that were given. Times: as read_page_options().
ScanFilter read_filters(const ParsedArguments& arguments, const ReportOptions& report);

/// Microseconds of an option with a local time like "2026-10-12 09:41:27", as if it were UTC; empty without the option.
std::optional<std::int64_t> read_local_time(const ParsedArguments& arguments, const std::string& option);

}  // namespace opdebug::tool
