#include "logs/reading/part_reader.hpp"

#include <algorithm>
#include <utility>

#include "logs/facts/launch_lines.hpp"
#include "remarks/diagnose.hpp"

namespace opdebug::logs {
namespace {

/// Lines of the log library have at most 1024 bytes; longer ones come from elsewhere and are cut as evidence.
constexpr std::size_t kEvidenceLength = 1024;
constexpr std::size_t kBytesPerStatedLine = 1024;  // in logs of level INFO; a list that grows moves statements

/// The time at the front of `rest`, with the space after it; most lines have the form that has microseconds.
std::optional<std::int64_t> take_time(std::string_view& rest, LineTimes& times) noexcept {
    const std::size_t end = rest.find(' ');
    if (end == std::string_view::npos) {
        return std::nullopt;
    }
    const std::optional<std::int64_t> time_us = times.parse(rest.substr(0, end));
    rest.remove_prefix(time_us ? end : 0);
    return time_us;
}

/// The text before the part of it that begins with `other`; all of it where there is none.
std::string_view before(std::string_view text, std::string_view other) noexcept {
    return other.empty() ? text : text.substr(0, static_cast<std::size_t>(other.data() - text.data()));
}

/// The rest of a text from its first hole on; where it has none, the text that follows it.
std::string_view from_hole(std::string_view text, std::string_view following) noexcept {
    const std::size_t hole = find_hole(text);
    return hole != std::string_view::npos ? text.substr(hole) : following;
}

}  // namespace

StatedLines PartReader::read(std::string_view text) {
    stated_ = {};
    stated_.lines.reserve(text.size() / kBytesPerStatedLine);
    unfinished_.clear();
    may_have_markup_ = may_have_markup(text);
    while (!text.empty()) {
        const std::size_t end = text.find('\n');
        if (end == std::string_view::npos) {
            add_line(text, LineEnd::end_of_file);
            break;
        }
        add_line(text.substr(0, end), LineEnd::line_break);
        text.remove_prefix(end + 1);
    }
    prefixes_.take_lines(stated_.writers);
    return std::move(stated_);
}

/// `line`: without its break, of which it may still have the half.
void PartReader::add_line(std::string_view line, LineEnd end) {
    const std::uint64_t number = ++stated_.count;
    while (!line.empty() && (line.back() == '\r' || line.back() == '\0')) {  // no part of the text or of evidence
        line.remove_suffix(1);
    }
    if (!line.empty() && line.front() == '\0') {  // a log that was cut while its writer went on begins with a hole
        line.remove_prefix(line.find_first_not_of('\0'));
    }
    if (may_have_markup_ && may_have_markup(line)) {
        line = stated_.mended.emplace_back(without_markup(line));
    }
    while (line.size() > line_bytes_) {
        const std::size_t hole = find_hole(line.substr(0, static_cast<std::size_t>(line_bytes_)));
        if (hole == std::string_view::npos) {
            break;
        }
        add_taken_apart(line.substr(0, hole), LineEnd::end_of_file, number);
        line.remove_prefix(line.find_first_not_of('\0', hole));  // more follows: the text does not end in NULs
    }
    if (line.size() > line_bytes_) {
        line = line.substr(0, static_cast<std::size_t>(line_bytes_));
        end = LineEnd::more;
    }
    if (end != LineEnd::line_break || !add_by_prefix(line, number)) {
        add_taken_apart(line, end, number);
    }
}

/// False where the line is to be parsed.
bool PartReader::add_by_prefix(std::string_view text, std::uint64_t number) {
    KnownPrefix* const prefix = prefixes_.find(text);
    if (prefix == nullptr) {
        return false;
    }
    std::string_view rest = text.substr(prefix->text.size());
    const std::optional<std::int64_t> time_us = take_time(rest, times_);
    if (!time_us) {
        return false;
    }
    prefix->add_time(*time_us);
    stated_.last_time_us = time_us;
    if (prefix->formats == nullptr) {
        return true;
    }
    const std::string_view other = entry_inside(rest);
    const bool is_alone = other.empty() && find_hole(rest) == std::string_view::npos;
    if (!is_alone || LogFormats::find_literals(*prefix->formats, rest, literals_)) {
        const Entry entry{prefix->parts_of(text, *time_us, rest), text, LineEnd::line_break, number};
        is_alone ? void(match_literals(*prefix->formats, entry)) : match_entries(*prefix->formats, entry, other);
    }
    return true;
}

Reading PartReader::match(const ModuleFormats& formats, const Entry& entry) {
    return LogFormats::find_literals(formats, entry.line.text, literals_) ? match_literals(formats, entry)
                                                                          : Reading::nothing;
}

/// Matches the entry by the formats whose literals were found in it.
Reading PartReader::match_literals(const ModuleFormats& formats, const Entry& entry) {
    LogLine line = entry.line;
    complete_line(line);
    line.may_be_cut = line.may_be_cut || entry.end != LineEnd::line_break;  // the log library ends each line with one
    std::optional<Diagnostic> diagnostic;
    const Reading reading = LogFormats::match(formats, line, entry.line.text, literals_, match_, &diagnostic, wanted_);
    if (diagnostic) {
        stated_.diagnostics.emplace_back(entry.number, std::move(*diagnostic));
    }
    if (reading == Reading::stated) {
        StatedLine& stated = stated_.lines.emplace_back();
        stated.match = std::move(match_);
        stated.writer = writer_of(line);
        stated.tid = line.tid.value_or(-1);
        stated.time_us = stated_.last_time_us;
        stated.number = entry.number;
        stated.text = entry.text.substr(0, kEvidenceLength);
        stated.lacks_time = !line.local_time_us;
        stated.is_cut = entry.end != LineEnd::line_break;
    } else if (reading == Reading::unwanted) {
        WriterLines& shown = stated_.writers[writer_of(line)];
        shown.states_unwanted = true;
        shown.names_unwanted = shown.names_unwanted || names_what_runs(match_.fact.kind);
    }
    return reading;
}

void PartReader::add_taken_apart(std::string_view text, LineEnd end, std::uint64_t number) {
    const std::optional<LogLine> line = parse_line_prefix(text);
    if (!line || line->module.empty()) {
        add_printed(line, text, end, number);
        return;
    }
    if (end == LineEnd::more) {
        stated_.first_long_line = stated_.long_lines == 0 ? number : stated_.first_long_line;
        ++stated_.long_lines;
    }
    count_entry(*line);
    prefixes_.learn(text, *line, formats_, stated_.writers);
    if (const ModuleFormats* const formats = formats_.of_module(line->module)) {
        match_entries(*formats, {*line, text, end, number}, entry_inside(line->text));
    }
}

/// A printed error, or a line that may be a part of one. Most have one line. In the text of a Python string or of a
/// collector's JSON, line breaks are escaped.
void PartReader::add_printed(const std::optional<LogLine>& line, std::string_view text, LineEnd end,
                             std::uint64_t number) {
    constexpr std::string_view kEscapedBreak = "\\n";
    std::string_view rest = without_wrapping(text);
    if (rest.find(kTrailer) == std::string_view::npos || rest.find(kEscapedBreak) == std::string_view::npos) {
        add_printed_line(line, rest, end, number);
        return;
    }
    while (!rest.empty()) {
        std::string_view piece = rest.substr(0, rest.find(kEscapedBreak));
        rest.remove_prefix(std::min(piece.size() + kEscapedBreak.size(), rest.size()));
        piece = piece.substr(0, piece.find_last_not_of("'\")") + 1);  // the end of the string
        const std::optional<LogLine> of_piece = parse_line_prefix(piece);
        add_printed_line(of_piece && of_piece->module.empty() ? of_piece : std::nullopt, piece, end, number);
    }
}

void PartReader::add_printed_line(const std::optional<LogLine>& line, std::string_view text, LineEnd end,
                                  std::uint64_t number) {
    const bool is_whole = line && !may_be_broken(text);
    if (line) {
        count_entry(*line);
    }
    if (is_whole && match(*formats_.of_module(line->module), {*line, text, end, number}) != Reading::nothing) {
        unfinished_.clear();
        return;
    }
    unfinished_.add(text, number);
    if (!ends_sentence(unfinished_.lines())) {
        if (!line) {
            match_printed(text, number);
        }
        return;
    }
    if (!(line && match_mended({text}, number))) {
        match_mended(unfinished_.lines(), number);
    }
    unfinished_.clear();
}

/// A line without the blocks of a printed error: any text has such lines. One that states something is an entry.
void PartReader::match_printed(std::string_view text, std::uint64_t number) {
    const ModuleFormats* const formats = formats_.of_module(LogFormats::kPrinted);
    if (formats == nullptr || !LogFormats::find_literals(*formats, text, literals_)) {
        return;
    }
    const LogLine line = printed_line(text);
    if (match_literals(*formats, {line, text, LineEnd::line_break, number}) != Reading::nothing) {
        count_entry(line);
    }
}

/// Whether a format reads the sentence that these lines are.
bool PartReader::match_mended(const std::vector<std::string_view>& lines, std::uint64_t number) {
    for (MendedSentence& sentence : mend_sentence(lines)) {
        stated_.mended.push_back(std::move(sentence.text));
        const LineEnd end = sentence.is_cut ? LineEnd::end_of_file : LineEnd::line_break;
        if (match_sentence(stated_.mended.back(), end, number) != Reading::nothing) {
            if (sentence.loses_name) {
                stated_.diagnostics.emplace_back(number, remarks::diagnose("log_name_broken"));
            }
            return true;
        }
        stated_.mended.pop_back();
    }
    return false;
}

Reading PartReader::match_sentence(const std::string& text, LineEnd end, std::uint64_t number) {
    const std::optional<LogLine> line = parse_line_prefix(text);
    if (!line || !line->module.empty()) {
        return Reading::nothing;
    }
    count_entry(*line);
    return match(*formats_.of_module(line->module), {*line, text, end, number});
}

void PartReader::count_entry(const LogLine& line) {
    stated_.writers[writer_of(line)].add(line);
    stated_.last_time_us = line.local_time_us ? line.local_time_us : stated_.last_time_us;
}

/// Matches the entry that a line begins with, and those that run into it: `other` is the rest of the line from the
/// second one on. Each but the last is cut, and where it has a hole, each is. An entry of a module that states nothing
/// ends the search, because such lines are not read at all. The time of the line stays that of its first entry.
void PartReader::match_entries(const ModuleFormats& formats, Entry entry, std::string_view other) {
    const std::optional<std::int64_t> time_us = stated_.last_time_us;
    const ModuleFormats* of_entry = &formats;
    while (of_entry != nullptr) {
        const std::string_view following = from_hole(before(entry.line.text, other), other);
        const LineEnd end = following.empty() ? entry.end : LineEnd::end_of_file;
        const std::string_view text = before(entry.text, following);
        entry.line.text = before(entry.line.text, following);
        match(*of_entry, {entry.line, text, end, entry.number});
        const std::optional<LogLine> next = other.empty() ? std::nullopt : parse_line_prefix(other);
        if (!next) {
            break;
        }
        count_entry(*next);
        of_entry = formats_.of_module(next->module);
        entry = {*next, other, entry.end, entry.number};
        other = entry_inside(entry.line.text);
    }
    stated_.last_time_us = time_us;
}

}  // namespace opdebug::logs
