// What follows the time in a log line: blocks, thread, function and message, in the order of each module.
#pragma once

#include <string_view>

#include "logs/text/line.hpp"

namespace opdebug::logs {

/// Fills tid, function and text of `line` from the part after the time.
void parse_line_rest(std::string_view rest, LogLine& line) noexcept;

}  // namespace opdebug::logs
