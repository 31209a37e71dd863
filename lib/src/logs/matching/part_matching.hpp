// The lines of one part of a log, one after the other. Known prefixes stay for the next part.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

#include "logs/formats/formats.hpp"
#include "logs/formats/wanted.hpp"
#include "logs/matching/line_prefixes.hpp"
#include "logs/matching/matched_lines.hpp"
#include "logs/text/broken_sentences.hpp"
#include "logs/text/line_time.hpp"

namespace opdebug::logs {

/// Lines of the log library have at most 1024 bytes; longer ones come from elsewhere and are cut as evidence.
inline constexpr std::size_t kEvidenceLength = 1024;

/// What follows the bytes of a line: a line break, the end of the file, or more of the line than is looked at.
enum class LineEnd { line_break, end_of_file, more };

/// The time that follows a prefix, and what follows the time.
struct TimeAndRest {
    std::int64_t time_us;
    const char* rest_begin;
};

class PartMatching {
public:
    /// Of longer lines the first `line_bytes` are looked at.
    PartMatching(const LogFormats& formats, std::uint64_t line_bytes, const Wanted& wanted)
        : formats_(formats), line_bytes_(line_bytes), wanted_(wanted) {}

    void begin(std::uint64_t first_number, ReusedList<MatchedLine> memory);
    /// `line`: without its break, of which it may still have the half.
    void add_line(std::string_view line, LineEnd end);
    MatchedLines finish();

private:
    /// A log line whose prefix was taken apart.
    struct Entry {
        LogLine line;
        std::string_view text;  ///< all of it
        LineEnd end;
        std::uint64_t number;
    };
    bool add_by_prefix(std::string_view text, std::uint64_t number);
    void add_taken_apart(std::string_view text, LineEnd end, std::uint64_t number);
    void add_printed(const std::optional<LogLine>& line, std::string_view text, LineEnd end, std::uint64_t number);
    void add_printed_line(const std::optional<LogLine>& line, std::string_view text, LineEnd end, std::uint64_t number);
    bool match_mended(const std::vector<std::string_view>& lines, std::uint64_t number);
    Reading match_sentence(const std::string& text, LineEnd end, std::uint64_t number);
    void count_entry(const LogLine& line);
    void match_entries(const ModuleFormats& formats, Entry entry, std::string_view other);
    Reading match(const ModuleFormats& formats, LogLine line, std::string_view text, LineEnd end, std::uint64_t number);
    void keep(const LogLine& line, std::string_view text, LineEnd end, std::uint64_t number, MatchedLine& matched);

    /// False when the time has not the common form, or when bytes follow the text that do not belong to it.
    [[gnu::always_inline]] inline bool take_time_and_rest(std::string_view text, std::size_t time_begin,
                                                          TimeAndRest& after) noexcept {
        constexpr std::size_t kMilliseconds = std::string_view("YYYY-MM-DD-hh:mm:ss.mmm").size();
        constexpr std::size_t kMicroseconds = std::string_view("YYYY-MM-DD-hh:mm:ss.mmm.uuu").size();
        const bool ends_in_other_bytes = text.back() == '\0' || text.back() == '\r';
        if (text.size() <= time_begin + kMicroseconds || ends_in_other_bytes) {
            return false;
        }
        const char* const time = text.data() + time_begin;
        after.rest_begin = time + kMicroseconds;
        if (time[kMicroseconds] == ' ' && times_.parse_common(time, after.time_us)) {
            return true;
        }
        const std::size_t size = time[kMilliseconds] == ' ' ? kMilliseconds : kMicroseconds;
        after.rest_begin = time + size;
        return time[size] == ' ' && times_.parse({time, size}, after.time_us);
    }
    const LogFormats& formats_;
    std::uint64_t line_bytes_;
    Wanted wanted_;
    std::uint64_t first_number_ = 1;  ///< of the part's lines
    MatchedLines matched_;
    LinePrefixes prefixes_;
    LineTimes times_;
    UnfinishedLines unfinished_;  ///< of printed errors
    FoundLiterals literals_;
};

}  // namespace opdebug::logs
