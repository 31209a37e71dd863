// Lines → what they state: pure, so that parts of a log can be read at the same time.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <list>
#include <map>
#include <memory>
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

namespace opdebug::logs {

/// Who wrote a line: the process id that the line prints. Device-side processes have pids of their own.
struct Writer {
    std::int64_t pid = -1;
    bool on_device = false;
    // NOLINTNEXTLINE(modernize-use-nullptr): the check takes the comparison with 0 for one of pointers
    friend auto operator<=>(const Writer&, const Writer&) = default;
};

/// What the line shows of its writer.
Writer writer_of(const LogLine& line) noexcept;

/// What all lines of one writer show, whether they state something or not.
struct WriterLines {
    std::optional<std::int64_t> first_time_us, last_time_us;
    bool of_host = false;  ///< a line of the runtime, GE or AscendCL, or a printed error: they run on the host only
    std::uint64_t runtime_info = 0, ge_info = 0;  ///< lines of level INFO or DEBUG
    /// By lines on tasks that nobody wants: that some state something, and that some name an operator or a kernel.
    bool states_unwanted = false, names_unwanted = false;

    void add(const LogLine& line) noexcept;
    void add(const WriterLines& further) noexcept;
};

struct KnownPrefix {
    std::string text;
    LogLine parts;  ///< views into `text`
    Writer writer;
    const ModuleFormats* formats = nullptr;  ///< null: lines of the module state nothing
    std::uint64_t lines = 0;                 ///< since take_lines() was called last
    std::int64_t first_time_us = 0, last_time_us = 0;

    void add_time(std::int64_t time_us) noexcept {
        first_time_us = lines == 0 ? time_us : std::min(first_time_us, time_us);
        last_time_us = lines == 0 ? time_us : std::max(last_time_us, time_us);
        ++lines;
    }
    /// The parts of a line with this prefix, as parse_line_prefix() gives them; its time and what follows it are known.
    LogLine parts_of(std::string_view line, std::int64_t time_us, std::string_view rest) const noexcept;
};

/// The prefixes of a log's lines up to the time: "[INFO] GE(370,python3):". A log has a few of them, which its lines
/// repeat: a line that begins with a known one is not parsed again.
class KnownPrefixes {
public:
    /// The prefix that the line begins with, or null where it is not known.
    KnownPrefix* find(std::string_view line) noexcept;

    /// Keeps the prefix of a line that was parsed, and replaces one with the same hash. Lines that have something
    /// before their prefix, or not the common form of it, are passed over.
    void learn(std::string_view line, const LogLine& parts, const LogFormats& formats,
               std::map<Writer, WriterLines>& writers);

    /// Adds what the lines so far show, and forgets it.
    void take_lines(std::map<Writer, WriterLines>& writers);

private:
    static constexpr std::size_t kPlaceBits = 12;
    static std::size_t place_of(std::string_view line) noexcept;

    std::array<std::unique_ptr<KnownPrefix>, std::size_t{1} << kPlaceBits> prefixes_;
};

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
    std::list<std::string> mended;      ///< texts of mended lines and sentences, which lines point to
    std::uint64_t long_lines = 0;       ///< log lines with more bytes than are looked at
    std::uint64_t first_long_line = 0;  ///< its number, where there are some
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
    void match_printed(std::string_view text, std::uint64_t number);
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
    bool may_have_markup_ = false;  ///< the part
    UnfinishedLines unfinished_;    ///< of printed errors
    FoundLiterals literals_;
    Match match_;  ///< of the last line; keeps the memory of its texts
};

}  // namespace opdebug::logs
