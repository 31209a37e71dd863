// Which lines of a log a definition of log formats reads, for its author.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include <opdebug/export.h>
#include <opdebug/logs.hpp>
#include <opdebug/result.hpp>

namespace opdebug {
inline namespace v0 {

/// A line that one format of the definition reads, or that contains a literal and is read by none.
struct TriedLine {
    std::uint64_t number = 0;
    std::string format;  ///< its id
    std::string states;  ///< the statement; empty: the line is not read
    /// The named groups that matched, in the order of the pattern.
    std::vector<std::pair<std::string, std::string>> captures;
    std::string reason;  ///< why the line is not read
    std::string text;    ///< the line, cut to 1,024 bytes
};

struct LogFormatTrial {
    std::uint64_t lines = 0;  ///< of the log
    std::vector<TriedLine> read, not_read;
};

/// Tries the formats of one definition file, which may lack samples that suit each other, on each line of a log.
/// Errors: log_format_invalid and those of reading a log.
OPDEBUG_API Result<LogFormatTrial> try_log_formats(const NamedText& file, const std::string& log,
                                                   const Limits& limits = {});

}  // namespace v0
}  // namespace opdebug
