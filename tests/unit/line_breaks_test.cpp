// Where the lines of a text end, against a search byte by byte.
#include "logs/line_breaks.hpp"

#include <random>
#include <string>

#include <doctest/doctest.h>

using namespace opdebug::logs;

namespace {

std::vector<std::size_t> places_in(std::string_view text) {
    std::vector<std::size_t> places;
    for (std::size_t place = 0; place < text.size(); ++place) {
        if (text[place] == '\n') {
            places.push_back(place);
        }
    }
    return places;
}

}  // namespace

TEST_CASE("line breaks: all places in order, and whether there are other breaks") {
    FoundBreaks found;
    find_line_breaks("", found);
    CHECK(found.places.empty());
    CHECK_FALSE(found.others);
    find_line_breaks("a\n\nb\n", found);
    CHECK(found.places == std::vector<std::size_t>{1, 2, 4});
    CHECK_FALSE(found.others);
    find_line_breaks("a\r\n", found);
    CHECK(found.places == std::vector<std::size_t>{2});
    CHECK(found.others);
    find_line_breaks(std::string(100, 'x') + "\n", found);
    CHECK(found.places == std::vector<std::size_t>{100});
    CHECK_FALSE(found.others);
}

TEST_CASE("line breaks: other breaks are found at every place") {
    for (std::size_t size = 1; size < 100; ++size) {
        for (std::size_t place = 0; place < size; ++place) {
            for (const char other : {'\r', '\f'}) {
                std::string text(size, 'x');
                text[place] = other;
                FoundBreaks found;
                find_line_breaks(text, found);
                REQUIRE(found.others);
                REQUIRE(found.places.empty());
            }
        }
    }
}

TEST_CASE("line breaks: both ways find what a search byte by byte finds") {
    const unsigned seed = std::random_device()();
    CAPTURE(seed);
    std::mt19937 random(seed);
    FoundBreaks found, one_by_one;
    for (int round = 0; round < 2000; ++round) {
        std::string text;
        for (std::size_t left = random() % 300; left > 0; --left) {
            text.push_back("\nabcdefgh\x8A\r\f"[random() % (round % 2 == 0 ? 10 : 12)]);
        }
        find_line_breaks(text, found);
        find_line_breaks_one_by_one(text, one_by_one);
        REQUIRE(found.places == places_in(text));
        REQUIRE(one_by_one.places == found.places);
        REQUIRE(found.others == (text.find_first_of("\r\f") != std::string::npos));
        REQUIRE(one_by_one.others == found.others);
    }
}
