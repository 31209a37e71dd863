#include "logs/matching/matched_lines.hpp"

#include <optional>
#include <utility>

#include "logs/matching/part_matching.hpp"
#include "logs/text/line.hpp"
#include "logs/text/line_breaks.hpp"

namespace opdebug::logs {

struct LineMatcher::Implementation {
    PartMatching matching;
    LineBreakPlaces breaks{};
};

LineMatcher::LineMatcher(const LogFormats& formats, std::uint64_t line_bytes, const Wanted& wanted)
    : implementation_(new Implementation{PartMatching(formats, line_bytes, wanted)}) {}
LineMatcher::LineMatcher(LineMatcher&&) noexcept = default;
LineMatcher& LineMatcher::operator=(LineMatcher&&) noexcept = default;
LineMatcher::~LineMatcher() = default;

MatchedLines LineMatcher::match(std::string_view text, std::uint64_t first_number, StatingLines memory) {
    PartMatching& matching = implementation_->matching;
    LineBreakPlaces& breaks = implementation_->breaks;
    matching.begin(text, first_number, std::move(memory));
    LinesOfPiece lines{text, 0, breaks};
    for (; lines.piece < text.size(); lines.piece += LineBreakPlaces::kPiece) {
        find_line_breaks(text.substr(lines.piece, LineBreakPlaces::kPiece), breaks);
        lines.taken = 0;
        matching.add_lines(lines);
    }
    if (lines.begin < text.size()) {
        matching.add_line(text.substr(lines.begin), LineEnd::end_of_file);
    }
    return matching.finish();
}

std::optional<MatchedLine> read_again(const UnaskedLine& line, const MatchedLines& part) {
    const std::optional<LogLine> parts = parse_line(line.text());
    const std::optional<LineMatch> match = parts ? part.formats->match_line(*parts) : std::nullopt;
    if (!match) {
        return std::nullopt;
    }
    return MatchedLine{*match,
                       *line.writer,
                       line.tid,
                       line.time_us == UnaskedLine::kNoTime ? std::nullopt : std::optional(line.time_us),
                       part.first_number + line.number,
                       line.text().substr(0, kEvidenceLength)};
}

UnaskedLine unasked_line_of(const MatchedLine& line) {
    UnaskedLine unasked;
    unasked.format = line.match.format;
    unasked.tid = line.tid;
    unasked.time_us = line.time_us.value_or(UnaskedLine::kNoTime);
    unasked.ids = UnaskedIds::of(line.match.fact);
    return unasked;
}

}  // namespace opdebug::logs
