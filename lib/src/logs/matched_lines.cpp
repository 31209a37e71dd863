#include "logs/matched_lines.hpp"

#include <algorithm>
#include <optional>
#include <utility>

#include "logs/format_match.hpp"
#include "logs/known_rests.hpp"
#include "logs/line.hpp"
#include "logs/line_breaks.hpp"
#include "logs/line_prefixes.hpp"
#include "logs/line_shapes.hpp"
#include "logs/line_time.hpp"

namespace opdebug::logs {
namespace {

/// Lines of the log library have at most 1024 bytes; longer ones come from elsewhere and are cut as evidence.
constexpr std::size_t kEvidenceLength = 1024;

void count(const LogLine& line, WriterLines& lines) {
    if (line.local_time_us) {
        lines.first_time_us = std::min(lines.first_time_us.value_or(*line.local_time_us), *line.local_time_us);
        lines.last_time_us = std::max(lines.last_time_us.value_or(*line.local_time_us), *line.local_time_us);
    }
    lines.of_host = lines.of_host || line.module == "RUNTIME" || line.module == "GE" || line.module == "ASCENDCL";
    if (line.level == "INFO" || line.level == "DEBUG") {
        lines.runtime_info += line.module == "RUNTIME" ? 1U : 0U;
        lines.ge_info += line.module == "GE" ? 1U : 0U;
    }
}

/// What follows the bytes of a line: a line break, the end of the file, or more of the line than is looked at.
enum class LineEnd { line_break, end_of_file, more };

/// The time that follows a prefix, and what follows the time.
struct TimeAndRest {
    std::int64_t time_us = 0;
    std::string_view rest;
};

class PartMatching {
public:
    PartMatching(const LogFormats& formats, const Wanted& wanted) : formats_(formats), wanted_(wanted) {}

    void begin(StatingLines memory) {
        matched_ = {};
        static_cast<StatingLines&>(matched_) = std::move(memory);
        matched_.lines.clear();
        matched_.unasked.clear();
        matched_.formats = &formats_;
        breaks_ = LineBreaks::none;
    }

    /// Told of all the bytes of a line before it is added. Asked for many lines together: asked for each line that
    /// holds a literal it took a twentieth of matching.
    void holds_other_breaks(bool holds) noexcept { breaks_ = holds ? LineBreaks::unknown : breaks_; }

    void add(std::string_view text, LineEnd end, std::uint64_t first_number) {
        const std::uint64_t number = first_number + matched_.count;
        ++matched_.count;
        if (end != LineEnd::line_break || !add_by_prefix(text, number)) {
            add_taken_apart(text, end, number);
        }
    }

    MatchedLines finish() {
        for (LinePrefix& prefix : prefixes_) {
            prefix.give_lines(matched_.writers);
        }
        return std::move(matched_);
    }

private:
    /// Most lines end here: the prefix is known, the time is one, and the rest is known to state nothing. False where
    /// the line is to be taken apart. What few lines need is in functions by itself: no line but theirs makes room for
    /// it.
    bool add_by_prefix(std::string_view text, std::uint64_t number) {
        LinePrefix* const prefix = prefixes_.find(text);
        TimeAndRest after;
        if (prefix == nullptr || !take_time_and_rest(text, prefix->size, after)) {
            return false;
        }
        prefix->add_time(after.time_us);
        matched_.last_time_us = after.time_us;
        if (prefix->formats != nullptr) {
            const LineShape* const shape = shapes_.find(prefix->formats, prefix->thread_known, after.rest);
            if (shape == nullptr || shape->format != nullptr) {
                read_rest(*prefix, shape, after, text, number);
            }
        }
        return true;
    }

    [[gnu::noinline]] void read_rest(const LinePrefix& prefix, const LineShape* shape, const TimeAndRest& after,
                                     std::string_view text, std::uint64_t number) {
        if (shape != nullptr &&
            match_as(*shape, prefix.parts_of(text, after.time_us, after.rest), after.rest, text, number)) {
            return;
        }
        if (LogFormats::find_literals(*prefix.formats, after.rest, literals_)) {
            match(*prefix.formats, prefix.parts_of(text, after.time_us, after.rest), text, LineEnd::line_break, number,
                  shapes_.to_learn());
        } else if (shapes_.to_learn() != nullptr &&
                   !LogFormats::may_hold_digits_of_literals(*prefix.formats, shapes_.masked())) {
            shapes_.keep();
        }
    }

