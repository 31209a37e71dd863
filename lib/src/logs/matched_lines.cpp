#include "logs/matched_lines.hpp"

#include <algorithm>

#include "logs/line.hpp"

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

void add_line(std::string_view text, LineEnd end, std::uint64_t number, const LogFormats& formats,
              MatchedLines& matched) {
    std::optional<LogLine> line = parse_line_prefix(text);
    if (!line) {
        return;
    }
    if (end == LineEnd::more) {
        matched.first_long_line = matched.long_lines == 0 ? number : matched.first_long_line;
        ++matched.long_lines;
    }
    const Writer writer{line->pid.value_or(-1), line->module == "CCECPU" || line->module == "AICPU"};
    count(*line, matched.writers[writer]);
    matched.last_time_us = line->local_time_us ? line->local_time_us : matched.last_time_us;
    if (!formats.may_match(*line)) {
        return;
    }
    complete_line(*line);
    line->may_be_cut = line->may_be_cut || end != LineEnd::line_break;  // the log library ends each line with one
    std::optional<Diagnostic> diagnostic;
    std::optional<Match> match = formats.match(*line, &diagnostic);
    if (diagnostic) {
        matched.diagnostics.emplace_back(number, std::move(*diagnostic));
    }
    if (match) {
        matched.lines.push_back({std::move(*match), writer, line->tid.value_or(-1), matched.last_time_us, number,
                                 std::string(text.substr(0, kEvidenceLength))});
    }
}

}  // namespace

MatchedLines match_lines(std::string_view text, std::uint64_t first_number, const LogFormats& formats,
                         std::uint64_t line_bytes) {
    MatchedLines matched;
    while (!text.empty()) {
        const std::size_t end = std::min(text.find('\n'), text.size());
        const bool is_cut = end > line_bytes;
        std::string_view line = text.substr(0, is_cut ? static_cast<std::size_t>(line_bytes) : end);
        if (!line.empty() && line.back() == '\r') {
            line.remove_suffix(1);
        }
        const LineEnd line_end = is_cut              ? LineEnd::more
                                 : end < text.size() ? LineEnd::line_break
                                                     : LineEnd::end_of_file;
        add_line(line, line_end, first_number + matched.count, formats, matched);
        ++matched.count;
        text.remove_prefix(std::min(end + 1, text.size()));
    }
    return matched;
}

}  // namespace opdebug::logs
