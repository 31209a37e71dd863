// One line of a CANN log: its prefix taken apart. Grammar and variations: docs/log-formats.md.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace opdebug::logs {

/// The parts of a log line; all views point into the line. A part that is missing is empty.
struct LogLine {
    std::string_view level;         ///< "INFO", "EVENT", ... or a number
    std::string_view module;        ///< "RUNTIME", "GE", "CCECPU", ...
    std::string_view process_name;  ///< may be empty, "None" or hold spaces
    std::string_view function;      ///< without class
    std::string_view text;          ///< error-manager stages and message, what the formats are matched against
    std::optional<std::int64_t> pid;
    std::optional<std::int64_t> tid;
    /// Microseconds since 1970-01-01 of the wall clock that is printed, taken as if it were UTC: the log names no zone.
    std::optional<std::int64_t> local_time_us;
    /// The line is as long as a log line can be (1024 bytes with the line break and the terminator), so it may be cut.
    bool at_length_limit = false;
};

/// Takes a line apart (without its line break). Nothing when it does not start a log entry: a continuation line or
/// other text. Never fails on odd bytes; a time that cannot be is simply missing.
std::optional<LogLine> parse_line(std::string_view line);

}  // namespace opdebug::logs
