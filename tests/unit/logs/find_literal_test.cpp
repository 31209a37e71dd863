// The search for one literal, against std::string_view's.
#include "logs/patterns/find_literal.hpp"

#include <random>
#include <string>

#include <doctest/doctest.h>

using opdebug::logs::find_literal;

TEST_CASE("find literal: the first place, or none") {
    CHECK(find_literal("stream_id=7, task_id=8", "task_id=") == 13);
    CHECK(find_literal("stream_id=7, task_id=8", "model") == std::string_view::npos);
    CHECK(find_literal("", "a") == std::string_view::npos);
    CHECK(find_literal("abc", "") == 0);
    CHECK(find_literal("abc", "abcd") == std::string_view::npos);
}

TEST_CASE("find literal: finds what a plain search finds") {
    const unsigned seed = std::random_device()();
    CAPTURE(seed);
    std::mt19937 random(seed);
    const auto text_of = [&random](std::size_t size) {
        std::string text;
        while (text.size() < size) {
            text.push_back("abbb\xFF"[random() % 5]);  // few letters: first, middle and last byte agree often
        }
        return text;
    };
    for (int round = 0; round < 20000; ++round) {
        const std::string text = text_of(random() % 100);
        const std::string literal = text_of(random() % 40);
        REQUIRE(find_literal(text, literal) == text.find(literal));
    }
}
