// `opdebug overflow`: the summary of msaccucmp overflow, also where that tool fails.
#include <doctest/doctest.h>

#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "official_text.hpp"
#include "tensor_values.hpp"
#include "tool.hpp"

namespace fs = std::filesystem;
using namespace opdebug::test;

namespace {

constexpr std::uint64_t first_us = 1597922031178434;
const std::string op_name = "Add.bert_Add_17.57.563.1597922031178400";

std::string overflow_name(std::uint64_t time = first_us, int task = 57, int stream = 563) {
    return "Opdebug.Node_OpDebug." + std::to_string(task) + "." + std::to_string(stream) + "." + std::to_string(time);
}

/// An AI Core overflow of stream 563, task 57.
Buffer overflow(std::uint64_t status = 32) {
    return build_overflow_dump(ai_core_example(status));
}

Buffer operator_dump(const std::string& name = "bert/Add_17") {
    return build_v2(example_op_dump(name));
}

std::vector<std::string> summaries_in(const std::string& folder) {
    std::vector<std::string> paths;
    for (const auto& entry : std::filesystem::directory_iterator(folder)) {
        const std::string name = entry.path().filename().string();
        if (name.rfind("overflow_summary_", 0) == 0) {
            paths.push_back(entry.path().string());
        }
    }
    return paths;
}

/// The one summary of a folder.
std::string summary_in(const std::string& folder) {
    const std::vector<std::string> paths = summaries_in(folder);
    REQUIRE(paths.size() == 1);
    return read_file(paths.front());
}

std::size_t count(const std::string& text, const std::string& part) {
    std::size_t found = 0;
    for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) {
        ++found;
    }
    return found;
}

std::vector<std::string> times_in(const std::string& summary) {
    std::vector<std::string> times;
    for (const std::string& line : lines_of(summary)) {
        if (line.rfind(" [timestamp:", 0) == 0) {
            times.push_back(line.substr(12, line.size() - 13));
        }
    }
    return times;
}

}  // namespace

TEST_CASE("overflow: the official summary of the documents' example, with the causes") {
    const TemporaryDirectory directory;
    write_file(directory / ("tree/" + overflow_name()), overflow());
    write_file(directory / ("tree/" + op_name), operator_dump());
    const std::string out = directory / "out";
    const ProcessResult run = run_tool({"overflow", "-d", directory / "tree", "-out", out});
    CAPTURE(run.err);
    CHECK(run.exit_status == 0);
    const std::string expected =
        "=================================================[1]==================================================\n"
        "[Add] bert/Add_17\n"
        " [AI Core][TaskId:57][StreamId:563][Status:32]\n"
        " [timestamp:1597922031178434]\n"
        " [AI Core][Causes: floating-point overflow (0x20)]\n"
        " Add.bert_Add_17.57.563.1597922031178400.output.0.npy\n"
        " -[Format: NCHW] [Shape: (1, 8)] [Dtype: float16] [Max: 65500.0] [Min: 0.0] [Mean: 8188.0]\n";
    CHECK(summary_in(out) == expected);
    CHECK(run.out == expected);
    const std::string path = summaries_in(out).front();
    const std::string name = fs::path(path).filename().string();
    CHECK(name.size() == std::string("overflow_summary_YYYYMMDDHHMMSS.txt").size());
    CHECK(std::all_of(name.begin() + 17, name.begin() + 31, [](char c) { return c >= '0' && c <= '9'; }));
    CHECK(fs::exists(out + "/" + op_name + ".output.0.npy"));
    CHECK(contains(run.err, path));
}

TEST_CASE("overflow: one without -n, as many as wanted with it; all spellings of the official tool") {
    const TemporaryDirectory directory;
    for (std::uint64_t i = 0; i < 7; ++i) {
        write_file(directory / ("tree/" + overflow_name(first_us + i)), overflow());
    }
    const std::string tree = directory / "tree";
    CHECK(times_in(run_tool({"overflow", "-d", tree, "-out", directory / "1"}).out) ==
          std::vector{std::to_string(first_us)});
    const auto shown = [&](const std::vector<std::string>& options) {
        std::vector<std::string> arguments{"overflow"};
        arguments.insert(arguments.end(), options.begin(), options.end());
        return times_in(run_tool(arguments).out).size();
    };
    CHECK(shown({"-d", tree, "-out", directory / "2", "-n", "6"}) == 6);
    CHECK(shown({"--dump_path", tree, "--output", directory / "2", "--top_n", "6"}) == 6);
    CHECK(shown({"--dump-path=" + tree, "--out=" + (directory / "2"), "--top-n=6"}) == 6);
    CHECK(shown({"-d", tree, "-out", directory / "2", "-n", "1000000"}) == 7);
    CHECK(shown({"-d", tree, "-out", directory / "2", "-n", "18446744073709551615"}) == 7);
}

