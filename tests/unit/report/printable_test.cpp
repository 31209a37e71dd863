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

TEST_CASE("printable: characters that nobody sees become visible, those next to them stay") {
    // U+00AD, U+061C, U+180E, U+200B and U+200F, U+2028 and U+202F, U+2060 and U+206F, U+FEFF, U+FFF9, U+E0061
    CHECK(printable("\xc2\xad\xd8\x9c\xe1\xa0\x8e") == "\\xc2\\xad\\xd8\\x9c\\xe1\\xa0\\x8e");
    CHECK(printable("\xe2\x80\x8b\xe2\x80\x8f") == "\\xe2\\x80\\x8b\\xe2\\x80\\x8f");
    CHECK(printable("\xe2\x80\xa8\xe2\x80\xaf") == "\\xe2\\x80\\xa8\xe2\x80\xaf");
    CHECK(printable("\xe2\x81\xa0\xe2\x81\xaf") == "\\xe2\\x81\\xa0\\xe2\\x81\\xaf");
    CHECK(printable("\xef\xbb\xbf\xef\xbf\xb9\xf3\xa0\x81\xa1") ==
          "\\xef\\xbb\\xbf\\xef\\xbf\\xb9\\xf3\\xa0\\x81\\xa1");
    // U+00A1, U+061B, U+2010, U+2070, U+FF21, U+1F600
    const std::string seen = "\xc2\xa1\xd8\x9b\xe2\x80\x90\xe2\x81\xb0\xef\xbc\xa1\xf0\x9f\x98\x80";
    CHECK(printable(seen) == seen);
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
