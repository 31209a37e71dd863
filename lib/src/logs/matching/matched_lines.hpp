// Lines → what they state: pure, so that parts of a log can be read at the same time.
#pragma once

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
#include "logs/matching/reused_list.hpp"

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

/// A line that states something. Its texts are those of the part, as long as that is there.
struct MatchedLine {
    LineMatch match;
    Writer writer;
    std::int64_t tid = -1;
    std::optional<std::int64_t>
        time_us;               ///< of the line before, where the line has none; nothing before the first time
    std::uint64_t number = 0;  ///< as MatchedLines::first_number
    std::string_view text;     ///< cut to a sane length
    bool lacks_time = false;   ///< `time_us` is that of the line before
    bool is_cut = false;       ///< it has a text of its own (MatchedLines::mended) that ends too early
};

/// With texts of its own.
inline Fact fact_of(const MatchedLine& line) {
    return whole_fact(line.match.fact, line.match.format->id);
}

/// What all lines of one writer show, whether they state something or not.
struct WriterLines {
    std::optional<std::int64_t> first_time_us, last_time_us;
    bool of_host = false;                         ///< a line of the runtime, GE or AscendCL: they run on the host only
    std::uint64_t runtime_info = 0, ge_info = 0;  ///< lines of level INFO or DEBUG
    /// By lines on tasks that nobody wants: that some state something, and that some name an operator or a kernel.
    bool states_unwanted = false, names_unwanted = false;
};

/// Part of a log file.
struct MatchedLines {
    ReusedList<MatchedLine> lines;   ///< that state something. Their texts live as long as the part
    std::uint64_t first_number = 1;  ///< of its lines
    std::uint64_t lines_before = 0;  ///< of the file, which the numbers of the part do not count
    std::map<Writer, WriterLines> writers;
    std::optional<std::int64_t> last_time_us;                       ///< the time that holds behind this part
    std::uint64_t count = 0;                                        ///< all lines, with those that are no log lines
    std::vector<std::pair<std::uint64_t, Diagnostic>> diagnostics;  ///< with line numbers
    std::list<std::string> mended;                                  ///< texts of broken sentences, which lines point to
    std::uint64_t long_lines = 0;                                   ///< log lines with more bytes than are looked at
    std::uint64_t first_long_line = 0;                              ///< its number, where there are some
};

/// Matches parts of logs. It keeps the prefixes of lines for the next part, which changes nothing but the time. For one
/// thread at a time.
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
    MatchedLines match(std::string_view text, std::uint64_t first_number, ReusedList<MatchedLine> memory = {});

private:
    struct Implementation;
    std::unique_ptr<Implementation> implementation_;
};

}  // namespace opdebug::logs
