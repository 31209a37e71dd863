// One line of a CANN log: its prefix taken apart. Grammar and variations: docs/internals/logs.md.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

namespace opdebug::logs {

/// The parts of a log line: views into it (the level of a printed error is a constant), empty when missing.
struct LogLine {
    std::string_view level;         ///< "INFO", "EVENT", ... or a number
    std::string_view module;        ///< "RUNTIME", "GE", "CCECPU", ...; empty for a printed error, which names none
    std::string_view process_name;  ///< may be empty, "None" or hold spaces
    std::string_view function;      ///< without class
    std::string_view text;          ///< error-manager stages and message, what the formats are matched against
    std::optional<std::int64_t> pid;
    std::optional<std::int64_t> tid;
    std::string_view thread;  ///< the number that `tid` is, where it stands behind the time
    /// Microseconds since 1970-01-01 of the wall clock that is printed, taken as if it were UTC: the log names no zone.
    std::optional<std::int64_t> local_time_us;
    /// The line is as long as a log line can be (1024 bytes with the line break and the terminator), or its text as
    /// long as that of an error of the runtime (896 bytes with the terminator); or it ends its file without a line
    /// break (LineMatcher), as on a full disk.
    bool may_be_cut = false;
    bool short_form = false;  ///< the console form or a printed error: no time, nothing stands before the text
};

/// Takes a line apart (without its line break). Nothing when it does not start a log entry: a continuation line or
/// other text. Never fails on odd bytes; a time that cannot be is simply missing.
std::optional<LogLine> parse_line(std::string_view line);

/// The same without a look behind the time, which is all that most lines are asked for: tid and function are missing,
/// and `text` is everything there. complete_line() does the rest.
std::optional<LogLine> parse_line_prefix(std::string_view line);
void complete_line(LogLine& line) noexcept;
/// The part of it that asks whether the text, which is known, is as long as one of the runtime can be.
void mark_cut_text(LogLine& line) noexcept;

/// Whether a line of so many bytes, without what a collector puts in front, may be cut at the limit of a line's length.
bool may_be_cut(std::size_t line_size) noexcept;

}  // namespace opdebug::logs