TEST_CASE("overflow: equal names of several ranks all count, and keep their values apart") {
    const TemporaryDirectory directory;
    for (const char* rank : {"rank_0/", "rank_1/"}) {
        write_file(directory / ("tree/" + (rank + overflow_name())), overflow());
        DumpFile dump = example_op_dump();
        dump.outputs[0].data[2] = rank[5] == '0' ? 0 : 0x3C;
        write_file(directory / ("tree/" + (rank + op_name)), build_v2(dump));
    }
    const std::string out = directory / "out";
    const ProcessResult run = run_tool({"overflow", "-d", directory / "tree", "-out", out, "-n", "5"});
    CHECK(run.exit_status == 0);
    CHECK(times_in(run.out).size() == 2);
    CHECK(contains(run.out, "\n rank_0/" + op_name + ".output.0.npy\n"));
    CHECK(contains(run.out, "\n rank_1/" + op_name + ".output.0.npy\n"));
    CHECK(read_file(out + "/rank_0/" + op_name + ".output.0.npy") !=
          read_file(out + "/rank_1/" + op_name + ".output.0.npy"));
}

TEST_CASE("overflow: a bad file, a zero status, a dangling link, a name of 2020 never end it") {
    const TemporaryDirectory directory;
    const std::string tree = directory / "tree";
    const std::string bad = write_file(tree + "/" + overflow_name(first_us - 9), cut(overflow(), 1500));
    const std::string empty = write_file(tree + "/" + overflow_name(first_us - 8), "");
    write_file(tree + "/" + overflow_name(first_us - 7), overflow(0));
    AcceleratorPayload zeros;
    zeros.version = 1;
    zeros.entries = {counting_entry(AccType::aiv, 1, 1)};
    std::fill(zeros.entries[0].data.end() - 4, zeros.entries[0].data.end(), 0);
    write_file(tree + "/" + overflow_name(first_us - 6), build_overflow_dump(zeros));
    AcceleratorPayload no_magic;
    no_magic.magic = 0x12345678;
    no_magic.entries = {counting_entry(AccType::aiv, 1)};
    const std::string magic = write_file(tree + "/" + overflow_name(first_us - 5), build_overflow_dump(no_magic));
    const std::string dangling = tree + "/" + overflow_name(first_us - 4);
    fs::create_symlink("nowhere", dangling);
    AcceleratorPayload unknown;
    unknown.entries = {counting_entry(AccType::aiv, 1)};
    unknown.entries[0].acc_type = 9;
    const std::string unit = write_file(tree + "/" + overflow_name(first_us - 3), build_overflow_dump(unknown));
    write_file(tree + "/Opdebug.Node_OpDebug.59." + std::to_string(first_us), overflow());
    write_file(tree + "/Add.bert_Add_17.57." + std::to_string(first_us - 34), operator_dump());
    write_file(tree + "/Mul.of_2020.9." + std::to_string(first_us), operator_dump("x"));
    const ProcessResult run = run_tool({"overflow", "-d", tree, "-out", directory / "out", "-n", "100"});
    CAPTURE(run.err);
    CHECK(run.exit_status == 1);
    CHECK(times_in(run.out) == std::vector{std::to_string(first_us)});
    CHECK(contains(run.out, "[Add] bert/Add_17\n"));
    CHECK(summary_in(directory / "out") == run.out);
    for (const std::string& path : {bad, empty, magic, unit}) {
        CHECK_MESSAGE(contains(run.err, path), path);
    }
}

TEST_CASE("overflow: a folder without -d is reported where it belongs; help names the official spellings") {
    const ProcessResult misplaced = run_tool({"overflow", "dump", "-out", "x"});
    CHECK(misplaced.exit_status == 2);
    CHECK(contains(misplaced.err, "use -d: opdebug overflow -d dump"));
    const std::string help = run_tool({"overflow", "--help"}).out;
    for (const char* spelling : {"-out", "--output", "--dump_path", "--top_n"}) {
        CHECK_MESSAGE(contains(help, spelling), spelling);
    }
}

TEST_CASE("overflow: a task that was dumped twice has the operator that is nearest in time") {
    const TemporaryDirectory directory;
    const std::string tree = directory / "tree";
    write_file(tree + "/Early.e.57.563." + std::to_string(first_us - 5'000'000), operator_dump("early"));
    write_file(tree + "/Late.l.57.563." + std::to_string(first_us + 20), operator_dump("late"));
    write_file(tree + "/" + overflow_name(first_us - 5'000'010), overflow());
    write_file(tree + "/" + overflow_name(first_us), overflow());
    const ProcessResult run = run_tool({"overflow", "-d", tree, "-out", directory / "out", "-n", "2"});
    CHECK(run.out.find("[Early] early\n") < run.out.find("[Late] late\n"));
    CHECK(count(run.out, "[Late] late\n") == 1);
    CHECK(count(run.out, "[Early] early\n") == 1);
}

