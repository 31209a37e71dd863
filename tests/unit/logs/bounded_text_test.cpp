// The bound of what patterns may cost on a line.
#include <string>

#include <doctest/doctest.h>

#include "logs/formats/format_match.hpp"
#include "logs/formats/formats.hpp"

using namespace opdebug;
using namespace opdebug::logs;

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
