// One line of a CANN log: its prefix parsed. Grammar and variations: docs/internals/logs.md.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
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
    /// Microseconds since 1970-01-01 of the wall clock that is printed, read as UTC: the log names no zone.
    std::optional<std::int64_t> local_time_us;
    /// The line has the maximal length of a log line (1024 bytes with the line break and the terminator). Or its text
    /// has that of an error of the runtime (896 bytes with the terminator). Or it ends its file without a line break,
    /// as on a full disk.
    bool may_be_cut = false;
    bool short_form = false;  ///< the console form or a printed error: no time, nothing before the text
};

/// Takes a line apart (without its line break). Nothing when it does not start a log entry: a continuation line or
/// other text. Never fails on odd bytes; a time that cannot be is simply missing.
std::optional<LogLine> parse_line(std::string_view line);

/// The same without a look after the time, which is all that most lines are requested: tid and function are missing,
/// and `text` is everything there. complete_line() does the rest.
std::optional<LogLine> parse_line_prefix(std::string_view line);
void complete_line(LogLine& line) noexcept;

/// A line that an application printed, without prefix. What a carrier puts before it ("(Worker pid=9)", "[rank1]:")
/// shows which lines are of one process: its number is the tid.
LogLine printed_line(std::string_view text) noexcept;

/// Fills tid, function and text of `line` from the part after the time.
void parse_line_rest(std::string_view rest, LogLine& line) noexcept;

/// Whether a line of so many bytes, without what a collector puts in front, may be cut at the limit of a line's length.
bool may_be_cut(std::size_t line_size) noexcept;

/// Reads times "YYYY-MM-DD-hh:mm:ss.mmm" with or without ".uuu" as microseconds since 1970-01-01, as if they were UTC.
/// Times of one second share their first 19 bytes, which are read once.
class LineTimes {
public:
    /// Nothing when the text has another form (documents print placeholders) or no such moment exists.
    std::optional<std::int64_t> parse(std::string_view text) noexcept;

private:
    std::array<char, 19> second_{};  ///< "YYYY-MM-DD-hh:mm:ss" of the last time, and what it states
    std::int64_t second_us_ = -1;    ///< none yet
};
inline std::optional<std::int64_t> parse_line_time(std::string_view text) noexcept {
    return LineTimes().parse(text);
}

/// The line without the wrapping of a collector: the JSON of Docker's log files
/// ({"log":"...\n","stream":"stdout",...}), also rewritten by others (blanks, another order, "message"). Escapes of the
/// JSON inside the line stay as they are.
std::string_view without_wrapping(std::string_view line) noexcept;

/// Whether a text may hold what terminals and web pages add: escape sequences of colours, Markdown's "\_".
bool may_have_markup(std::string_view text) noexcept;
std::string without_markup(std::string_view line);

/// Where bytes of the text begin that were never written: the file system gives NULs for them. npos where there are
/// none. One NUL alone may have been written, by who counts the end of a text as a part of it.
inline std::size_t find_hole(std::string_view text) noexcept {
    return text.find(std::string_view("\0\0", 2));
}

/// The first entry that begins inside `text`, up to its end; empty where there is none. Lines of processes that write
/// to one file may run together, without a line break between.
std::string_view entry_inside(std::string_view text);

}  // namespace opdebug::logs
