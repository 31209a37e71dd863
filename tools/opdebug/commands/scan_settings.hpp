// Settings from the arguments of `opdebug scan`.
#pragma once

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

}  // namespace opdebug::tool
