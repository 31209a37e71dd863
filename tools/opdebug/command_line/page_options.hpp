// Options of pages with many dumps or calls: filters and length.
#pragma once

#include <optional>
#include <span>
#include <string>

#include <opdebug/report.hpp>

#include "command_line/arguments.hpp"
#include "command_line/command_line.hpp"

namespace opdebug::tool {

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
