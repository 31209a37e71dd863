// Which digits are masked, and what tells texts apart that have the same masked digits.
#include "logs/patterns/masked_digits.hpp"

#include <string>
#include <string_view>

#include <doctest/doctest.h>

using namespace opdebug::logs;

TEST_CASE("masked digits: each digit but those of words is masked, whatever the length") {
    const auto masked = [](const std::string& text) {
        const std::string line = "(" + text + ")";
        std::string result(text.size(), '?');
        mask_digits(std::string_view(line).substr(1, text.size()), result.data());
        return result;
    };
    CHECK(masked("stream_id=0, task_id=12345") == "stream_id=9, task_id=99999");
    CHECK(masked("addr1=0x12c0, Conv2D_17, a12, 0x0, 10x3") == "addr1=0x19c0, Conv2D_99, a19, 0x0, 90x3");
    CHECK(masked("7 9:8/6-5 no word at all, x0 0") == "9 9:9/9-9 no word at all, x0 9");
    CHECK(masked("0123456789 ends with a digit: 3") == "9999999999 ends with a digit: 9");
    for (std::size_t size = kLeastMasked; size < 130; ++size) {
        std::string text, expected;
        while (text.size() < size) {
            text += "1:a2,";
            expected += "9:a2,";
        }
        CAPTURE(size);
        CHECK(masked(text.substr(0, size)) == expected.substr(0, size));
    }
}

TEST_CASE("masked digits: texts with the same masked digits have the same hash, others mostly another") {
    const auto hash = [](const std::string& text) {
        const std::string line = "(" + text + ")";
        std::string result(text.size(), '?');
        return mask_digits(std::string_view(line).substr(1, text.size()), result.data());
    };
    for (const std::string end : {"", " and a good deal more behind it, so that vectors are long enough"}) {
        CHECK(hash("stream_id=1, task_id=2" + end) == hash("stream_id=8, task_id=9" + end));
        CHECK(hash("stream_id=1, task_id=2" + end) != hash("stream_id=1, task_ad=2" + end));
        CHECK(hash("stream_id=1, task_id=2" + end) != hash("stream_id=1, task_id=22" + end));
    }
}

TEST_CASE("masked digits: literals and patterns that tell digits apart") {
    CHECK_FALSE(tells_digits_apart("task_id="));
    CHECK_FALSE(tells_digits_apart(", addr1=0x"));
    CHECK(tells_digits_apart("model id[0]"));
    CHECK(tells_digits_apart("1st"));
    CHECK(tells_digits_apart("addr12"));
    CHECK(tells_digits_apart("flag=0"));
    const auto of_pattern = [](const char* pattern) { return tells_digits_apart(*compile_pattern(pattern)); };
    CHECK_FALSE(of_pattern("^id=(?<task_id>\\d+), (?=\\w+)[0-9a-f]{2,3}.*? addr1=0x[^,]+\\b$"));
    CHECK(of_pattern("id=[1-9]\\d*"));
    CHECK(of_pattern("id=[^0]"));
    CHECK(of_pattern("id=(?!0)\\d+"));
    CHECK(of_pattern("id=0*x"));
    CHECK(of_pattern("id=(?:2f|33)"));
    CHECK(masked_part("has id[0], no 5") == "has id[9], no ");
    CHECK(masked_part("12 of 34") == " of ");
    CHECK(masked_part("2024") == "");
}
