#include "logs/matching/part_matching.hpp"

#include <utility>

#include "logs/facts/launch_lines.hpp"
#include "logs/text/entry_inside.hpp"
#include "logs/text/line.hpp"

namespace opdebug::logs {

void PartMatching::begin(std::uint64_t first_number, ReusedList<MatchedLine> memory) {
    matched_ = {};
    matched_.lines = std::move(memory);
    matched_.lines.clear();
    matched_.first_number = first_number;
    unfinished_.clear();
    first_number_ = first_number;
}

MatchedLines PartMatching::finish() {
    for (LinePrefix& prefix : prefixes_) {
        prefix.give_lines(matched_.writers);
    }
    return std::move(matched_);
}

void PartMatching::add_line(std::string_view line, LineEnd end) {
    const std::uint64_t number = first_number_ + matched_.count;
    ++matched_.count;
    while (!line.empty() && (line.back() == '\r' || line.back() == '\0')) {  // no part of the text, nor of evidence
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

/// False where the line is to be taken apart.
bool PartMatching::add_by_prefix(std::string_view text, std::uint64_t number) {
    LinePrefix* const prefix = prefixes_.find(text);
    TimeAndRest after{};
    if (prefix == nullptr || !take_time_and_rest(text, prefix->size, after)) {
        return false;
    }
    prefix->add_time(after.time_us);
    matched_.last_time_us = after.time_us;
    if (prefix->formats == nullptr) {
        return true;
    }
    const std::string_view rest = text.substr(static_cast<std::size_t>(after.rest_begin - text.data()));
    const EntryInside other = entry_inside(rest);
    if (!other.entry.empty() || find_hole(rest) != std::string_view::npos) {
        const LogLine parts = prefix->parts_of(text, after.time_us, rest);
        match_entries(*prefix->formats, {parts, text, LineEnd::line_break, number}, other.entry);
    } else if (LogFormats::find_literals(*prefix->formats, rest, literals_)) {
        match(*prefix->formats, prefix->parts_of(text, after.time_us, rest), text, LineEnd::line_break, number);
    }
    return true;
}

Reading PartMatching::match(const ModuleFormats& formats, LogLine line, std::string_view text, LineEnd end,
                            std::uint64_t number) {
    const std::string_view searched = line.text;
    complete_line(line);
    line.may_be_cut = line.may_be_cut || end != LineEnd::line_break;  // the log library ends each line with one
    std::optional<Diagnostic> diagnostic;
    MatchedLine& matched = matched_.lines.add();
    const Reading reading = LogFormats::match(formats, line, searched, literals_, matched.match, &diagnostic, wanted_);
    if (diagnostic) {
        matched_.diagnostics.emplace_back(number, std::move(*diagnostic));
    }
    if (reading == Reading::all) {
        keep(line, text, end, number, matched);
        return reading;
    }
    if (reading == Reading::numbers) {
        WriterLines& shown = matched_.writers[writer_of(line)];
        shown.states_unwanted = true;
        shown.names_unwanted = shown.names_unwanted || names_what_runs(matched.match.fact.kind);
    }
    matched_.lines.drop_last();
    return reading;
}

void PartMatching::keep(const LogLine& line, std::string_view text, LineEnd end, std::uint64_t number,
                        MatchedLine& matched) {
    matched.writer = writer_of(line);
    matched.tid = line.tid.value_or(-1);
    matched.time_us = matched_.last_time_us;
    matched.number = number;
    matched.text = text.substr(0, kEvidenceLength);
    matched.lacks_time = !line.local_time_us;
    matched.is_cut = end != LineEnd::line_break;
}

}  // namespace opdebug::logs
