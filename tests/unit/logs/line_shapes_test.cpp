// Lines that differ in digits alone: what is known from one says of the next what reading it would have said.
#include "logs/matching/line_shapes.hpp"

#include <random>
#include <string>
#include <vector>

#include <doctest/doctest.h>
#include <fmt/format.h>

#include "lines_alike.hpp"
#include "match_lines.hpp"

using namespace opdebug;
using namespace opdebug::logs;
using namespace opdebug::test;

TEST_CASE("line shapes: samples of all formats with other digits are read as lines that come first") {
    const unsigned seed = std::random_device()();
    CAPTURE(seed);
    Random random(seed);
    const LogFormats& formats = *built_in_log_formats();
    std::size_t samples = 0;
    for (const FormatDefinition* definition : formats.definitions()) {
        for (const std::string& sample : definition->samples) {
            std::vector<std::string> lines;
            for (int round = 0; round < 24; ++round) {
                lines.push_back(varied(random, sample));
            }
            CAPTURE(definition->id);
            check_alike(lines, formats, Wanted());
            check_alike(lines, formats, Wanted(WantedTasks{{{3, 7}, {0, 0}, {99, 9999}}, {}}));
            ++samples;
        }
    }
    CHECK(samples > 195);
}

TEST_CASE("line shapes: lines of many formats in any order are read as lines that come first") {
    const unsigned seed = std::random_device()();
    CAPTURE(seed);
    Random random(seed);
    const LogFormats& formats = *built_in_log_formats();
    std::vector<std::string> samples;
    for (const FormatDefinition* definition : formats.definitions()) {
        samples.insert(samples.end(), definition->samples.begin(), definition->samples.end());
    }
    std::vector<std::string> lines;
    for (int round = 0; round < 6'000; ++round) {
        lines.push_back(varied(random, samples[random() % samples.size()]));
    }
    check_alike(lines, formats, Wanted());
}

TEST_CASE("line shapes: a literal that has digits is found whatever the lines before had there") {
    const auto formats =
        toy_formats({toy_format("toy.second", "phase 2 runs",
                                "(?<operator_name>\\w+) (?<stream_id>\\d+)/(?<task_id>\\d+)", "phase 2 runs add 3/4")});
    CHECK(readers_of({toy("phase 1 runs add 3/4"), toy("phase 1 runs add 3/5"), toy("phase 1 runs add 4/4"),
                      toy("phase 2 runs add 3/4"), toy("phase 2 runs add 5/4"), toy("phase 2 runs add 6/4"),
                      toy("phase 3 runs add 6/4")},
                     *formats) == Readers{"-", "-", "-", "toy.second", "toy.second", "toy.second", "-"});
}

TEST_CASE("line shapes: a literal that begins or ends with a digit is found") {
    const std::string pattern = "(?<operator_name>[a-z]+) (?<stream_id>\\d+)/(?<task_id>\\d+)";
    const auto formats = toy_formats({toy_format("toy.begin", "2nd run", pattern, "2nd run add 3/4"),
                                      toy_format("toy.end", "run no 20", pattern, "run no 20 add 3/4")});
    CHECK(readers_of(
              {toy("1nd run add 3/4"), toy("1nd run add 3/5"), toy("1nd run add 4/4"), toy("2nd run add 3/4"),
               toy("run no 10 add 3/4"), toy("run no 10 add 3/5"), toy("run no 10 add 4/4"), toy("run no 20 add 3/4")},
              *formats) == Readers{"-", "-", "-", "toy.begin", "-", "-", "-", "toy.end"});
}

TEST_CASE("line shapes: a pattern that asks for certain digits is asked for each line") {
    const auto formats =
        toy_formats({toy_format("toy.failed", "ends",
                                "ends with [1-9]\\d*: (?<operator_name>\\w+) (?<stream_id>\\d+)/(?<task_id>\\d+)",
                                "ends with 1: add 3/4"),
                     toy_format("toy.sound", "ends with",
                                "ends with 0+: (?<operator_name>\\w+) (?<stream_id>\\d+)/(?<task_id>\\d+)",
                                "ends with 0: add 3/4")});
    CHECK(readers_of({toy("ends with 0: add 3/4"), toy("ends with 0: add 3/5"), toy("ends with 0: add 3/6"),
                      toy("ends with 7: add 3/4"), toy("ends with 8: add 3/5"), toy("ends with 0: add 3/4")},
                     *formats) ==
          Readers{"toy.sound", "toy.sound", "toy.sound", "toy.failed", "toy.failed", "toy.sound"});
}

