// Lines → what they state: pure, so that parts of a log can be read at the same time.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <opdebug/limits.hpp>

#include "logs/formats.hpp"
#include "logs/reused_list.hpp"
#include "logs/wanted.hpp"

namespace opdebug::logs {

/// Who wrote a line: the process id that the line prints. Device-side processes have pids of their own.
struct Writer {
    std::int64_t pid = -1;
    bool on_device = false;
    bool operator==(const Writer& other) const noexcept = default;
    bool operator<(const Writer& other) const noexcept {
        return pid != other.pid ? pid < other.pid : on_device < other.on_device;
    }
};

/// A line that states something.
struct MatchedLine {
    Match match;
    Writer writer;
    std::int64_t tid = -1;
    std::optional<std::int64_t>
        time_us;               ///< of the line before, where the line has none; nothing before the first time
    std::uint64_t number = 0;  ///< from 1
    std::string text;          ///< cut to a sane length
};

/// What is kept of a line on a task that nobody asked for (Wanted::is_unasked): a quarter of a MatchedLine, no texts.
struct UnaskedLine {
    const FormatDefinition* format = nullptr;
    FactKind kind = {};
    TaskIds ids;
    Writer writer;
    std::int64_t tid = -1;
    std::optional<std::int64_t> time_us;  ///< as in MatchedLine
    std::uint64_t number = 0;             ///< from 1
    std::string_view text;   ///< all of the line, in the part, to read it again where it is needed after all
    std::size_t before = 0;  ///< it stands before this one of MatchedLines::lines
};
/// Fills `unasked`.
void take_ids(const MatchedLine& line, std::string_view text, std::size_t before, UnaskedLine& unasked);

/// What all lines of one writer show, whether they state something or not.
struct WriterLines {
    std::optional<std::int64_t> first_time_us, last_time_us;
    bool of_host = false;                         ///< a line of the runtime, GE or AscendCL: they run on the host only
    std::uint64_t runtime_info = 0, ge_info = 0;  ///< lines of level INFO or DEBUG
};

/// Lines that state something, in the order of the file.
struct StatingLines {
    ReusedList<MatchedLine> lines;
    ReusedList<UnaskedLine> unasked;  ///< their texts live as long as the part
};

/// Part of a log file.
struct MatchedLines : StatingLines {
    const LogFormats* formats = nullptr;  ///< by which the lines were read
    std::map<Writer, WriterLines> writers;
    std::optional<std::int64_t> last_time_us;                       ///< the time that holds behind this part
    std::uint64_t count = 0;                                        ///< all lines, with those that are no log lines
    std::vector<std::pair<std::uint64_t, Diagnostic>> diagnostics;  ///< with line numbers
    std::uint64_t long_lines = 0;                                   ///< log lines with more bytes than are looked at
    std::uint64_t first_long_line = 0;                              ///< its number, where there are some
};

/// Matches parts of logs. It keeps what it learnt of the lines of one for the next, which changes nothing but the time.
/// For one thread at a time.
class LineMatcher {
public:
    /// Of longer lines the first `line_bytes` are looked at. `formats` must outlive this. `wanted`: lines on other
    /// tasks are only noted.
    explicit LineMatcher(const LogFormats& formats, std::uint64_t line_bytes = Limits().line_bytes,
                         const Wanted& wanted = Wanted());
    LineMatcher(LineMatcher&&) noexcept;
    LineMatcher& operator=(LineMatcher&&) noexcept;
    ~LineMatcher();

    /// Matches each line of `text`, which begins at the start of a line. `first_number`: of its first line. `memory`:
    /// of lines that are done with, to be used again.
    MatchedLines match(std::string_view text, std::uint64_t first_number, StatingLines memory = {});

private:
    struct Implementation;
    std::unique_ptr<Implementation> implementation_;
};

/// One part by itself. Thread-safe.
MatchedLines match_lines(std::string_view text, std::uint64_t first_number, const LogFormats& formats,
                         std::uint64_t line_bytes = Limits().line_bytes, const Wanted& wanted = Wanted());

/// All that the line states, as if it had been asked for; `formats` as before. Its part must still be there.
std::optional<MatchedLine> read_again(const UnaskedLine& line, const LogFormats& formats);

}  // namespace opdebug::logs
