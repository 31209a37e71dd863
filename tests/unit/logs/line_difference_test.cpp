// Lines as differences to others: the form in bytes, what comes back, and differences that fit no line.
#include "logs/packing/line_difference.hpp"

#include <array>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include <doctest/doctest.h>

#include "logs/packing/line_bases.hpp"

using namespace opdebug::logs;

namespace {

using namespace std::string_literals;

std::optional<std::string> difference(std::string_view base, std::string_view line, KnownNames names = {},
                                      std::size_t most = 4096) {
    std::string room(most, '\0');
    const std::optional<std::string_view> written = write_difference(base, line, names, {room.data(), room.size()});
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
    CHECK(difference("a=1, b=2", "a=1, b=2") == "");
    CHECK(difference("a=1, b=2", "a=7, b=2") ==
          "\x02\x02"
          "7");
    CHECK(difference("a=1, b=2", "a=1234, b=2") ==
          "\x03\x06"
          "234");
    CHECK(difference("a=1234, b=2", "a=1, b=2") == "\x03\x00"s);
    CHECK(difference("a=1, b=2, c=3", "a=7, b=2, c=8") ==
          "\x02\x02"
          "7"
          "\x09\x02"
          "8");
    CHECK(whole_text({"a=1, b=2",
                      "\x02\x02"
                      "7"},
                     {}) == "a=7, b=2");
}

TEST_CASE("line differences: a known name stands for itself, once") {
    const std::vector<std::string_view> names{"Conv2D_0815", "MatMul_1234"};
    const std::string_view base = "name=Add_1, stub=Add_1, n=1";
    const std::string_view line = "name=MatMul_1234, stub=MatMul_1234, n=1";
    CHECK(difference(base, line, names) ==
          "\x05\x03"
          "\x07\x16"
          "MatMul_1234");
    CHECK(whole_text({base,
                      "\x05\x03"
                      "\x07\x16"
                      "MatMul_1234"},
                     names) == line);
    // Its first letters are those of the base: the name is told all the same.
    CHECK(difference("name=Mean_1, n=1", "name=MatMul_1234, n=1", names) == "\x05\x03");
    // Only a part of the word, and a word that is only a part of the name.
    const std::string_view longer = "name=MatMul_12345, n=1";
    CHECK(whole_text({base, *difference(base, longer, names)}, names) == longer);
    const std::string_view shorter = "name=Mul_1234, n=1";
    CHECK(whole_text({base, *difference(base, shorter, names)}, names) == shorter);
}

TEST_CASE("line differences: the base goes on at the end of its word") {
    const std::string other_at_once("\x00\x02x", 3);
    for (const char end : std::string_view(" ,=:;()[]\"'")) {
        const std::string base = std::string("ab") + end + "cd";
        CAPTURE(base);
        CHECK(whole_text({base, other_at_once}, {}) == std::string("x") + end + "cd");
    }
    for (const char inside : "aZ09_.-/|<>{}#\t\xe4\0"s) {
        const std::string base = std::string("ab") + inside + "cd";
        CAPTURE(base);
        CHECK(whole_text({base, other_at_once}, {}) == "x");
    }
    // Where it is at such a byte: others belong to the word before it, or begin with another end, or are none.
    CHECK(whole_text({"a,b,c", "\x01\x02x"}, {}) == "ax,b,c");
    CHECK(whole_text({"a,b,c", "\x01\x04=x"}, {}) == "a=x,c");
    CHECK(whole_text({"a,b,c", std::string("\x01\x00", 2)}, {}) == "a,c");
}

TEST_CASE("line differences: a name may be longer than the difference may become") {
    const std::string name(700, 'n');
    const std::vector<std::string_view> names{name};
    const std::string line = "kernel=" + name + ", n=1";
    const auto written = difference("kernel=Add, n=1", line, names, 100);
    REQUIRE(written.has_value());
    CHECK(written->size() == 2);
    CHECK(whole_text({"kernel=Add, n=1", *written}, names) == line);
}

TEST_CASE("line differences: every line comes back from every other one") {
    const unsigned seed = std::random_device()();
    CAPTURE(seed);
    std::mt19937 random(seed);
    std::vector<std::string> lines{""};
    for (int i = 0; i < 300; ++i) {
        lines.push_back(some_line(random));
    }
    const std::vector<std::string_view> names{"kernel_12345", "kernel_12345ab", "12 kernel_12345", ""};
    for (const std::string& base : lines) {
        for (const std::string& line : lines) {
            const auto written = difference(base, line, names);
            REQUIRE(written.has_value());
            const auto whole = whole_text({base, *written}, names);
            REQUIRE(whole.has_value());
            REQUIRE(*whole == line);
        }
    }
}

TEST_CASE("line differences: nothing where there is too little room") {
    const std::string base(200, 'a');
    const std::string line(200, 'b');
    CHECK(difference(base, line).has_value());
    CHECK_FALSE(difference(base, line, {}, 100).has_value());
    CHECK_FALSE(difference("a", "b", {}, 0).has_value());
    CHECK(difference("a", "a", {}, 0) == "");
}

TEST_CASE("line differences: one that is none of the base gives nothing") {
    const std::vector<std::string_view> names{"MatMul_1234"};
    for (const std::string& wrong : {
             "\x09\x00"s,  // more equal bytes than the base has
             "\x01"s,      // the second number is missing
             "\x01\x04"
             "x"s,                                                     // fewer other bytes than told
             "\x80"s,                                                  // a number that does not end
             "\x01\x03"s,                                              // no such name
             "\x01\x01\x00\x01"s,                                      // a name twice
             "\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01\x00"s,  // more than 64 bits
         }) {
        CHECK_FALSE(whole_text({"a=1, b=2", wrong}, names).has_value());
    }
}

TEST_CASE("line differences: whatever the bytes, a line has no more than base, difference and names") {
    const unsigned seed = std::random_device()();
    CAPTURE(seed);
    std::mt19937 random(seed);
    const std::vector<std::string_view> names{"kernel_12345"};
    std::size_t made = 0;
    for (int i = 0; i < 20000; ++i) {
        const std::string base = some_line(random);
        std::string bytes;
        for (std::size_t count = random() % 8; count > 0; --count) {
            bytes += static_cast<char>(random() % 6);
        }
        if (const auto line = whole_text({base, bytes}, names)) {
            ++made;
            REQUIRE(line->size() <= base.size() + bytes.size() + names[0].size());
        }
    }
    CHECK(made > 1000);
}

TEST_CASE("line bases: the first line of each kind, of as many kinds as are looked through") {
    LineBases bases;
    const std::string* const first = bases.base_of({"format", 0}, "a=1");
    REQUIRE(first != nullptr);
    CHECK(*first == "a=1");
    CHECK(*bases.base_of({"format", 1}, "b=1") == "b=1");
    CHECK(*bases.base_of({"other", 0}, "c=1") == "c=1");
    for (int i = 3; i < 64; ++i) {
        CHECK(bases.base_of({std::to_string(i), 0}, "d") != nullptr);
    }
    CHECK(bases.base_of({"one more", 0}, "e") == nullptr);
    CHECK(bases.base_of({"format", 0}, "a=2") == first);
    const LineBases copy = bases;
    bases = {};
    CHECK(*first == "a=1");  // as long as a copy
}
