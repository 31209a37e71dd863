// Settings and messages that `scan`, `watch` and `merge` share.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <opdebug/report.hpp>
#include <opdebug/scan.hpp>

#include "command_line/command_line.hpp"
#include "command_line/options.hpp"

namespace opdebug::tool {

struct ScanSettings {
    std::vector<std::string> paths;
    std::optional<std::string> output;
    WriteReport write = nullptr;
    ScanReportOptions report;
    LogSettings logs;
    std::vector<std::string> training_logs;
    ScanOptions scan;
    bool fail_on_overflow = false;
    bool quiet = false;
};

ScanSettings read_scan_settings(const ParsedArguments& arguments);

/// One line: number of dumps and their faults; after a stop also the number of dumps that were read. `damaged`: damaged
/// dumps that count.
/// `is_whole`: false if parts of a merged report are missing.
std::string scan_summary(const Scan& scanned, std::uint64_t damaged, bool is_whole = true);

/// Writes the report, as long as `is_stopped` returns false. Returns the exit status of a failure; empty: it was
/// written.
std::optional<int> write_report(const ScanReport& report, WriteReport write, const std::optional<std::string>& output,
                                const std::function<bool()>& is_stopped);

/// Reports the summary, after the file of -o if there is one.
void print_summary(const std::optional<std::string>& output, const std::string& summary);

/// Whether a dump, a folder or an API dump is damaged, unreadable or not measured, or a trace was not used. `remarks`:
/// from the report on API dumps.
bool has_damage(const Scan& scanned, const std::vector<Diagnostic>& remarks);

/// Whether there is an overflow, or API dumps show the origin of a bad value.
bool has_overflow(const Scan& scanned);

/// Missing traces, if there are no API dumps: no other code opens traces then, so a wrong name would be unnoticed.
std::vector<Error> missing_traces(const Scan& scanned, const std::vector<std::string>& traces);

/// Reports traces that were not used, because there are no API dumps. `phrase`: the id of the message.
void print_unused_traces(const Scan& scanned, const std::vector<std::string>& traces, std::string_view phrase);

/// Reports unreadable paths and folders.
void print_failures(const Scan& scanned);

/// The same, and the remarks on the scan, for formats without them or if no report is written. `said`: remarks that
/// were reported before.
void print_missing(const Scan& scanned, const std::vector<Diagnostic>& said = {});

/// Reports findings of API dumps in one line, because CSV contains only overflow dumps.
void print_csv_omissions(const Scan& scanned);

}  // namespace opdebug::tool
