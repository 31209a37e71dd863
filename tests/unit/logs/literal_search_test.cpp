// The search for many literals at once, against a plain search for each.
#include "logs/formats/literal_search.hpp"

#include <random>
#include <string>
#include <vector>

#include <doctest/doctest.h>

using opdebug::logs::LiteralSearch;

namespace {

using Indexes = std::vector<std::size_t>;

Indexes found_by(const LiteralSearch& search, std::string_view text) {
    opdebug::logs::FoundLiterals literals;
    const bool is_any_found = search.find(text, literals);
    CHECK(is_any_found == !literals.empty());
    Indexes found;
    for (const opdebug::logs::FoundLiteral& literal : literals) {
        found.push_back(literal.index);
    }
    return found;
}

Indexes searched_one_by_one(const std::vector<std::string>& literals, std::string_view text) {
    Indexes found;
    for (std::size_t index = 0; index < literals.size(); ++index) {
        if (text.find(literals[index]) != std::string_view::npos) {
            found.push_back(index);
        }
    }
    return found;
}

}  // namespace

TEST_CASE("literal search: literals longer than a step can be") {
    const std::string literal(1000, 'a');
    const LiteralSearch search({literal});
    CHECK(found_by(search, "b" + literal + "b") == Indexes{0});
    CHECK(found_by(search, std::string(999, 'a')).empty());
}

TEST_CASE("literal search: finds what a search one by one finds") {
    const unsigned seed = std::random_device()();
    CAPTURE(seed);
    std::mt19937 random(seed);
    const auto text_of = [&random](std::size_t size) {
        std::string text;
        while (text.size() < size) {
            text.push_back("ab_\xFF"[random() % 4]);  // few letters: literals overlap and hit often
        }
        return text;
    };
    for (int round = 0; round < 2000; ++round) {
        std::vector<std::string> literals;
        const std::size_t shortest = 1 + random() % 6;
        for (std::size_t count = random() % 9; count > 0; --count) {
            literals.push_back(text_of(shortest + random() % 6));
        }
        const std::string text = text_of(random() % 60);
        const LiteralSearch search(literals);
        const Indexes expected = searched_one_by_one(literals, text);
        REQUIRE_MESSAGE(found_by(search, text) == expected, text);
    }
}
