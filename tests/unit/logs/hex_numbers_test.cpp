// Which hexadecimal numbers are masked, and what tells texts apart that differ in them alone.
#include "logs/patterns/hex_numbers.hpp"

#include <optional>
#include <string>
#include <string_view>

#include <doctest/doctest.h>

using namespace opdebug::logs;

TEST_CASE("hex numbers: addresses and the hashes of names are masked, whatever stands before them") {
    const auto masked = [](const std::string& text) {
        std::string result = text;
        mask_hex_numbers(text, result.data());
        return result;
    };
    CHECK(masked("addr1=0x19c0c0009999, addr2=0x0, qos=9") == "addr1=0x888888888888, addr2=0x0, qos=9");
    CHECK(masked("te_9d999be99b9_Add_9") == "te_88888888888_Add_9");
    CHECK(masked("at its end: a_deadbeef") == "at its end: a_88888888");
    for (const std::string text :
         {"seven digits: a_deadbee,", "none before it: deadbeef99,", " deadbeef99,", "word: a_deadbeef9g,",
          "capitals: a_DEADBEEF9,", "space behind: a_deadbeef9 ", "bracket behind: 0xdeadbeef9)"}) {
        CHECK(masked(text) == text);
    }
    CHECK(mask_hex_numbers("z_99999999, z_99999999", masked("z_99999999, z_99999999").data()) == std::size_t{2});
    CHECK_FALSE(mask_hex_numbers("no number", std::string("no number").data()));
}

TEST_CASE("hex numbers: those of any size are masked at any place") {
    for (std::size_t before = 0; before < 150; ++before) {
        for (const std::size_t size : {6U, 7U, 8U, 9U, 15U, 16U, 17U, 63U, 64U, 65U, 130U}) {
            for (const std::string behind : {"", ",", "_b", "g,"}) {
                CAPTURE(before);
                CAPTURE(size);
                CAPTURE(behind);
                const std::string front = std::string(before, before % 2 == 0 ? 'z' : 'f') + "_";
                const std::string text = front + std::string(size, 'c') + behind;
                std::string result = text;
                const std::optional<std::size_t> first = mask_hex_numbers(text, result.data());
                const bool is_number = size >= 8 && behind != "g,";
                CHECK(result == (is_number ? front + std::string(size, '8') + behind : text));
                CHECK(first == (is_number ? std::optional(front.size()) : std::nullopt));
            }
        }
    }
}

TEST_CASE("hex numbers: literals that may have a byte in common with one") {
    for (const char* const apart : {"add, ", "e_of", "_deadbeef", "x12", "_abc,", "7", "0x7f,", "d"}) {
        CAPTURE(apart);
        CHECK(tells_hex_numbers_apart(std::string_view(apart)));
    }
    for (const char* const same : {"task_id=", ", devfunc_name = ", "addr1=", "=0x", "add stream", "_addr=", ""}) {
        CAPTURE(same);
        CHECK_FALSE(tells_hex_numbers_apart(std::string_view(same)));
    }
}

TEST_CASE("hex numbers: patterns whose runs may begin in one or go on into it") {
    const auto of_pattern = [](const char* pattern) { return tells_hex_numbers_apart(*compile_pattern(pattern)); };
    CHECK_FALSE(of_pattern("^id=(?<task_id>\\d+), (?:sq_id=\\d+, )?name=(?<kernel_name>.+?), addr=(?=0x[0-9a-f]+)"));
    CHECK_FALSE(of_pattern("(?:\\w+=[^,]*, )*?stream_id=(?<stream_id>\\d+)$"));
    CHECK(of_pattern("name_(?<task_id>\\d+)"));
    CHECK(of_pattern("addr=0x(?<task_id>\\d+)"));
    CHECK(of_pattern("name=.*?(?<task_id>\\d+)"));
    CHECK(of_pattern("id= ?(?<task_id>\\d+)"));
    CHECK(of_pattern("name=[a-z_]+,"));
    CHECK(of_pattern("name=\\w+(?:, id=)?(?<task_id>\\d+)"));
    CHECK(of_pattern("code=0x(?:2f|33)\\b"));
}