TEST_CASE("line shapes: functions are told by their digits") {
    nlohmann::json first =
        toy_format("toy.v1", "runs", "runs (?<operator_name>\\w+) (?<stream_id>\\d+)/(?<task_id>\\d+)", "runs add 3/4",
                   "LaunchNo_1");
    first["functions"] = {"LaunchNo_1"};
    const auto formats = toy_formats({first});
    CHECK(readers_of(
              {toy("runs add 3/4", "LaunchNo_1"), toy("runs add 3/5", "LaunchNo_1"), toy("runs add 3/6", "LaunchNo_1"),
               toy("runs add 3/4", "LaunchNo_2"), toy("runs add 3/5", "LaunchNo_2"), toy("runs add 3/6", "LaunchNo_2"),
               toy("runs add 3/4", "LaunchNo_1")},
              *formats) == Readers{"toy.v1", "toy.v1", "toy.v1", "-", "-", "-", "toy.v1"});
    CHECK(readers_of({toy("runs add 3/4", "LaunchNo_2"), toy("runs add 3/5", "LaunchNo_2"),
                      toy("runs add 3/6", "LaunchNo_2"), toy("runs add 3/4", "LaunchNo_1")},
                     *formats) == Readers{"-", "-", "-", "toy.v1"});
}

TEST_CASE("line shapes: a line that its format ignores is read by the next one") {
    nlohmann::json first = toy_format("toy.first", "runs",
                                      "runs (?<operator_name>\\w+) (?<stream_id>\\d+)/(?<task_id>\\d+)", "runs 12 3/4");
    first["ignore"] = {{"operator_name", {"77"}}};
    const nlohmann::json second = toy_format(
        "toy.second", "runs", "runs (?<operator_name>77) (?<stream_id>\\d+)/(?<task_id>\\d+)", "runs 77 3/4");
    const auto formats = toy_formats({first, second});
    CHECK(
        readers_of({toy("runs 12 3/4"), toy("runs 13 3/5"), toy("runs 14 3/6"), toy("runs 77 3/4"), toy("runs 78 3/4")},
                   *formats) == Readers{"toy.first", "toy.first", "toy.first", "toy.second", "toy.first"});
}

TEST_CASE("line shapes: a number that does not fit 64 bits makes a line state nothing, and only that line") {
    const auto formats = toy_formats({toy_format(
        "toy.runs", "runs", "runs (?<operator_name>\\w+) (?<stream_id>\\d+)/(?<task_id>\\d+)", "runs add 3/4")});
    CHECK(readers_of({toy("runs add 10000000000000000000/4"), toy("runs add 10000000000000000000/5"),
                      toy("runs add 10000000000000000000/6"), toy("runs add 90000000000000000000/4"),
                      toy("runs add 10000000000000000000/4")},
                     *formats) == Readers{"toy.runs", "toy.runs", "toy.runs", "-", "toy.runs"});
    CHECK(readers_of({toy("runs add 90000000000000000000/4"), toy("runs add 90000000000000000000/5"),
                      toy("runs add 90000000000000000000/6"), toy("runs add 10000000000000000000/4")},
                     *formats) == Readers{"-", "-", "-", "toy.runs"});
}

TEST_CASE("line shapes: values that a format ignores are asked for each line") {
    nlohmann::json entry = toy_format("toy.runs", "runs",
                                      "runs (?<operator_name>\\w+) (?<stream_id>\\d+)/(?<task_id>\\d+)", "runs 12 3/4");
    entry["ignore"] = {{"operator_name", {"77"}}};
    const auto formats = toy_formats({entry});
    CHECK(
        readers_of({toy("runs 12 3/4"), toy("runs 13 3/5"), toy("runs 14 3/6"), toy("runs 77 3/4"), toy("runs 78 3/4")},
                   *formats) == Readers{"toy.runs", "toy.runs", "toy.runs", "-", "toy.runs"});
}

TEST_CASE("line shapes: a thread id that is no number of 64 bits stays part of the text") {
    // With such a number the function is not found, so a format that asks for none reads what stands behind it.
    const auto line = [](std::string_view thread) {
        return fmt::format("[INFO] TOY(1,toy):2030-01-01-00:00:00.000.000 [toy.cc:12] {} F: runs add 3/4\n", thread);
    };
    nlohmann::json entry = toy_format(
        "toy.text", "runs", "^\\d+ F: runs (?<operator_name>\\w+) (?<stream_id>\\d+)/(?<task_id>\\d+)", "runs add 3/4");
    std::string sample = line("99999999999999999999");
    sample.pop_back();
    entry["samples"] = {sample};
    const auto formats = toy_formats({entry});
    const std::string small = "1000000000000000000", large = "9999999999999999999";
    CHECK(readers_of({line(small), line(small), line(small), line(large)}, *formats) ==
          Readers{"-", "-", "-", "toy.text"});
}

