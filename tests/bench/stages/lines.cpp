// The text of a log to what its lines state.
#include "logs/formats/formats.hpp"
#include "logs/text/line.hpp"

#include "match_lines.hpp"
#include "samples.hpp"
#include "stages.hpp"

namespace opdebug::bench {
namespace {

using logs::LogLine;

std::uint64_t read_prefixes() {
    std::uint64_t times = 0;
    for (const std::string_view line : sample_lines()) {
        const std::optional<LogLine> parts = logs::parse_line_prefix(line);
        times += parts && parts->local_time_us;
    }
    return times;
}

std::uint64_t read_whole_lines() {
    std::uint64_t threads = 0;
    for (const std::string_view line : sample_lines()) {
        const std::optional<LogLine> parts = logs::parse_line(line);
        threads += parts && parts->tid;
    }
    return threads;
}

Run prepare_literals() {
    std::vector<LogLine> lines;
    for (const std::string_view line : sample_lines()) {
        lines.push_back(*logs::parse_line_prefix(line));
    }
    return [lines, formats = logs::built_in_log_formats()] {
        std::uint64_t lines_with_some = 0;
        logs::FoundLiterals found;
        for (const LogLine& line : lines) {
            const logs::ModuleFormats* const of_module = formats->of_module(line.module);
            if (of_module != nullptr) {
                logs::LogFormats::find_literals(*of_module, line.text, found);
                lines_with_some += !found.empty();
            }
        }
        return lines_with_some;
    };
}

/// Of lines that state something.
Run prepare_patterns() {
    const auto formats = logs::built_in_log_formats();
    std::vector<LogLine> lines;
    for (const std::string_view line : sample_lines()) {
        const LogLine parts = *logs::parse_line(line);
        if (formats->match(parts)) {
            lines.push_back(parts);
        }
    }
    return [lines, formats] {
        std::uint64_t found = 0;
        for (const LogLine& line : lines) {
            found += formats->match(line).has_value();
        }
        return found;
    };
}

Run prepare_text() {
    return [formats = logs::built_in_log_formats()]() -> std::uint64_t {
        return test::match_lines(sample_log(), 1, *formats).lines.size();
    };
}

}  // namespace

std::vector<Stage> line_stages() {
    sample_lines();
    return {{"logs.line_prefixes", [] { return Run(read_prefixes); }},
            {"logs.whole_lines", [] { return Run(read_whole_lines); }},
            {"logs.literals", prepare_literals},
            {"logs.patterns", prepare_patterns},
            {"logs.match_text", prepare_text}};
}

}  // namespace opdebug::bench
