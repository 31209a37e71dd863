// Lines of a part: the same as each of them alone, whatever was learnt from the lines before.
#include "logs/reading/part_reader.hpp"

#include <algorithm>
#include <random>
#include <string>
#include <vector>

#include <doctest/doctest.h>
#include <fmt/format.h>

#include "match_lines.hpp"

using namespace opdebug::logs;
using opdebug::test::match_lines;

namespace {

using Random = std::mt19937;

std::string text_of(const StatedLine& line) {
    return fmt::format("{} {} {} pid {} {} tid {} at {}: {}", line.number, line.match.format->id,
                       line.match.fact.task_id.value_or(0), line.writer.pid, line.writer.on_device, line.tid,
                       line.time_us.value_or(-1), line.text);
}

std::string text_of(const std::map<Writer, WriterLines>& writers) {
    std::string text;
    for (const auto& [writer, lines] : writers) {
        text += fmt::format("pid {} {}: {} to {}, host {}, {} {}\n", writer.pid, writer.on_device,
                            lines.first_time_us.value_or(-1), lines.last_time_us.value_or(-1), lines.of_host,
                            lines.runtime_info, lines.ge_info);
    }
    return text;
}

void add(std::map<Writer, WriterLines>& all, const std::map<Writer, WriterLines>& further) {
    for (const auto& [writer, lines] : further) {
        all[writer].add(lines);
    }
}

std::string pick(Random& random, const std::vector<std::string>& choices) {
    return choices[random() % choices.size()];
}

/// A line of one of few prefixes; one in eight is damaged in its first 70 bytes.
std::string line_of(Random& random) {
    const std::string prefix =
        pick(random, {"[INFO] ", "[ERROR] ", "[DEBUG] "}) + pick(random, {"RUNTIME(", "GE(", "HCCL(", "CCECPU("}) +
        pick(random, {"41,app):", "7,a):", "41,app):", "1234567,python3.9-worker with a very long name ):", "(app):",
                      "-1,null):", "ffff2effd1e0,python):", "41,ffff2effd1e0,python):"});
    std::string line =
        prefix +
        pick(random, {"2021-03-04-05:06:07.008.009", "2021-03-04-05:06:59.999", "2021-03-04-05:07:07.00x.009",
                      "YYYY-MM-DD", " 2021-03-04-05:06:07.008.009", "2021-03-04-05:06:60.008.009"}) +
        pick(random, {" [a.cc:7]9 F:", " [a.cc:7] 9 ModelBindStream: ", " "}) +
        pick(random, {"model_id=4, get stream_id=2, task_id=9", "nothing of interest in this line, only some words",
                      "Stream id alloc success, stream_id=7, device_id=0", ""}) +
        pick(random, {"", "", "", "\r", std::string(1, '\0'), std::string(1000, 'x')});
    if (random() % 8 == 0) {
        line[random() % std::min<std::size_t>(line.size(), 70)] = "[]():, 0x\xFF"[random() % 10];
    }
    return line;
}

}  // namespace

TEST_CASE("matched lines: a line is read alike alone and after others of its prefix") {
    const unsigned seed = std::random_device()();
    CAPTURE(seed);
    Random random(seed);
    const LogFormats& formats = *built_in_log_formats();
    std::size_t matched = 0;
    for (int round = 0; round < 100; ++round) {
        std::string part;
        std::vector<std::string> expected;
        std::map<Writer, WriterLines> writers;
        std::optional<std::int64_t> time;
        for (std::uint64_t number = 1; number <= 60; ++number) {
            const std::string line = line_of(random) + "\n";
            part += line;
            StatedLines alone = match_lines(line, formats);
            time = alone.last_time_us ? alone.last_time_us : time;
            for (StatedLine& found : alone.lines) {
                found.time_us = time;
                found.number = number;
                expected.push_back(text_of(found));
            }
            add(writers, alone.writers);
        }
        const StatedLines together = match_lines(part, formats);
        CHECK(together.count == 60);
        CHECK(together.last_time_us == time);
        CHECK(text_of(together.writers) == text_of(writers));
        std::vector<std::string> found;
        std::transform(together.lines.begin(), together.lines.end(), std::back_inserter(found),
                       [](const StatedLine& line) { return text_of(line); });
        CHECK(found == expected);
        matched += found.size();
    }
    CHECK(matched > 200);
}