    /// False where the line is not read as its shape says, or by another format.
    bool match_as(const LineShape& shape, LogLine line, std::string_view rest, std::string_view text,
                  std::uint64_t number) {
        rests_.complete(line);
        if (!shape.is_of(line, rest)) {
            return false;
        }
        MatchedLine& matched = matched_.lines.add();
        const Reading reading = LogFormats::match_as(*shape.format, line, shape.texts_of(rest), matched.match, wanted_);
        keep(reading, line, text, number, matched);
        return reading != Reading::nothing;
    }

    [[gnu::noinline]] void add_taken_apart(std::string_view text, LineEnd end, std::uint64_t number) {
        const std::optional<LogLine> line = parse_line_prefix(text);
        if (!line) {
            return;
        }
        if (end == LineEnd::more) {
            matched_.first_long_line = matched_.long_lines == 0 ? number : matched_.first_long_line;
            ++matched_.long_lines;
        }
        count(*line, matched_.writers[writer_of(*line)]);
        matched_.last_time_us = line->local_time_us ? line->local_time_us : matched_.last_time_us;
        if (LinePrefix* const place = prefixes_.place_for(text, *line)) {
            place->give_lines(matched_.writers);
            learn_prefix(text, *line, formats_, *place);
        }
        const ModuleFormats* const formats = formats_.of_module(line->module);
        if (formats != nullptr && LogFormats::find_literals(*formats, line->text, literals_)) {
            match(*formats, *line, text, end, number, nullptr);
        }
    }

    /// False when the time has not the common form, or when bytes follow the text that do not belong to it.
    bool take_time_and_rest(std::string_view text, std::size_t time_begin, TimeAndRest& after) noexcept {
        constexpr std::size_t kMilliseconds = std::string_view("YYYY-MM-DD-hh:mm:ss.mmm").size();
        constexpr std::size_t kMicroseconds = std::string_view("YYYY-MM-DD-hh:mm:ss.mmm.uuu").size();
        const bool ends_in_other_bytes = text.back() == '\0' || text.back() == '\r';
        if (text.size() <= time_begin + kMicroseconds || ends_in_other_bytes) {
            return false;
        }
        const std::size_t size = text[time_begin + kMilliseconds] == ' ' ? kMilliseconds : kMicroseconds;
        after.rest = text.substr(time_begin + size);
        return after.rest.front() == ' ' && times_.parse(text.substr(time_begin, size), after.time_us);
    }

    /// `shape`: of the line, to be learnt; may be null.
    void match(const ModuleFormats& formats, LogLine line, std::string_view text, LineEnd end, std::uint64_t number,
               LineShape* shape) {
        const std::string_view searched = line.text;
        rests_.complete(line);
        line.may_be_cut = line.may_be_cut || end != LineEnd::line_break;  // the log library ends each line with one
        std::optional<Diagnostic> diagnostic;
        MatchedLine& matched = matched_.lines.add();
        ReadBy by;
        // What a line says that ends otherwise hangs on its end, which is not kept.
        const Reading reading = LogFormats::match(formats, line, searched, literals_, breaks_of(line), matched.match,
                                                  &diagnostic, end == LineEnd::line_break ? wanted_ : everything_, &by);
        if (diagnostic) {
            matched_.diagnostics.emplace_back(number, std::move(*diagnostic));
        }
        if (shape != nullptr && !by.hangs_on_digits &&
            !LogFormats::may_hold_digits_of_literals(formats, shapes_.masked()) &&
            (reading == Reading::nothing ? shape->take_nothing(line, searched)
                                         : shape->take(*by.format, by.texts, line, searched))) {
            shapes_.keep();
        }
        keep(reading, line, text, number, matched);
    }

