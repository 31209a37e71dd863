// Lines that differ in digits and hexadecimal numbers.
#include "logs/matching/hex_shapes.hpp"

#include <random>
#include <string>
#include <vector>

#include <doctest/doctest.h>
#include <fmt/format.h>

#include "lines_alike.hpp"
#include "logs/patterns/masked_digits.hpp"

using namespace opdebug;
using namespace opdebug::logs;
using namespace opdebug::test;

namespace {

/// The line with other digits, and at `place` behind its time with a hexadecimal number in these words.
std::string with_hex_number(Random& random, std::string line, std::size_t place, const std::string& before,
                            const std::string& behind) {
    const std::string_view digits = random() % 4 == 0   ? "0123456789"
                                    : random() % 4 == 0 ? "abcdef"
                                                        : "0123456789abcdef";
    std::string number;
    while (number.size() < 8 + place % 5) {
        number += digits[random() % digits.size()];
    }
    line.insert(line.size() - place, before + number + behind);
    return varied(random, line);
}

/// Whether the text is known. What was learnt of it is kept, where it is learnt.
bool knows(HexShapes& shapes, const std::string& rest) {
    const std::string log = ":" + rest + std::string(LineShapes::kReadBehind, '\n');
    const std::string_view text = std::string_view(log).substr(1, rest.size());
    if (shapes.find(nullptr, true, text) != nullptr) {
        return true;
    }
    std::string masked(LineShape::kLongest, '\0');
    mask_digits(text, masked.data());
    shapes.learn_nothing();
    shapes.begin_to_learn(nullptr, true, text, std::string_view(masked).substr(0, text.size()));
    if (shapes.to_learn(text.size()) != nullptr) {
        shapes.keep();
    }
    return false;
}

}  // namespace

TEST_CASE("hex shapes: lines with other hexadecimal numbers, wherever they stand, are read as lines that come first") {
    const unsigned seed = std::random_device()();
    CAPTURE(seed);
    Random random(seed);
    const LogFormats& formats = *built_in_log_formats();
    const std::vector<std::string> before{"_", "te_", "=0x", ", name=te_", "d_", "task_id=0x"},
        behind{"_", ",", "", ", "};
    for (const FormatDefinition* definition : formats.definitions()) {
        for (const std::string& sample : definition->samples) {
            const std::optional<LogLine> parts = parse_line_prefix(sample);
            REQUIRE(parts.has_value());
            std::vector<std::string> lines;
            for (int word = 0; word < 3; ++word) {
                const std::size_t place = random() % (parts->text.size() + 1);
                const std::string& first = before[random() % before.size()];
                const std::string& last = behind[random() % behind.size()];
                for (int round = 0; round < 8; ++round) {
                    lines.push_back(with_hex_number(random, sample, place, first, last));
                }
            }
            CAPTURE(definition->id);
            check_alike(lines, formats, Wanted());
            check_alike(lines, formats, Wanted(WantedTasks{{{3, 7}, {0, 0}, {99, 9999}}, {}}));
        }
    }
}

TEST_CASE("hex shapes: a literal or a field that may be in a hexadecimal number is looked for in each line") {
    const auto formats = toy_formats(
        {toy_format("toy.literal", "_feed", "(?<operator_name>\\w+) (?<stream_id>\\d+)/(?<task_id>\\d+)",
                    "op_feed0000_x 3/4"),
         toy_format("toy.field", "runs", "runs_(?<stream_id>\\d+)[a-f]*_(?<operator_name>\\w+)/(?<task_id>\\d+)",
                    "runs_12345678_add/4")});
    CHECK(readers_of({toy("op_aaaaaaaa_x 3/4"), toy("op_bbbbbbbb_x 3/4"), toy("op_cccccccc_x 3/4"),
                      toy("op_feedaaaa_x 3/4"), toy("runs_aaaaaaaa_add/4"), toy("runs_bbbbbbbb_add/4"),
                      toy("runs_cccccccc_add/4"), toy("runs_1234aaaa_add/4")},
                     *formats) == Readers{"-", "-", "-", "toy.literal", "-", "-", "-", "toy.field"});
}

TEST_CASE("hex shapes: those that differ in short numbers are known side by side, while others come once") {
    HexShapes shapes;
    const std::vector<std::string> codes{"0x3fff", "0x4abc", "0x1eee", "0xc3d0", "0xdd00"};
    const auto line = [](unsigned number, const std::string& code) {
        return fmt::format(" LaunchKernel: name=te_{:08x}_Add, code={}, qos=0", number * 2'654'435'761U, code);
    };
    for (unsigned round = 0; round < 2; ++round) {
        for (const std::string& code : codes) {
            CHECK_FALSE(knows(shapes, line(round, code)));
        }
    }
    for (unsigned round = 2; round < 200; ++round) {
        std::string other = "0xaaaa";
        other[3] = static_cast<char>('a' + round / 36);
        other[4] = static_cast<char>('a' + round / 6 % 6);
        other[5] = static_cast<char>('a' + round % 6);
        CHECK_FALSE(knows(shapes, line(round, other)));
        for (const std::string& code : codes) {
            CHECK(knows(shapes, line(round, code)));
        }
    }
}
