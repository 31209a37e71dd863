// A text has the bytes of a shape exactly where both are the same once their digits are masked.
#include "logs/matching/shape_bytes.hpp"

#include <random>
#include <string>
#include <string_view>

#include <doctest/doctest.h>

#include "logs/patterns/masked_digits.hpp"

using namespace opdebug::logs;

namespace {

/// As in a log: a byte in front of the text, a line break and other lines behind it.
std::string in_log(const std::string& text) {
    return ":" + text + "\n" + std::string(ShapeBytes::kLongest + kStraightBytes, '7');
}

std::string masked(const std::string& text) {
    const std::string log = in_log(text);
    std::string result(text.size(), '?');
    mask_digits(std::string_view(log).substr(1, text.size()), result.data());
    return result;
}

ShapeBytes shape_of(const std::string& text) {
    const std::string log = in_log(text);
    std::string room = masked(text);
    room.resize(ShapeBytes::kLongest);
    ShapeBytes shape;
    shape.take(log.data() + 1, std::string_view(room).substr(0, text.size()));
    return shape;
}

bool is_of(const std::string& text, const ShapeBytes& shape) {
    const std::string log = in_log(text);
    return shape.are_of<Block16>(log.data() + 1);
}

std::uint64_t hash_of(const std::string& text) {
    const std::string log = in_log(text);
    return hash_without_digits<Block16>(std::string_view(log).substr(1, text.size()));
}

/// Of few bytes: letters, among them the 'x' of "0x", digits, and what stands next to both in the table of bytes.
std::string random_text(std::mt19937& random, std::size_t size) {
    constexpr std::string_view kBytes = "0123456789x0xaZz@[`{/:_ \x80\xFF";
    std::string text;
    while (text.size() < size) {
        text += kBytes[random() % kBytes.size()];
    }
    return text;
}

}  // namespace

TEST_CASE("shape bytes: a text has them where it is the same with masked digits, whatever its length") {
    const unsigned seed = std::random_device()();
    CAPTURE(seed);
    std::mt19937 random(seed);
    std::size_t same = 0;
    for (int round = 0; round < 20'000; ++round) {
        const std::size_t size = 32 + random() % (ShapeBytes::kLongest - 31);
        const std::string first = random_text(random, size);
        std::string second = first;
        for (std::size_t changes = random() % 4; changes != 0; --changes) {
            second[random() % size] = random_text(random, 1).front();
        }
        CAPTURE(first);
        CAPTURE(second);
        const bool is_same = masked(first) == masked(second);
        REQUIRE(is_of(second, shape_of(first)) == is_same);
        REQUIRE((!is_same || hash_of(first) == hash_of(second)));
        same += is_same ? 1U : 0U;
    }
    CHECK(same > 1'000);
    CHECK(same < 19'000);
}

TEST_CASE("shape bytes: digits of words and the '0' of \"0x\" are told apart, in texts and mostly in hashes") {
    const std::string text = "Conv2D_17 at 0x12c0 of stream 3, task 5";
    CHECK(is_of("Conv2D_28 at 0x19c0 of stream 9, task 0", shape_of(text)));
    CHECK_FALSE(is_of("Conv3D_17 at 0x12c0 of stream 3, task 5", shape_of(text)));
    CHECK_FALSE(is_of("Conv2D_17 at 1x12c0 of stream 3, task 5", shape_of(text)));
    CHECK_FALSE(is_of(text, shape_of("Conv2D_17 at 1x12c0 of stream 3, task 5")));
    CHECK(hash_of(text) == hash_of("Conv2D_28 at 0x19c0 of stream 9, task 0"));
    CHECK(hash_of(text) != hash_of("Conv3D_17 at 0x12c0 of stream 3, task 5"));
    CHECK(hash_of(text) != hash_of("Conv2D_17 at 0x12c0 of stream 3, tusk 5"));
}
