// The pattern of a log format: a regular expression, byte by byte, with its named groups.
#include "logs/formats/format_pattern.hpp"

#include <stdexcept>
#include <string>
#include <vector>

#include <doctest/doctest.h>

using namespace opdebug::logs;

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
