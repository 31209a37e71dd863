#include "logs/matching/matched_lines.hpp"

#include <utility>

#include "logs/matching/part_matching.hpp"

namespace opdebug::logs {

struct LineMatcher::Implementation {
    PartMatching matching;
};

LineMatcher::LineMatcher(const LogFormats& formats, std::uint64_t line_bytes, const Wanted& wanted)
    : implementation_(new Implementation{PartMatching(formats, line_bytes, wanted)}) {}
LineMatcher::LineMatcher(LineMatcher&&) noexcept = default;
LineMatcher& LineMatcher::operator=(LineMatcher&&) noexcept = default;
LineMatcher::~LineMatcher() = default;

MatchedLines LineMatcher::match(std::string_view text, std::uint64_t first_number, ReusedList<MatchedLine> memory) {
    PartMatching& matching = implementation_->matching;
    matching.begin(first_number, std::move(memory));
    while (!text.empty()) {
        const std::size_t end = text.find('\n');
        if (end == std::string_view::npos) {
            matching.add_line(text, LineEnd::end_of_file);
            break;
        }
        matching.add_line(text.substr(0, end), LineEnd::line_break);
        text.remove_prefix(end + 1);
    }
    return matching.finish();
}

}  // namespace opdebug::logs
