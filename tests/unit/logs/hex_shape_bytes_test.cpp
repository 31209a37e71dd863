// Which texts have the bytes of a shape with hexadecimal numbers.
#include "logs/matching/hex_shape_bytes.hpp"

#include <cstdint>
#include <string>
#include <string_view>

#include <doctest/doctest.h>

#include "logs/patterns/hex_numbers.hpp"
#include "logs/patterns/masked_digits.hpp"

using namespace opdebug::logs;

namespace {

/// The text with a byte before it, and as many behind it as are read.
std::string in_log(const std::string& text) {
    return ":" + text + std::string(kStraightBytes, '\n');
}

HexShapeBytes shape_of(const std::string& text) {
    const std::string log = in_log(text);
    std::string room(ShapeBytes::kLongest, '\0');
    mask_digits(std::string_view(log).substr(1, text.size()), room.data());
    const std::string_view masked = std::string_view(room).substr(0, text.size());
    std::string numbers(masked);
    mask_hex_numbers(masked, numbers.data());
    HexShapeBytes shape;
    shape.take(log.data() + 1, masked, numbers);
    return shape;
}

bool is_of(const std::string& text, const HexShapeBytes& shape) {
    const std::string log = in_log(text);
    return shape.are_of<Block16>(log.data() + 1);
}

std::uint64_t hash_of(const std::string& text) {
    const std::string log = in_log(text);
    return hash_without_hex_digits<Block16>(std::string_view(log).substr(1, text.size()));
}

}  // namespace

TEST_CASE("hex shape bytes: numbers have any hexadecimal digits, other bytes those of the shape") {
    const std::string first = "launch 17, name=te_1d024be15b7_Add_1, addr1=0x12c0c00002d2, code=0x3f, qos=0";
    const HexShapeBytes shape = shape_of(first);
    CHECK(shape.size() == first.size());
    for (const char* const same : {"launch 17, name=te_1d024be15b7_Add_1, addr1=0x12c0c00002d2, code=0x3f, qos=0",
                                   "launch 42, name=te_99999999999_Add_7, addr1=0xfeedfeedfeed, code=0x3f, qos=5"}) {
        CAPTURE(same);
        CHECK(is_of(same, shape));
        CHECK(hash_of(same) == hash_of(first));
    }
    for (const char* const other : {"launch 17, name=te_1d024be15b7_Sub_1, addr1=0x12c0c00002d2, code=0x3f, qos=0",
                                    "launch 17, name=te_1d024be15g7_Add_1, addr1=0x12c0c00002d2, code=0x3f, qos=0",
                                    "launch 17, name=te_1d024be15b7_Add_1, addr1=0x12C0c00002d2, code=0x3f, qos=0",
                                    "launch 17, name=te_1d024be15b7_Add_1, addr1=0x12c0c0000_d2, code=0x3f, qos=0",
                                    "launch 17, name=te_1d024be15b7_Add_1, addr1=0x12c0c00002d2, code=0x3e, qos=0",
                                    "launch 17, name=te_1d024be15b7xAdd_1, addr1=0x12c0c00002d2, code=0x3f, qos=0"}) {
        CAPTURE(other);
        CHECK_FALSE(is_of(other, shape));
    }
}

TEST_CASE("hex shape bytes: each digit of a number of any size is looked at, at any place") {
    for (std::size_t before = 0; before < 40; ++before) {
        for (const std::size_t size : {8U, 15U, 16U, 17U, 32U, 33U, 70U}) {
            CAPTURE(before);
            CAPTURE(size);
            const std::string front = "a kernel of " + std::string(before, 'z') + "_";
            const std::string text = front + std::string(size, 'c') + "_1d024be15b7, qos=0";
            const HexShapeBytes shape = shape_of(text);
            for (std::size_t place = 0; place < size; ++place) {
                std::string changed = text;
                changed[front.size() + place] = place % 2 == 0 ? 'f' : '0';
                CHECK(is_of(changed, shape));
                changed[front.size() + place] = place % 2 == 0 ? 'g' : '_';
                CHECK_FALSE(is_of(changed, shape));
            }
        }
    }
}

TEST_CASE("hex shape bytes: the longest text may have as many numbers as fit, each is looked at") {
    for (const std::string number : {"_1d024be1", "_1d024be15b71d024b"}) {
        CAPTURE(number);
        std::string text = "kernels:";
        while (text.size() < ShapeBytes::kLongest) {
            text += number;
        }
        REQUIRE(text.size() == ShapeBytes::kLongest);
        const HexShapeBytes shape = shape_of(text);
        for (std::size_t place = 0; place < text.size(); ++place) {
            const bool is_digit = place > 8 && (place - 8) % number.size() != 0;
            std::string changed = text;
            changed[place] = changed[place] == 'a' ? 'b' : 'a';
            CHECK(is_of(changed, shape) == is_digit);
            changed[place] = 'q';
            CHECK_FALSE(is_of(changed, shape));
        }
    }
}
