// What the arguments of `opdebug watch` ask for.
#pragma once

#include <chrono>
#include <optional>
#include <string>

#include "command_line/arguments.hpp"
#include "commands/scan_settings.hpp"

namespace opdebug::tool {

struct WatchSettings {
    ScanSettings scan;                                 ///< paths, how dumps are read, the report and its location
    std::chrono::milliseconds interval{2000};          ///< --poll
    bool as_json_lines = false;                        ///< what is printed at once
    std::optional<std::string> command;                ///< --exec
    std::optional<std::chrono::milliseconds> idle;     ///< --until-idle
    std::optional<std::chrono::milliseconds> longest;  ///< --duration
};

constexpr const char* kWatchUsage = "opdebug watch PATH... [options]";

/// Reads the settings; a message when the usage is wrong.
std::optional<std::string> read_watch_settings(const ParsedArguments& arguments, WatchSettings& settings);

}  // namespace opdebug::tool
