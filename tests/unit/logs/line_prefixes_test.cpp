// Lines are reported by their prefixes, whatever these have in common.
#include "logs/matching/line_prefixes.hpp"

#include <string>

#include <doctest/doctest.h>

#include "logs/formats/formats.hpp"

using namespace opdebug::logs;

namespace {

const std::string rest_of_line = "2026-03-04-10:00:05.000.000 [context.cc:12] 5100 Setup: stream setup end";

/// Learns the line's prefix, as one that was parsed. Null where it is not kept.
const LinePrefix* learn(LinePrefixes& prefixes, const std::string& line) {
    const std::optional<LogLine> parts = parse_line_prefix(line);
    REQUIRE(parts.has_value());
    LinePrefix* const place = prefixes.place_for(line, *parts);
    if (place != nullptr) {
        learn_prefix(line, *parts, *built_in_log_formats(), *place);
    }
    return place;
}

}  // namespace

TEST_CASE("line prefixes: one of any size is known again, and one with any other byte is not") {
    for (std::size_t name_size = 1; name_size < 70; ++name_size) {
        const std::string prefix = "[INFO] GE(5100," + std::string(name_size, 'n') + "):";
        const std::string line = prefix + rest_of_line;
        CAPTURE(prefix);
        LinePrefixes prefixes;
        CHECK(prefixes.find(line) == nullptr);
        const LinePrefix* const learnt = learn(prefixes, line);
        REQUIRE((learnt != nullptr) == (prefix.size() <= 80));
        CHECK(prefixes.find(line) == learnt);
        for (std::size_t place = 0; learnt != nullptr && place < prefix.size(); ++place) {
            CAPTURE(place);
            std::string other = line;
            other[place] = '#';
            CHECK_FALSE(learnt->begins(other));
            CHECK(prefixes.find(other) == nullptr);
        }
    }
}

TEST_CASE("line prefixes: one that begins as another does is told from it") {
    LinePrefixes prefixes;
    const std::string first = "[INFO] RUNTIME(5100,train):" + rest_of_line;
    const std::string second = "[INFO] RUNTIME(5100,train_on_many_devices_of_a_node):" + rest_of_line;
    const LinePrefix* const of_first = learn(prefixes, first);
    const LinePrefix* const of_second = learn(prefixes, second);
    REQUIRE(of_first != of_second);
    CHECK(prefixes.find(first) == of_first);
    CHECK(prefixes.find(second) == of_second);
}
