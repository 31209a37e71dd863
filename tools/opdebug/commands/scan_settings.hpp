// What the arguments of `opdebug scan` ask for.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <opdebug/scan.hpp>
#include <opdebug/scan_report.hpp>

#include "command_line/arguments.hpp"
#include "command_line/options.hpp"

namespace opdebug::tool {

struct ScanSettings {
    std::vector<std::string> paths;
    std::optional<std::string> output;
    WriteReport write = nullptr;
    ScanReportOptions report;
    LogSettings logs;
    ScanOptions scan;
    bool fail_on_overflow = false;
    bool quiet = false;
};

constexpr const char* kScanUsage = "opdebug scan PATH... [--logs PATH]... [options]";

/// Reads the settings; a message when the usage is wrong.
std::optional<std::string> read_scan_settings(const ParsedArguments& arguments, ScanSettings& settings);

/// A message when the report cannot be written to its place, would take the place of something that it is made from, or
/// lies below a folder that is read, by whatever link. Trees may be large: their files are looked at only when there is
/// one that could be replaced, and an interrupt ends the search.
std::optional<std::string> refuse_output(const ScanSettings& settings);

}  // namespace opdebug::tool
