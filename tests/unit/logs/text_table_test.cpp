// Texts, each once: the places of a table, and those that many facts share.
#include "logs/packing/text_table.hpp"

#include <cstdint>
#include <string>
#include <vector>

#include <doctest/doctest.h>
#include <fmt/format.h>

#include "logs/packing/shared_texts.hpp"

using namespace opdebug::logs;

TEST_CASE("text table: texts have the same places in any memory") {
    // More than the table has room for at first, and twice: what was there before it was cleared must not show.
    TextTable table(64);
    for (const char* const round : {"a", "b"}) {
        std::vector<std::string> kept;  // the table does not copy them
        for (std::uint64_t i = 0; i < 10000; ++i) {
            kept.push_back(fmt::format("{} {}", round, i));
        }
        CHECK_FALSE(table.find(kept[0]).has_value());
        for (std::uint64_t i = 0; i < kept.size(); ++i) {
            REQUIRE(table.place_of(kept[i]) == i);
        }
        for (std::uint64_t i = kept.size(); i-- > 0;) {
            REQUIRE(table.place_of(kept[i]) == i);
            REQUIRE(table.find(kept[i]) == i);
        }
        CHECK(table.texts().size() == kept.size());
        CHECK(table.texts()[7] == kept[7]);
        table.clear();
        CHECK(table.texts().empty());
    }
}

TEST_CASE("text table: long texts that are the same at both ends are told apart") {
    TextTable table(64);
    const std::string begin(200, 'a');
    const std::string end(200, 'b');
    const std::string first = begin + "1" + end;
    const std::string second = begin + "2" + end;
    CHECK(table.place_of(first) == 0);
    CHECK(table.place_of(second) == 1);
    CHECK(table.find(begin + "3" + end) == std::nullopt);
    CHECK(table.place_of("") == 2);
}

TEST_CASE("shared texts: the first ones that come, each once, as long as a copy") {
    SharedTexts shared;
    {
        std::string text = "MatMul_1";
        CHECK(shared.number_of(text) == 0U);
        text = "Add_1";
        CHECK(shared.number_of(text) == 1U);
    }
    CHECK(shared.number_of("MatMul_1") == 0U);
    CHECK(shared.text(1) == "Add_1");
    SharedTexts copy = shared;
    shared = {};
    CHECK(shared.number_of("Mul") == 0U);
    CHECK(copy.text(0) == "MatMul_1");
    CHECK(copy.number_of("Mul") == 2U);
}

TEST_CASE("shared texts: what a copy and its origin add stands apart") {
    SharedTexts shared;
    CHECK(shared.number_of("MatMul_1") == 0U);
    SharedTexts copy = shared;
    CHECK(copy.number_of("Relu_of_the_copy") == 1U);
    CHECK(shared.number_of("Add_of_the_origin") == 1U);
    CHECK(shared.number_of("") == 2U);
    CHECK(copy.text(0) == "MatMul_1");
    CHECK(copy.text(1) == "Relu_of_the_copy");
    CHECK(shared.text(1) == "Add_of_the_origin");
    CHECK(shared.number_of("") == 2U);
}

TEST_CASE("shared texts: no more than 4,096, and no more than a megabyte of them") {
    SharedTexts many;
    for (std::uint32_t i = 0; i < 4096; ++i) {
        REQUIRE(many.number_of(std::to_string(i)) == i);
    }
    CHECK_FALSE(many.number_of("one more").has_value());
    CHECK(many.number_of("4095") == 4095U);
    SharedTexts large;
    CHECK(large.number_of(std::string(std::size_t{1} << 20U, 'x')) == 0U);
    CHECK_FALSE(large.number_of("y").has_value());
}
