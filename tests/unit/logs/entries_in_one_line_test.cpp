// Entries of several processes that run together in one line.
#include <string>

#include <doctest/doctest.h>
#include <fmt/format.h>

#include "match_lines.hpp"

using namespace opdebug::logs;
using opdebug::test::match_lines;

namespace {

std::string entry(int pid, const std::string& seconds, int task) {
    return fmt::format(
        "[INFO] RUNTIME({},app):2021-03-04-05:06:{} [a.cc:7] 9 ModelGetTaskId: model_id=4, get stream_id=2 task_id={}, "
        "end",
        pid, seconds, task);
}

/// Process, task and time of each line that states something; of the time the part below a minute.
std::string stated(const StatedLines& lines) {
    std::string text;
    for (std::size_t i = 0; i < lines.lines.size(); ++i) {
        const StatedLine& line = lines.lines[i];
        text += fmt::format("{}:{}@{} ", line.writer.pid, line.match.fact.task_id.value_or(0),
                            line.time_us.value_or(0) % 60'000'000);
    }
    return text;
}

const std::string merged = entry(41, "07.000.001", 5) + entry(42, "09.000.002", 6) + "\n";
constexpr const char* stated_merged = "41:5@7000001 42:6@9000002 ";

}  // namespace

TEST_CASE("entries in one line: of two entries in one line the first is cut, and each is its process's") {
    const std::string begin =
        "[INFO] RUNTIME(41,app):2021-03-04-05:06:07.008.009 [a.cc:7] 9 ModelGetTaskId: model_id=4, ";
    const std::string whole =
        "[INFO] RUNTIME(7,app):2021-03-04-05:06:07.008.010 [a.cc:7] 8 ModelGetTaskId: model_id=5, "
        "get stream_id=2 task_id=6\n";
    // Twice, for what is known of a line after the first. Whether the task is 9 or was 95 is not known.
    const std::string text = begin + "get stream_id=2 task_id=9" + whole + begin + "get stream_id=2 task_id=9" + whole;
    const StatedLines lines = match_lines(text, *built_in_log_formats());
    REQUIRE(lines.lines.size() == 2);
    for (std::size_t i = 0; i < 2; ++i) {
        CHECK(lines.lines[i].match.fact.task_id == 6);
        CHECK(lines.lines[i].writer.pid == 7);
        CHECK(lines.lines[i].tid == 8);
        CHECK(lines.lines[i].number == i + 1);
        CHECK(lines.lines[i].text == whole.substr(0, whole.size() - 1));
    }
    REQUIRE(lines.diagnostics.size() == 2);
    CHECK(lines.diagnostics[0].second.message.find("another line follows directly") != std::string::npos);
    CHECK(lines.writers.size() == 2);
}

TEST_CASE("entries in one line: a hole of NUL bytes ends an entry, whose last number may have been longer") {
    const std::string line = entry(41, "07.000.001", 5) + "\n";
    for (const std::size_t bytes : {std::size_t{2}, std::size_t{20'000}}) {
        const std::string hole(bytes, '\0');
        const auto holed = [&](std::string_view before) {
            const std::size_t begin = line.find(before) + before.size();
            return line.substr(0, begin) + hole + line.substr(begin);
        };
        PartReader reader(*built_in_log_formats());
        for (int i = 0; i < 3; ++i) {  // for what is known of lines after the first
            const StatedLines cut = reader.read(line + holed("task_id=5") + line);
            CHECK(stated(cut) == "41:5@7000001 41:5@7000001 ");
            REQUIRE(cut.diagnostics.size() == 1);
            CHECK(cut.diagnostics[0].first == 2);
            CHECK(cut.diagnostics[0].second.code == "log_line_cut");
            CHECK(stated(reader.read(line + holed("model_id=4, get") + line)) == "41:5@7000001 41:5@7000001 ");
            const std::string text = holed("task_id=5, ") + line;
            const StatedLines behind = reader.read(text);
            CHECK(stated(behind) == "41:5@7000001 41:5@7000001 ");
            CHECK(behind.lines[0].text == line.substr(0, line.find("end")));
        }
        const std::string half = line.substr(0, line.find("get"));
        const StatedLines two = reader.read(half + hole + entry(42, "09.000.002", 6) + "\n" + line);
        CHECK(stated(two) == "42:6@9000002 41:5@7000001 ");
        CHECK(two.lines[0].number == 1);
        CHECK(two.lines[1].number == 2);
    }
}

TEST_CASE("entries in one line: they are found whatever was learnt of lines with other numbers") {
    const std::string no_entry = entry(41, "07.000.001", 5) + entry(42, "99.000.002", 6) + "\n";  // no such second
    PartReader reader(*built_in_log_formats());
    for (int i = 0; i < 3; ++i) {
        CHECK(stated(reader.read(no_entry + no_entry + no_entry)) == "41:5@7000001 41:5@7000001 41:5@7000001 ");
        CHECK(stated(reader.read(merged + merged)) == std::string(stated_merged) + stated_merged);
    }
}

TEST_CASE("entries in one line: a line without a time behind them has that of the first, alone and among others") {
    const std::string console = "[ERROR] RUNTIME(41)model_id=4, get stream_id=2 task_id=3, end\n";
    const std::string line = entry(41, "06.000.000", 1) + "\n";
    PartReader reader(*built_in_log_formats());
    const std::string expected = std::string(stated_merged) + "41:3@7000001 ";
    CHECK(stated(reader.read(merged + console)) == expected);
    CHECK(stated(reader.read(merged + console)) == expected);
    CHECK(stated(reader.read(line + merged + console)) == "41:1@6000000 " + expected);
}

TEST_CASE("entries in one line: prefixes of lines that are looked at together stay theirs") {
    std::string others;
    std::string expected;
    for (int pid = 100; pid < 400; ++pid) {  // more than are known at a time
        others += entry(pid, "08.000.000", pid) + "\n" + merged;
        expected += fmt::format("{0}:{0}@8000000 {1}", pid, stated_merged);
    }
    PartReader reader(*built_in_log_formats());
    for (int i = 0; i < 3; ++i) {
        CHECK(stated(reader.read(others)) == expected);
    }
}

TEST_CASE("entries in one line: in the JSON of Docker's log files the first ends where the second begins") {
    const std::string text =
        R"({"log":")" + entry(41, "07.000.001", 5) + entry(42, "09.000.002", 6) + R"(\n","stream":"stdout"})" + "\n";
    const StatedLines lines = match_lines(text, *built_in_log_formats());
    REQUIRE(stated(lines) == stated_merged);
    CHECK(lines.lines[0].text == R"({"log":")" + entry(41, "07.000.001", 5));
}
