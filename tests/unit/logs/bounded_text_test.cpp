// The bound of what patterns may cost on a line.
#include <string>

#include <doctest/doctest.h>
#include <fmt/format.h>

#include "logs/formats/format_match.hpp"
#include "logs/formats/formats.hpp"

using namespace opdebug;
using namespace opdebug::logs;

namespace {

/// A RUNTIME line with this text, of this size.
std::string line_of(const std::string& unit, std::size_t size) {
    std::string line = "[ERROR] RUNTIME(5100,python):2026-03-04-10:00:00.000.000 [a.cc:1]5100 F:";
    while (line.size() < size) {
        line += unit;
    }
    line.resize(size);
    return line;
}

}  // namespace

TEST_CASE("bounded text: built-in patterns need less than a quarter of a line's steps for their samples") {
    std::size_t samples = 0;
    for (const FormatDefinition* definition : built_in_log_formats()->definitions()) {
        const CompiledFormat format = compile_format(*definition);
        for (const std::string& sample : definition->samples) {
            std::optional<LogLine> line = parse_line(sample);
            if (!line) {  // printed without a prefix
                line.emplace().text = sample;
            }
            StepsLeft steps(line->text.size());
            const std::uint64_t all = steps.left();
            Fact fact;
            const Reading reading = read_fact(format, *line, steps, fact, nullptr);
            CHECK_MESSAGE(all - steps.left() < all / 4, sample);  // also where another pattern of the format reads it
            samples += reading == Reading::stated ? 1 : 0;
        }
    }
    CHECK(samples > 200);
}

TEST_CASE("bounded text: a line that repeats what a pattern looks for is given up, and this is told") {
    for (const std::size_t size : {4096U, 8192U, 65536U}) {
        CAPTURE(size);
        const std::string text = line_of("aicore task timeout dfx, ", size);
        const std::optional<LogLine> line = parse_line(text);
        REQUIRE(line);
        std::optional<Diagnostic> told;
        CHECK_FALSE(built_in_log_formats()->match(*line, &told).has_value());
        REQUIRE(told);
        CHECK(told->code == "log_pattern_gave_up");
        CHECK(told->message.find("failed on a line: the line repeats what the pattern looks for too often") !=
              std::string::npos);
    }
}

TEST_CASE("bounded text: a statement in a long line is read all the same") {
    const std::string statement = "Stream id alloc success, stream_id=7, device_id=0";
    const std::string text = line_of(statement + std::string(8000, ' '), 8000);
    const std::optional<LogLine> line = parse_line(text);
    REQUIRE(line);
    std::optional<Diagnostic> told;
    CHECK(built_in_log_formats()->match(*line, &told).has_value());
    CHECK_FALSE(told.has_value());
}
