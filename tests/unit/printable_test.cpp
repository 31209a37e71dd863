// Names and log lines made safe for a terminal.
#include <opdebug/report.hpp>

#include <string>

#include <doctest/doctest.h>

using opdebug::printable;
using namespace std::string_literals;

TEST_CASE("printable: ordinary text stays as it is") {
    CHECK(printable("") == "");
    CHECK(printable("net/layer_3/Exp \\x1b ~") == "net/layer_3/Exp \\x1b ~");
    CHECK(printable("算子 é 😀") == "算子 é 😀");
}

TEST_CASE("printable: escape sequences become visible") {
    CHECK(printable("\x1b[31mred\x1b[0m") == "\\x1b[31mred\\x1b[0m");
    CHECK(printable("\x1b]0;title\a") == "\\x1b]0;title\\x07");
}

TEST_CASE("printable: line breaks, tabs, NUL and DEL are control characters") {
    CHECK(printable("a\nb\r\tc\0d\x7f"s) == "a\\x0ab\\x0d\\x09c\\x00d\\x7f");
}

TEST_CASE("printable: the one-character escape introducers of U+0080 to U+009F are control characters") {
    CHECK(printable("\xc2\x9b"
                    "31m") == "\\xc2\\x9b31m");
    CHECK(printable("\xc2\x80\xc2\x9f\xc2\xa0") == "\\xc2\\x80\\xc2\\x9f\xc2\xa0");
}

TEST_CASE("printable: marks that reverse the writing direction become visible") {
    CHECK(printable("a\xe2\x80\xae"
                    "b") == "a\\xe2\\x80\\xaeb");
    CHECK(printable("\xe2\x81\xa6") == "\\xe2\\x81\\xa6");
}

TEST_CASE("printable: bytes that are not UTF-8 become visible one by one") {
    CHECK(printable("\xff\xfe") == "\\xff\\xfe");
    CHECK(printable("a\x80z") == "a\\x80z");
    CHECK(printable("\xe7\xae") == "\\xe7\\xae");                    // cut in the middle
    CHECK(printable("\xc0\xaf") == "\\xc0\\xaf");                    // overlong "/"
    CHECK(printable("\xed\xa0\x80") == "\\xed\\xa0\\x80");           // a surrogate
    CHECK(printable("\xf4\x90\x80\x80") == "\\xf4\\x90\\x80\\x80");  // beyond U+10FFFF
    CHECK(printable("\xe0\x80\x9b") == "\\xe0\\x80\\x9b");           // overlong escape introducer
}

TEST_CASE("printable: whatever the bytes, nothing remains that a terminal obeys") {
    std::string every_pair;
    for (int first = 0; first < 256; ++first) {
        for (int second = 0; second < 256; ++second) {
            every_pair += static_cast<char>(first);
            every_pair += static_cast<char>(second);
        }
    }
    const std::string shown = printable(every_pair);
    for (std::size_t i = 0; i < shown.size(); ++i) {
        const auto byte = static_cast<unsigned char>(shown[i]);
        REQUIRE(byte >= 0x20);
        REQUIRE(byte != 0x7f);
        if (byte == 0xc2) {
            REQUIRE(static_cast<unsigned char>(shown[i + 1]) >= 0xa0);
        }
    }
}