TEST_CASE("line shapes: a thread id of 64 bits is one behind lines whose number is too large for that") {
    const auto line = [](std::string_view thread) {
        return fmt::format("[INFO] TOY(1,toy):2030-01-01-00:00:00.000.000 [toy.cc:12] {} F: runs add 3/4\n", thread);
    };
    const auto formats = toy_formats({toy_format(
        "toy.runs", "runs", "^runs (?<operator_name>\\w+) (?<stream_id>\\d+)/(?<task_id>\\d+)", "runs add 3/4")});
    const std::string small = "1000000000000000000", large = "9999999999999999999";
    CHECK(readers_of({line(large), line(large), line(large), line(small)}, *formats) ==
          Readers{"-", "-", "-", "toy.runs"});
    const std::string zeros = "00000000000000000017", too_large = "99999999999999999999";
    CHECK(readers_of({line(too_large), line(too_large), line(too_large), line(zeros)}, *formats) ==
          Readers{"-", "-", "-", "toy.runs"});
}

TEST_CASE("line shapes: a line whose prefix names the thread is not read as one whose prefix does not") {
    // "F] " is the function's where the thread is known, as in MindSpore's own lines, and else part of the text.
    const auto line = [](std::string_view thread) {
        return fmt::format("[INFO] TOY(1,{}python):2030-01-01-00:00:00.000.000 [toy.cc:12] F] runs add 3/4\n", thread);
    };
    nlohmann::json entry = toy_format(
        "toy.runs", "runs", "^runs (?<operator_name>\\w+) (?<stream_id>\\d+)/(?<task_id>\\d+)", "runs add 3/4");
    const auto formats = toy_formats({entry});
    const std::string without = line(""), with = line("ffff10a0b0c0,");
    CHECK(readers_of({without, without, without, without, with, with, with, with, without}, *formats) ==
          Readers{"-", "-", "-", "-", "toy.runs", "toy.runs", "toy.runs", "toy.runs", "-"});
    entry["pattern"] = "^F. runs (?<operator_name>\\w+) (?<stream_id>\\d+)/(?<task_id>\\d+)";
    entry["samples"] = {without.substr(0, without.size() - 1)};
    const auto of_others = toy_formats({entry});
    CHECK(readers_of({with, with, with, with, without, without, without, with}, *of_others) ==
          Readers{"-", "-", "-", "-", "toy.runs", "toy.runs", "toy.runs", "-"});
}

TEST_CASE("line shapes: a thread that the rest names counts, not one that the prefix names as well") {
    const auto line = [](std::string_view name, int thread) {
        return fmt::format("[INFO] TOY({}python):2030-01-01-00:00:00.000.000 [toy.cc:12] {} F: runs add 3/4\n", name,
                           thread);
    };
    const auto formats = toy_formats({toy_format(
        "toy.runs", "runs", "^runs (?<operator_name>\\w+) (?<stream_id>\\d+)/(?<task_id>\\d+)", "runs add 3/4")});
    for (const std::string name : {"1,", "1,ffff10a0b0c0,"}) {
        std::string text;
        for (int thread = 20; thread < 30; ++thread) {
            text += line(name, thread);
        }
        const MatchedLines matched = match_lines(text, 1, *formats);
        REQUIRE(matched.lines.size() == 10);
        for (int index = 0; index < 10; ++index) {
            CHECK(matched.lines[static_cast<std::size_t>(index)].tid == 20 + index);
        }
    }
}

TEST_CASE("line shapes: a shape is kept once it was seen twice, for its module, and holds where the fields are") {
    const LogFormats& formats = *built_in_log_formats();
    const ModuleFormats* const runtime = formats.of_module("RUNTIME");
    const ModuleFormats* const ge = formats.of_module("GE");
    const std::string behind(LineShapes::kReadBehind, '\n');
    const auto in_line = [&](std::string_view rest) { return fmt::format(":{}{}", rest, behind); };
    LineShapes shapes;
    const auto find = [&](const ModuleFormats* module, const std::string& line) {
        const std::string_view rest = std::string_view(line).substr(1, line.size() - 1 - behind.size());
        const LineShape* const shape = shapes.find<Block16>(module, false, rest, LineShapes::hash_of<Block16>(rest));
        if (shapes.is_unknown()) {
            shapes.begin_to_learn(module, false, rest);
        }
        return shape;
    };
    const std::string first = in_line(" [alpha.cc:1] 9 F: nothing about 17"),
                      second = in_line(" [alpha.cc:2] 8 F: nothing about 42");
    CHECK(find(runtime, first) == nullptr);
    CHECK(shapes.to_learn() == nullptr);
    CHECK(find(runtime, second) == nullptr);
    REQUIRE(shapes.to_learn() != nullptr);
    shapes.keep();
    const LineShape* const known = find(runtime, first);
    REQUIRE(known != nullptr);
    CHECK(known->format == nullptr);
    CHECK(find(ge, first) == nullptr);
    CHECK(find(runtime, in_line(" [alpha.cc:1] 9 F: nothing about 170")) == nullptr);
    CHECK(find(runtime, in_line(" [beta_.cc:1] 9 F: nothing about 17")) == nullptr);
    CHECK(find(runtime, in_line("short")) == nullptr);
    CHECK(find(runtime, in_line(std::string(LineShape::kLongest + 1, 'x'))) == nullptr);
}
