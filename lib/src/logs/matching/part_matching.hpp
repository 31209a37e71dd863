// The lines of one part of a log, one after the other: what is learnt of them stays for the next part.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

#include "logs/formats/formats.hpp"
#include "logs/formats/wanted.hpp"
#include "logs/matching/hex_shapes.hpp"
#include "logs/matching/known_rests.hpp"
#include "logs/matching/line_prefixes.hpp"
#include "logs/matching/line_shapes.hpp"
#include "logs/matching/matched_lines.hpp"
#include "logs/text/broken_sentences.hpp"
#include "logs/text/line_breaks.hpp"
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

/// The lines that end in one piece of a text, each behind the one before it.
struct LinesOfPiece {
    std::string_view text;
    std::size_t piece = 0;  ///< where it begins
    const LineBreakPlaces& breaks;
    std::size_t begin = 0;  ///< of the next line
    std::size_t taken = 0;

    bool has_next() const noexcept { return taken < breaks.count; }
    std::string_view next() const noexcept { return {text.data() + begin, piece + breaks.places[taken] - begin}; }
    void take() noexcept {
        begin = piece + breaks.places[taken] + 1;
        ++taken;
    }
};

class PartMatching {
public:
    /// Of longer lines the first `line_bytes` are looked at.
    PartMatching(const LogFormats& formats, std::uint64_t line_bytes, const Wanted& wanted)
        : formats_(formats), line_bytes_(line_bytes), wanted_(wanted) {}

    /// `text`: of the part, in which all lines lie that are added.
    void begin(std::string_view text, std::uint64_t first_number, StatingLines memory);
    /// Adds all that are left.
    void add_lines(LinesOfPiece& lines);
    /// `line`: without its break, of which it may still have the half.
    void add_line(std::string_view line, LineEnd end);
    MatchedLines finish();

private:
    /// A line whose prefix is known, and which may state something.
    struct AskedLine {
        const LinePrefix* prefix;
        TimeAndRest after;
        const char* begin;
        const char* end;
        std::uint64_t number;
        std::uint64_t hash;  ///< LineShapes::hash_of()

        std::string_view text() const noexcept { return {begin, static_cast<std::size_t>(end - begin)}; }
        std::string_view rest() const noexcept {
            return {after.rest_begin, static_cast<std::size_t>(end - after.rest_begin)};
        }
    };
    /// What of a line is kept beside its statement.
    struct StatingLine {
        const Writer& writer;
        std::int64_t tid;
        std::string_view text;
        std::uint64_t number;
    };
    /// A log line whose prefix was taken apart.
    struct Entry {
        LogLine line;
        std::string_view text;  ///< all of it
        LineEnd end;
        std::uint64_t number;
    };
    static constexpr std::size_t kTogether = 32;
    enum class Learns { yes, no };

    template <class Block>
    [[gnu::always_inline]] inline void add_known_lines(LinesOfPiece& lines);
#if defined(__x86_64__)
    void add_known_lines_with_avx2(LinesOfPiece& lines);
    const LineShape* find_shape_with_avx2(const LinePrefix& prefix, std::string_view rest);
#endif
    const LineShape* find_shape(const LinePrefix& prefix, std::string_view rest);
    void look_at_rest(const AskedLine& line);
    bool add_by_prefix(std::string_view text, std::uint64_t number);
    void add_taken_apart(std::string_view text, LineEnd end, std::uint64_t number);
    void add_printed(const std::optional<LogLine>& line, std::string_view text, LineEnd end, std::uint64_t number);
    void add_printed_line(const std::optional<LogLine>& line, std::string_view text, LineEnd end, std::uint64_t number);
    bool match_mended(const std::vector<std::string_view>& lines, std::uint64_t number);
    Reading match_sentence(const std::string& text, LineEnd end, std::uint64_t number);
    void count_entry(const LogLine& line);
    void match_entries(const ModuleFormats& formats, Entry entry, std::string_view other);
    void read_rest(const AskedLine& line, std::string_view rest, const LineShape* shape);
    bool match_by_hex_shape(const AskedLine& line, std::string_view rest);
    bool match_as(const LineShape& shape, const AskedLine& asked);
    bool read_as(const LineShape& shape, const AskedLine& asked, std::int64_t tid);
    bool pass_unasked(const LineShape& shape, const AskedLine& asked, const LogLine* parts);
    template <class Take>
    void learn(const ModuleFormats& formats, bool with_hex_numbers, std::size_t text_size, Take take);
    Reading match(const ModuleFormats& formats, LogLine line, std::string_view text, LineEnd end, std::uint64_t number,
                  Learns learns);
    void keep(Reading reading, const CompiledFormat* format, const StatingLine& line, MatchedLine& matched);

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
    std::pair<const Writer, WriterLines>& lines_of(const Writer& writer);
    void note_unasked(FactKind kind, const Writer& writer);
    void list_unasked(UnaskedLine& unasked, const StatingLine& line);
    LineBreaks breaks_of(const LogLine& line) const noexcept;

    const LogFormats& formats_;
    std::uint64_t line_bytes_;
    Wanted wanted_, everything_;
    std::string_view text_;
    std::uint64_t first_number_ = 1;           ///< of the text's lines
    LineBreaks breaks_ = LineBreaks::unknown;  ///< but line feeds, in the lines so far
    MatchedLines matched_;
    std::pair<const Writer, WriterLines>* last_writer_ = nullptr;  ///< in matched_, of the last unasked line
    LinePrefixes prefixes_;
    KnownRests rests_;
    LineShapes shapes_;
    HexShapes hex_shapes_;
    LineTimes times_;
    UnfinishedLines unfinished_;  ///< of printed errors
    FoundLiterals literals_;
};

}  // namespace opdebug::logs
