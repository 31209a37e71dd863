// Lines as differences to others: the form in bytes, what comes back, and differences that fit no line.
#include "logs/packing/line_difference.hpp"

#include <array>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include <doctest/doctest.h>

using namespace opdebug::logs;

namespace {

using namespace std::string_literals;

std::optional<std::string> difference(std::string_view base, std::string_view line, std::size_t most = 4096) {
    std::string room(most, '\0');
    const std::optional<std::string_view> written = write_difference(base, line, {room.data(), room.size()});
    return written ? std::optional(std::string(*written)) : std::nullopt;
}

/// Of words that are alike, with what ends them, or with anything.
std::string some_line(std::mt19937& random) {
    constexpr std::array<std::string_view, 12> kParts{"a",  "ab", "12", "kernel_12345", " ",        ",",
                                                      ", ", "=",  "]",  "(x)",          "\xe4\xbd", "\0"};
    std::string line;
    for (std::size_t parts = random() % 12; parts > 0; --parts) {
        line += kParts[random() % kParts.size()];
    }
    return line;
}

}  // namespace

TEST_CASE("line differences: pairs of what is equal and what is not, as documented") {
    CHECK(difference("a=1, b=x", "a=1, b=x") == "");
    // After two bytes of the other line, in place of its word, the number 7.
    CHECK(difference("a=1, b=x", "a=7, b=x") == "\x02\x0f");
    CHECK(difference("a=1, b=x", "a=1234, b=x") == "\x03\xd5\x03");  // 234
    CHECK(difference("a=1234, b=x", "a=1, b=x") == "\x03\x00"s);
    CHECK(difference("a=1, b=x, c=3", "a=7, b=x, c=8") == "\x02\x0f\x09\x11");
    CHECK(difference("a=1, b=x", "a=1, b=yz") ==
          "\x07\x04"
          "yz");
    CHECK(whole_text("a=1, b=x", "\x02\x0f") == "a=7, b=x");
    CHECK(whole_text("a=1, b=x",
                     "\x07\x04"
                     "yz") == "a=1, b=yz");
}

TEST_CASE("line differences: digits that are no number, or would be written otherwise, stay as they are") {
    for (const std::string number :
         {"0", "10", "007", "00", "123456789012345678", "1234567890123456789", "18446744073709551616", "12a", "-3"}) {
        CAPTURE(number);
        const std::string line = "n=" + number + " of";
        const auto written = difference("n=x of", line);
        REQUIRE(written.has_value());
        CHECK(whole_text("n=x of", *written) == line);
    }
    CHECK(difference("n=x", "n=07") ==
          "\x02\x04"
          "07");
    CHECK(difference("n=x", "n=0") == "\x02\x01");
}

TEST_CASE("line differences: the other line goes on at the end of its word") {
    const std::string other_at_once("\x00\x02x", 3);
    for (const char end : std::string_view(" ,=:;()[]\"'")) {
        const std::string base = std::string("ab") + end + "cd";
        CAPTURE(base);
        CHECK(whole_text(base, other_at_once) == std::string("x") + end + "cd");
    }
    for (const char inside : "aZ09_.-/|<>{}#\t\xe4\0"s) {
        const std::string base = std::string("ab") + inside + "cd";
        CAPTURE(base);
        CHECK(whole_text(base, other_at_once) == "x");
    }
    // Where it is at such a byte: others belong to the word before it, or begin with another end, or are none.
    CHECK(whole_text("a,b,c", "\x01\x02x") == "ax,b,c");
    CHECK(whole_text("a,b,c", "\x01\x04=x") == "a=x,c");
    CHECK(whole_text("a,b,c", std::string("\x01\x00", 2)) == "a,c");
}

TEST_CASE("line differences: every line comes back from every other one") {
    const unsigned seed = std::random_device()();
    CAPTURE(seed);
    std::mt19937 random(seed);
    std::vector<std::string> lines{""};
    for (int i = 0; i < 300; ++i) {
        lines.push_back(some_line(random));
    }
    for (const std::string& base : lines) {
        for (const std::string& line : lines) {
            const auto written = difference(base, line);
            REQUIRE(written.has_value());
            const auto whole = whole_text(base, *written);
            REQUIRE(whole.has_value());
            REQUIRE(*whole == line);
        }
    }
}

TEST_CASE("line differences: nothing where there is too little room") {
    const std::string base(200, 'a');
    const std::string line(200, 'b');
    CHECK(difference(base, line).has_value());
    CHECK_FALSE(difference(base, line, 100).has_value());
    CHECK_FALSE(difference("a", "b", 0).has_value());
    CHECK(difference("a", "a", 0) == "");
}

TEST_CASE("line differences: one that is none of the other line gives nothing") {
    for (const std::string& wrong : {
             "\x09\x00"s,  // more equal bytes than the other line has
             "\x01"s,      // the second number is missing
             "\x01\x04"
             "x"s,                                                     // fewer other bytes than told
             "\x80"s,                                                  // a number that does not end
             "\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01\x00"s,  // more than 64 bits
         }) {
        CHECK_FALSE(whole_text("a=1, b=2", wrong).has_value());
    }
}

TEST_CASE("line differences: whatever the bytes, a line has no more than the other one and twice the difference") {
    const unsigned seed = std::random_device()();
    CAPTURE(seed);
    std::mt19937 random(seed);
    std::size_t made = 0;
    for (int i = 0; i < 20000; ++i) {
        const std::string base = some_line(random);
        std::string bytes;
        for (std::size_t count = random() % 8; count > 0; --count) {
            bytes += static_cast<char>(random() % 8 == 0 ? 0xff : random() % 6);
        }
        if (const auto line = whole_text(base, bytes)) {
            ++made;
            REQUIRE(line->size() <= base.size() + 2 * bytes.size());
        }
    }
    CHECK(made > 1000);
}
