// Lines read one behind the other, and each by itself: both must say the same.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include <doctest/doctest.h>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "logs/formats/formats.hpp"
#include "logs/text/lexer.hpp"
#include "match_lines.hpp"

namespace opdebug::test {

using namespace logs;

using Random = std::mt19937;

inline std::string text_of(const std::optional<std::uint64_t>& number) {
    return number ? std::to_string(*number) : "none";
}

/// All that a line states.
inline std::string text_of(const MatchedLine& line) {
    const Fact fact = fact_of(line);
    std::string text = fmt::format("{} of {} {}, thread {}, kind {} {}{}{}{}: {}", line.match.format->id, line.number,
                                   fact.format_id, line.tid, static_cast<int>(fact.kind), fact.task_id_provisional,
                                   fact.of_model, fact.name_cut, fact.task_id_from_sn, line.text);
    for (const NumberMember& number : number_members()) {
        text += fmt::format(" {}={}", number.name, text_of(fact.*number.member));
    }
    for (const TextMember& member : text_members()) {
        text += fmt::format(" {}='{}'", member.name, fact.*member.member);
    }
    return text;
}

inline std::string text_of(const UnaskedLine& line) {
    const TaskIds ids = line.ids.task_ids();
    return fmt::format("{} of {} in front of {}: kind {} {} {} {} {}, thread {}: {}", line.format->id, line.writer->pid,
                       line.before, static_cast<int>(line.ids.kind), text_of(ids.stream_id), text_of(ids.task_id),
                       text_of(ids.device_id), text_of(ids.task_type), line.tid, line.text());
}

/// What is noted of lines that nobody asked for.
inline std::string noted_of(const Writer& writer, const WriterLines& lines) {
    return fmt::format("{} {}: {} {}", writer.pid, writer.on_device, lines.states_unasked, lines.names_unasked);
}

inline std::vector<std::string> statements_of(const MatchedLines& matched) {
    std::vector<std::string> statements;
    for (const MatchedLine& line : matched.lines) {
        statements.push_back(text_of(line));
    }
    for (const UnaskedLine& line : matched.unasked) {
        statements.push_back(fmt::format("{} {}", matched.first_number + line.number, text_of(line)));
    }
    for (const auto& [number, diagnostic] : matched.diagnostics) {
        statements.push_back(fmt::format("{} {}", number, diagnostic.message));
    }
    for (const auto& [writer, lines] : matched.writers) {
        statements.push_back(noted_of(writer, lines));
    }
    return statements;
}

/// Read one by one by a matcher that has seen no other line.
inline std::vector<std::string> statements_one_by_one(const std::vector<std::string>& lines, const LogFormats& formats,
                                                      const Wanted& wanted) {
    std::vector<std::string> statements;
    std::map<Writer, WriterLines> of_writers;
    std::vector<std::string> of_unasked, of_diagnostics;
    std::size_t stated = 0;
    for (std::size_t index = 0; index < lines.size(); ++index) {
        MatchedLines alone = match_lines(lines[index], index + 1, formats, Limits().line_bytes, wanted);
        for (UnaskedLine& line : alone.unasked) {
            line.before += static_cast<std::uint32_t>(stated);
            of_unasked.push_back(fmt::format("{} {}", alone.first_number + line.number, text_of(line)));
        }
        for (const auto& [writer, lines_of_writer] : alone.writers) {
            WriterLines& noted = of_writers[writer];
            noted.states_unasked = noted.states_unasked || lines_of_writer.states_unasked;
            noted.names_unasked = noted.names_unasked || lines_of_writer.names_unasked;
        }
        for (const auto& [number, diagnostic] : alone.diagnostics) {
            of_diagnostics.push_back(fmt::format("{} {}", number, diagnostic.message));
        }
        for (const MatchedLine& line : alone.lines) {
            statements.push_back(text_of(line));
            ++stated;
        }
    }
    statements.insert(statements.end(), of_unasked.begin(), of_unasked.end());
    statements.insert(statements.end(), of_diagnostics.begin(), of_diagnostics.end());
    for (const auto& [writer, noted] : of_writers) {
        statements.push_back(noted_of(writer, noted));
    }
    return statements;
}

inline void check_alike(const std::vector<std::string>& lines, const LogFormats& formats, const Wanted& wanted) {
    std::string text;
    for (const std::string& line : lines) {
        text += line;
    }
    const std::vector<std::string> expected = statements_one_by_one(lines, formats, wanted);
    const std::vector<std::string> found = statements_of(match_lines(text, 1, formats, Limits().line_bytes, wanted));
    REQUIRE(found.size() == expected.size());
    for (std::size_t index = 0; index < found.size(); ++index) {
        REQUIRE(found[index] == expected[index]);
    }
}

/// The line with other digits behind its time; now and then the same, zeros, or nines.
inline std::string varied(Random& random, std::string line) {
    const std::optional<LogLine> parts = parse_line_prefix(line);
    REQUIRE_MESSAGE(parts.has_value(), line);
    const unsigned way = random() % 8;
    for (auto place = static_cast<std::size_t>(parts->text.data() - line.data()); place < line.size(); ++place) {
        if (is_digit(line[place]) && way != 0) {
            line[place] = way == 1 ? '0' : way == 2 ? '9' : static_cast<char>('0' + random() % 10);
        }
    }
    return line + "\n";
}

/// A toy module's line with this text.
inline std::string toy(std::string_view text, std::string_view function = "F") {
    return fmt::format("[INFO] TOY(1,toy):2030-01-01-00:00:00.000.000 [toy.cc:12] 17 {}: {}\n", function, text);
}

inline nlohmann::json toy_format(const std::string& id, const std::string& literal, const std::string& pattern,
                                 const std::string& sample, const std::string& function = "F") {
    std::string line = toy(sample, function);
    line.pop_back();
    return {{"id", id},           {"catalogue", "T"},   {"states", "operator_of_task"}, {"log", "ge_log"},
            {"modules", {"TOY"}}, {"literal", literal}, {"pattern", pattern},           {"versions", "toy"},
            {"source", "toy"},    {"samples", {line}}};
}

inline std::shared_ptr<const LogFormats> toy_formats(const std::vector<nlohmann::json>& entries) {
    const nlohmann::json document = {{"schema", "opdebug.log_formats/1"}, {"formats", entries}};
    auto loaded = LogFormats::load({{"toy.json", document.dump()}});
    REQUIRE_MESSAGE(loaded.ok(), (loaded ? "" : loaded.error().message));
    return *loaded;
}

/// The ids of the formats that read the lines, each line read behind those before it; "-": none.
inline std::vector<std::string> readers_of(const std::vector<std::string>& lines, const LogFormats& formats) {
    std::string text;
    for (const std::string& line : lines) {
        text += line;
    }
    std::vector<std::string> readers(lines.size(), "-");
    const MatchedLines matched = match_lines(text, 1, formats);
    for (const MatchedLine& line : matched.lines) {
        readers[line.number - 1] = line.match.format->id;
    }
    return readers;
}

using Readers = std::vector<std::string>;

}  // namespace opdebug::test
