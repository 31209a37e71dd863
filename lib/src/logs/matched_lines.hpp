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

/// What all lines of one writer show, whether they state something or not.
struct WriterLines {
    std::optional<std::int64_t> first_time_us, last_time_us;
    bool of_host = false;                         ///< a line of the runtime, GE or AscendCL: they run on the host only
    std::uint64_t runtime_info = 0, ge_info = 0;  ///< lines of level INFO or DEBUG
};

/// Part of a log file.
struct MatchedLines {
    ReusedList<MatchedLine> lines;  ///< in the order of the file
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
    /// Of longer lines the first `line_bytes` are looked at. `formats` must outlive this.
    explicit LineMatcher(const LogFormats& formats, std::uint64_t line_bytes = Limits().line_bytes);
    LineMatcher(LineMatcher&&) noexcept;
    LineMatcher& operator=(LineMatcher&&) noexcept;
    ~LineMatcher();

    /// Matches each line of `text`, which begins at the start of a line. `first_number`: of its first line. `memory`:
    /// of lines that are done with, to be used again.
    MatchedLines match(std::string_view text, std::uint64_t first_number, ReusedList<MatchedLine> memory = {});

private:
    struct Implementation;
    std::unique_ptr<Implementation> implementation_;
};

/// One part by itself. Thread-safe.
MatchedLines match_lines(std::string_view text, std::uint64_t first_number, const LogFormats& formats,
                         std::uint64_t line_bytes = Limits().line_bytes);

}  // namespace opdebug::logs