    /// `matched`: the last of the lines, of which the statement is read.
    void keep(Reading reading, const LogLine& line, std::string_view text, std::uint64_t number, MatchedLine& matched) {
        if (reading == Reading::nothing) {
            matched_.lines.drop_last();
            return;
        }
        matched.writer = writer_of(line);
        matched.tid = line.tid.value_or(-1);
        matched.time_us = matched_.last_time_us;
        matched.number = number;
        if (reading == Reading::numbers) {
            take_ids(matched, text, matched_.lines.size() - 1, matched_.unasked.add());
            matched_.lines.drop_last();  // the next line is read into the same memory
            return;
        }
        matched.text = text.substr(0, kEvidenceLength);
    }

    LineBreaks breaks_of(const LogLine& line) const noexcept {
        return breaks_ == LineBreaks::none || !holds_line_break(line.text) ? LineBreaks::none : LineBreaks::unknown;
    }

    const LogFormats& formats_;
    Wanted wanted_, everything_;
    LineBreaks breaks_ = LineBreaks::unknown;  ///< but line feeds, in the lines so far
    MatchedLines matched_;
    LinePrefixes prefixes_;
    KnownRests rests_;
    LineShapes shapes_;
    LineTimes times_;
    FoundLiterals literals_;
};

}  // namespace

struct LineMatcher::Implementation {
    PartMatching matching;
    std::uint64_t line_bytes;
    LineBreakPlaces breaks{};

    /// `line`: without its break, of which it may still have the half.
    void add(std::string_view line, LineEnd end, std::uint64_t first_number) {
        if (!line.empty() && line.front() == '\0') {  // a log that was cut while its writer went on begins with a hole
            line.remove_prefix(std::min(line.find_first_not_of('\0'), line.size()));
        }
        if (line.size() > line_bytes) {
            line = line.substr(0, static_cast<std::size_t>(line_bytes));
            end = LineEnd::more;
        }
        if (!line.empty() && line.back() == '\r') {
            line.remove_suffix(1);
        }
        matching.add(line, end, first_number);
    }
};

LineMatcher::LineMatcher(const LogFormats& formats, std::uint64_t line_bytes, const Wanted& wanted)
    : implementation_(new Implementation{PartMatching(formats, wanted), line_bytes}) {}
LineMatcher::LineMatcher(LineMatcher&&) noexcept = default;
LineMatcher& LineMatcher::operator=(LineMatcher&&) noexcept = default;
LineMatcher::~LineMatcher() = default;

MatchedLines LineMatcher::match(std::string_view text, std::uint64_t first_number, StatingLines memory) {
    Implementation& own = *implementation_;
    own.matching.begin(std::move(memory));
    std::size_t begin = 0;
    for (std::size_t searched = 0; searched < text.size(); searched += LineBreakPlaces::kPiece) {
        find_line_breaks(text.substr(searched, LineBreakPlaces::kPiece), own.breaks);
        own.matching.holds_other_breaks(own.breaks.others);
        for (std::size_t index = 0; index < own.breaks.count; ++index) {
            const std::size_t end = searched + own.breaks.places[index];
            own.add(text.substr(begin, end - begin), LineEnd::line_break, first_number);
            begin = end + 1;
        }
    }
    if (begin < text.size()) {
        own.add(text.substr(begin), LineEnd::end_of_file, first_number);
    }
    return own.matching.finish();
}

MatchedLines match_lines(std::string_view text, std::uint64_t first_number, const LogFormats& formats,
                         std::uint64_t line_bytes, const Wanted& wanted) {
    return LineMatcher(formats, line_bytes, wanted).match(text, first_number);
}

std::optional<MatchedLine> read_again(const UnaskedLine& line, const LogFormats& formats) {
    const std::optional<LogLine> parts = parse_line(line.text);
    std::optional<Match> match = parts ? formats.match(*parts) : std::nullopt;
    return match ? std::optional(MatchedLine{*std::move(match), line.writer, line.tid, line.time_us, line.number,
                                             std::string(line.text.substr(0, kEvidenceLength))})
                 : std::nullopt;
}

void take_ids(const MatchedLine& line, std::string_view text, std::size_t before, UnaskedLine& unasked) {
    unasked.format = line.match.format;
    unasked.kind = line.match.fact.kind;
    unasked.ids = line.match.fact;
    unasked.writer = line.writer;
    unasked.tid = line.tid;
    unasked.time_us = line.time_us;
    unasked.number = line.number;
    unasked.text = text;
    unasked.before = before;
}

}  // namespace opdebug::logs
