// Lines → what they state: pure, so that parts of a log can be read at the same time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <list>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <opdebug/result.hpp>

#include "logs/formats/formats.hpp"
#include "logs/formats/wanted.hpp"
#include "logs/lines/broken_sentences.hpp"
#include "logs/lines/line.hpp"
#include "logs/reading/known_prefixes.hpp"

namespace opdebug::logs {

/// A line that states something.
struct StatedLine {
    Match match;
    Writer writer;
    std::int64_t tid = -1;
    /// Of the line before, where the line has none; nothing before the first time.
    std::optional<std::int64_t> time_us;
    std::uint64_t number = 0;  ///< the first of the part has 1
    std::string_view text;     ///< of the part, as long as that is there; cut to a sane length
    bool lacks_time = false;   ///< `time_us` is that of the line before
    bool is_cut = false;       ///< it has a text of its own (StatedLines::mended) that ends too early
};

/// Part of a log file.
struct StatedLines {
    std::vector<StatedLine> lines;   ///< that state something
    std::uint64_t lines_before = 0;  ///< of the file, which the numbers of the part do not count
    std::map<Writer, WriterLines> writers;
    std::optional<std::int64_t> last_time_us;                       ///< the time that holds after this part
    std::uint64_t count = 0;                                        ///< all lines, with those that are no log lines
    std::vector<std::pair<std::uint64_t, Diagnostic>> diagnostics;  ///< with line numbers
    std::list<std::string> mended;                                  ///< texts of broken sentences, which lines point to
    std::uint64_t long_lines = 0;                                   ///< log lines with more bytes than are looked at
    std::uint64_t first_long_line = 0;                              ///< its number, where there are some
};

/// Reads parts of logs. It keeps the prefixes of lines for the next part, which changes nothing but the time. For one
/// thread at a time.
class PartReader {
public:
    /// Of longer lines the first `line_bytes` are looked at. `formats` must outlive this. `wanted`: lines on other
    /// tasks are only noted.
    explicit PartReader(const LogFormats& formats, std::uint64_t line_bytes = Limits().line_bytes,
                        const Wanted& wanted = Wanted())
        : formats_(formats), line_bytes_(line_bytes), wanted_(wanted) {}

    /// Reads each line of `text`, which begins at the start of a line.
    StatedLines read(std::string_view text);

private:
    /// What follows the bytes of a line: a line break, the end of the file, or more of the line than is looked at.
    enum class LineEnd { line_break, end_of_file, more };

    /// A log line whose prefix was parsed.
    struct Entry {
        LogLine line;
        std::string_view text;  ///< all of it
        LineEnd end;
        std::uint64_t number;
    };
    void add_line(std::string_view line, LineEnd end);
    bool add_by_prefix(std::string_view text, std::uint64_t number);
    void add_taken_apart(std::string_view text, LineEnd end, std::uint64_t number);
    void add_printed(const std::optional<LogLine>& line, std::string_view text, LineEnd end, std::uint64_t number);
    void add_printed_line(const std::optional<LogLine>& line, std::string_view text, LineEnd end, std::uint64_t number);
    bool match_mended(const std::vector<std::string_view>& lines, std::uint64_t number);
    Reading match_sentence(const std::string& text, LineEnd end, std::uint64_t number);
    void count_entry(const LogLine& line);
    void match_entries(const ModuleFormats& formats, Entry entry, std::string_view other);
    Reading match(const ModuleFormats& formats, const Entry& entry);
    Reading match_literals(const ModuleFormats& formats, const Entry& entry);

    const LogFormats& formats_;
    std::uint64_t line_bytes_;
    Wanted wanted_;
    StatedLines stated_;
    KnownPrefixes prefixes_;
    LineTimes times_;
    UnfinishedLines unfinished_;  ///< of printed errors
    FoundLiterals literals_;
};

}  // namespace opdebug::logs