TEST_CASE("overflow: the operator's dump is cut, or is called by a number") {
    const TemporaryDirectory directory;
    const std::string tree = directory / "tree";
    write_file(tree + "/" + overflow_name(), overflow());
    write_file(tree + "/1234567890", cut(operator_dump(), 4));
    write_file(tree + "/mapping.csv", "1234567890,Add." + std::string(300, 'n') + ".57.563.1597922031178400\n");
    const ProcessResult run = run_tool({"overflow", "-d", tree, "-out", directory / "out"});
    CAPTURE(run.err);
    CHECK(run.exit_status == 1);
    CHECK(contains(run.out, "[Add] bert/Add_17\n"));
    CHECK(contains(run.out, " 1234567890.output.0.npy\n"));
    CHECK(contains(run.out, "[Elements: 6 of 8]\n"));
    CHECK(contains(run.err, "1234567890"));

    write_file(tree + "/1234567890", "no dump");
    const ProcessResult unreadable = run_tool({"overflow", "-d", tree, "-out", directory / "out2"});
    CHECK(unreadable.exit_status == 1);
    CHECK(contains(unreadable.out, " 1234567890 (not readable)\n"));
}

TEST_CASE("overflow: without the operator's dump the record is reported, and where to look") {
    const TemporaryDirectory directory;
    const std::string path = write_file(directory / ("tree/" + overflow_name()), overflow());
    const ProcessResult run =
        run_tool({"overflow", "-d", directory / "tree", "-out", directory / "out", "--lang", "zh"});
    CHECK(run.exit_status == 0);
    REQUIRE(lines_of(run.out).size() == 4);
    CHECK(contains(lines_of(run.out)[3], "浮点"));
    CHECK(contains(run.err, path));
}

TEST_CASE("overflow: dumps without an overflow give no summary; no dumps and wrong usage are exit status 2") {
    const TemporaryDirectory directory;
    const std::string out = directory / "out";
    write_file(directory / ("clean/" + overflow_name()), overflow(0));
    const ProcessResult clean = run_tool({"overflow", "-d", directory / "clean", "-out", out});
    CHECK(clean.exit_status == 0);
    CHECK(clean.out.empty());
    CHECK_FALSE(fs::exists(out));
    CHECK(contains(clean.err, "overflowed: 0"));
    write_file(directory / "none/readme", "x");
    CHECK(run_tool({"overflow", "-d", directory / "none", "-out", out}).exit_status == 2);
    CHECK(run_tool({"overflow", "-d", directory / "missing", "-out", out}).exit_status == 2);
    CHECK(run_tool({"overflow", "-d", directory / "clean"}).exit_status == 2);
    CHECK(run_tool({"overflow", "-out", out}).exit_status == 2);
    for (const char* number : {"0", "-1", "x", ""}) {
        CHECK(run_tool({"overflow", "-d", directory / "clean", "-out", out, "-n", number}).exit_status == 2);
    }
}

TEST_CASE("overflow: Ctrl-C ends it without a summary") {
    const TemporaryDirectory directory;
    write_file(directory / ("tree/" + overflow_name()), overflow());
    write_endless_op_dump(directory / ("tree/" + op_name));
    ProcessOptions options;
    options.signal_once_caught = SIGINT;
    const std::string out = directory / "out";
    const ProcessResult run = run_tool({"overflow", "-d", directory / "tree", "-out", out}, options);
    CAPTURE(run.err);
    CHECK(run.exit_status == 130);
    CHECK((!fs::exists(out) || fs::is_empty(out)));
    CHECK(contains(run.err, "no summary was written"));
}

TEST_CASE("overflow: two runs within one second leave two summaries") {
    const TemporaryDirectory directory;
    write_file(directory / ("a/" + overflow_name()), overflow(32));
    write_file(directory / ("b/" + overflow_name()), overflow(256));
    const std::string out = directory / "out";
    for (int i = 0; i < 3; ++i) {
        CHECK(run_tool({"overflow", "-d", directory / "a", "-out", out}).exit_status == 0);
        CHECK(run_tool({"overflow", "-d", directory / "b", "-out", out}).exit_status == 0);
    }
    CHECK(summaries_in(out).size() == 6);
    const ProcessResult last = run_tool({"overflow", "-d", directory / "b", "-out", out});
    const std::vector<std::string> paths = summaries_in(out);
    CHECK(std::any_of(paths.begin(), paths.end(), [&](const std::string& path) {
        return contains(last.err, path + ": overflows in the summary: 1");
    }));
}

TEST_CASE("overflow: results in the folder of the dumps change nothing the next time") {
    const TemporaryDirectory directory;
    const std::string tree = directory / "tree";
    write_file(tree + "/" + overflow_name(), overflow());
    write_file(tree + "/" + op_name, operator_dump());
    const ProcessResult once = run_tool({"overflow", "-d", tree, "-out", tree, "-n", "9"});
    const ProcessResult again = run_tool({"overflow", "-d", tree, "-out", tree, "-n", "9"});
    CHECK(once.exit_status == 0);
    CHECK(again.exit_status == 0);
    CHECK(again.out == once.out);
    CHECK(read_file(tree + "/" + op_name) == text_of(operator_dump()));
}
