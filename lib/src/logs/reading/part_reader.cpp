#include "logs/reading/part_reader.hpp"

#include <utility>

#include "logs/facts/launch_lines.hpp"

namespace opdebug::logs {
namespace {

/// Lines of the log library have at most 1024 bytes; longer ones come from elsewhere and are cut as evidence.
constexpr std::size_t kEvidenceLength = 1024;

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

}  // namespace

StatedLines PartReader::read(std::string_view text) {
    stated_ = {};
    unfinished_.clear();
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
    StatedLine stated;
    const Reading reading =
        LogFormats::match(formats, line, entry.line.text, literals_, stated.match, &diagnostic, wanted_);
    if (diagnostic) {
        stated_.diagnostics.emplace_back(entry.number, std::move(*diagnostic));
    }
    if (reading == Reading::all) {
        stated.writer = writer_of(line);
        stated.tid = line.tid.value_or(-1);
        stated.time_us = stated_.last_time_us;
        stated.number = entry.number;
        stated.text = entry.text.substr(0, kEvidenceLength);
        stated.lacks_time = !line.local_time_us;
        stated.is_cut = entry.end != LineEnd::line_break;
        stated_.lines.push_back(std::move(stated));
    } else if (reading == Reading::numbers) {
        WriterLines& shown = stated_.writers[writer_of(line)];
        shown.states_unwanted = true;
        shown.names_unwanted = shown.names_unwanted || names_what_runs(stated.match.fact.kind);
    }
    return reading;
}

}  // namespace opdebug::logs
