// Common options of several commands: results, limits, logs, filters and lists.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <opdebug/locate.hpp>
#include <opdebug/logs.hpp>
#include <opdebug/report.hpp>
#include <opdebug/result.hpp>

#include "command_line/command_line.hpp"
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

/// The value of --output, if set.
std::optional<std::string> output_path(const ParsedArguments& arguments);

/// --color
Option color_option();

/// The user's offset from UTC in minutes: the option, otherwise this machine's.
std::function<int(std::optional<std::uint64_t>)> local_time_of(std::optional<int> utc_offset_minutes);

/// Reads --lang and --color, otherwise the environment.
void read_report_options(const ParsedArguments& arguments, ReportOptions& report);

using WriteReport = std::optional<Error> (ScanReport::*)(const TextSink&) const;

/// --trace
Option trace_option();

/// The writer of a scan's report in that format; sets which data the scan keeps. Partial reports (`report.partial`) are
/// JSON lines with all data; other formats have no partial report.
WriteReport writer_of(const std::string& form, ScanReportOptions& report);

/// The forms of a scan's report.
inline const std::vector<std::string> kReportForms{"text", "json", "jsonl", "csv", "html"};

/// --limit
Option limit_option();

/// Reads NAME=NUMBER of each --limit; K, M and G after the number are powers of 1024. Returns a message for an invalid
/// one.
std::optional<std::string> read_limit_option(const ParsedArguments& arguments, Limits& limits);

/// The values of --logs, --log-formats and --utc-offset.
struct LogSettings {
    std::vector<std::string> paths;
    std::vector<std::string> format_paths;  ///< paths of --log-formats
    ReadLogsOptions reading;
    std::optional<int> utc_offset_minutes;
};

/// Adds --logs, --log-formats and --utc-offset.
void add_log_options(CommandLine& line);

/// Reads them with settings.reading.limits. Returns a message for an invalid value.
std::optional<std::string> read_log_settings(const ParsedArguments& arguments, LogSettings& settings);

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
void say_found_logs(const std::vector<std::string>& inputs);

/// Adds --log-formats.
void add_log_formats_option(CommandLine& line);

/// Reads the files of --log-formats and checks them together with the built-in ones. Returns a message for an
/// unreadable or invalid file.
std::optional<std::string> read_log_formats(const ParsedArguments& arguments, const Limits& limits,
                                            std::vector<NamedText>& files);

/// --jobs
Option jobs_option();

/// The number of -j; 0 if it is not set. Returns a message for numbers outside 1 to 1024.
std::optional<std::string> read_threads(const ParsedArguments& arguments, unsigned& threads);

/// Adds --rank, --step, --device, --model, --op, --cause, --since, --until and --top.
void add_filter_options(CommandLine& line);

/// Adds those of the filters that have these names.
void add_filter_options(CommandLine& line, std::span<const char* const> names);

/// Adds --verbose, --ranks, --uncertain and --unreadable.
void add_list_options(CommandLine& line);

/// Reads both. Times are local: `report.report.utc_offset_minutes` must be set. Returns a message for an invalid value,
/// or if `form` has no filters.
std::optional<std::string> read_page_options(const ParsedArguments& arguments, ScanReportOptions& report);

/// Reads the filters that were given. Returns a message for an invalid value. Times: as read_page_options().
std::optional<std::string> read_filters(const ParsedArguments& arguments, const ReportOptions& report,
                                        ScanFilter& filter);

/// "3,8-11"; empty for other texts.
std::optional<std::vector<std::uint64_t>> parse_numbers(const std::string& text);

/// Reads --top. Returns a message if it is no number.
std::optional<std::string> read_top(const ParsedArguments& arguments, std::size_t& top);

/// Microseconds of a local time like "2026-10-12 09:41:27", as if it were UTC; empty for other texts.
std::optional<std::int64_t> parse_local_time(const std::string& text);

}  // namespace opdebug::tool
