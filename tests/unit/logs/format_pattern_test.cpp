// Patterns of log formats: what they match, in how many steps, and their literals.
#include <stdexcept>
#include <string>
#include <vector>

#include <doctest/doctest.h>
#include <boost/regex.hpp>

#include "logs/formats/format_match.hpp"
#include "logs/formats/format_pattern.hpp"
#include "logs/formats/formats.hpp"
#include "logs/lines/line.hpp"

using namespace opdebug::logs;
using namespace opdebug;

namespace {

/// "x=1 y=" for a match, in the order of the names in the pattern; else "none".
std::string found(const std::string& pattern, std::string_view text) {
    const std::vector<std::string> names = named_groups(pattern);
    FormatPattern format(pattern, names);
    StepsLeft steps(text.size());
    CapturedTexts texts;
    if (!format.search(text, steps, texts)) {
        return "none";
    }
    std::string result;
    for (std::size_t index = 0; index < names.size(); ++index) {
        result += (index == 0 ? "" : " ") + names[index] + "=" + std::string(texts[index]);
    }
    return result;
}

}  // namespace

TEST_CASE("format pattern: the leftmost match, and of alternatives the first one") {
    CHECK(found("(?<x>a|ab)", "xxab") == "x=a");
    CHECK(found("(?<x>ab|a)", "xxab") == "x=ab");
    CHECK(found("(?<x>\\d+)", "a 12, 345") == "x=12");
    CHECK(found("^(?<x>b)", "ab") == "none");
}

TEST_CASE("format pattern: of groups with one name the first that took part, else an empty text") {
    CHECK(found("(?:a=(?<x>\\d)|b=(?<x>\\d))(?<y>!)?", "b=7") == "x=7 y=");
    CHECK(found("(?<x>a)?(?<x>b)", "ab") == "x=a");
    CHECK(found("(a)(?<x>b)(?:c)(?<y>d)", "abcd") == "x=b y=d");
}

TEST_CASE("format pattern: bytes, not UTF-8") {
    CHECK(found("(?<x>.)$", "\xC3\xA4") == "x=\xA4");
    CHECK(found("a(?<x>.+)b",
                "a\xFF\xFE"
                "b") == "x=\xFF\xFE");
}

TEST_CASE("format pattern: a search that takes too long ends") {
    FormatPattern format("(?:aa?)+b", {});
    const std::string text(200, 'a');
    StepsLeft steps(text.size());
    CapturedTexts texts;
    CHECK_THROWS_AS(format.search(text, steps, texts), std::runtime_error);
}

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

TEST_CASE("literal of a pattern: the longest run of characters that each match contains") {
    CHECK(literal_of_pattern("task done") == "task done");
    CHECK(literal_of_pattern(R"(model_id=(?<model_id>\d+), stream_id=(?<stream_id>\d+))") == ", stream_id=");
    CHECK(literal_of_pattern(R"(ab(\d)cd)") == "ab");  // of equally long ones the first
    CHECK(literal_of_pattern(R"(^op\[(?<operator_name>.+?)\] done\.$)") == "] done.");
    CHECK(literal_of_pattern(R"(\bwait (?<operator_type>for event) now)") == "wait for event now");
    CHECK(literal_of_pattern("[Kk]ernel load") == "ernel load");
    CHECK(literal_of_pattern(R"([^\]x]abc[]a]de)") == "abc");
}

TEST_CASE("literal of a pattern: what may be missing is no part of it") {
    CHECK(literal_of_pattern("abc(?:defghi)?jk") == "abc");
    CHECK(literal_of_pattern("abcd*") == "abc");
    CHECK(literal_of_pattern("abcd?e") == "abc");
    CHECK(literal_of_pattern("abcd{0,2}e") == "abc");
    CHECK(literal_of_pattern("ab(?:cdefg|hijkl)m") == "ab");
    CHECK(literal_of_pattern("first text|second") == "");
    CHECK(literal_of_pattern("(?<a>x|)y") == "y");
    CHECK(literal_of_pattern(R"(\d+)") == "");
}

TEST_CASE("literal of a pattern: what comes at least once is one, but ends a run") {
    CHECK(literal_of_pattern("ab+cdef") == "cdef");
    CHECK(literal_of_pattern("a(?:long text)+b") == "long text");
    CHECK(literal_of_pattern("a(?:long text){2,3}?b") == "long text");
    CHECK(literal_of_pattern("a(?:b|c)++defg") == "defg");
}

TEST_CASE("literal of a pattern: assertions have no width; what they require is in the line") {
    CHECK(literal_of_pattern("name=(?!none)value") == "name=value");
    CHECK(literal_of_pattern("name=(?<!x)value") == "name=value");
    CHECK(literal_of_pattern("a(?=.*, a long key=)b") == ", a long key=");
    CHECK(literal_of_pattern("a(?=(?:.*, a long key=)?)bcd") == "abcd");
    CHECK(literal_of_pattern("a(?=a long key)?b") == "ab");
}

TEST_CASE("literal of a pattern: none where the syntax is not known or broken") {
    for (const char* pattern : {"(?i)task", "(?i:task)", "(?#note)task", "(?(1)a|b)task", R"(\Qtask\E)", R"(\x41task)",
                                R"(task\<)", R"((a)task\1)", "[[:alpha:]]task", "(task", "task)", "task[", "task{x}",
                                "*task", "ta**sk", R"(task\)", "(?<>a)task", "(?>task)"}) {
        CAPTURE(pattern);
        CHECK(literal_of_pattern(pattern) == "");
    }
    std::string nested = "task";
    for (int i = 0; i < 1'000; ++i) {
        nested = "(" + nested + ")";
    }
    CHECK(literal_of_pattern(nested) == "");
}

TEST_CASE("literal of a pattern: each sample of the built-in formats contains that of the pattern that reads it") {
    for (const FormatDefinition* format : built_in_log_formats()->definitions()) {
        CAPTURE(format->id);
        const std::string literal = literal_of_pattern(format->pattern);
        for (const std::string& sample : format->samples) {
            const auto line = parse_line(sample);
            const std::string text = line ? std::string(line->text) : sample;  // printed without a prefix
            if (boost::regex_search(text, boost::regex(format->pattern, kPatternSyntax))) {
                CHECK_MESSAGE(text.find(literal) != std::string::npos, sample);
            }
        }
    }
}
