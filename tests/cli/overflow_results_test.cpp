// `opdebug overflow` and its folder of results: what is there is never trusted, what is written is whole.
#include <doctest/doctest.h>

#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>

#include "build_paths.hpp"
#include "official_text.hpp"
#include "overflow_summaries.hpp"
#include "tensor_values.hpp"
#include "tool.hpp"

namespace fs = std::filesystem;
using namespace opdebug::test;

TEST_CASE("overflow: nothing in the folder of results is believed") {
    const TemporaryDirectory directory;
    write_file(directory / ("tree/" + overflow_name()), overflow(32));
    write_file(directory / ("tree/" + op_name), operator_dump());
    const std::string out = directory / "out";
    write_file(out + "/" + overflow_name() + ".output.0.json", official_ai_core_text(256));
    write_file(out + "/" + op_name + ".output.0.npy", "not an array");
    const std::string victim = write_file(directory / "victim", "untouched");
    fs::create_symlink(victim, out + "/" + op_name + ".output.1.npy");
    DumpFile dump = example_op_dump();
    dump.outputs.push_back(example_output());
    write_file(directory / ("tree/" + op_name), build_v2(dump));
    const ProcessResult run = run_tool({"overflow", "-d", directory / "tree", "-out", out});
    CHECK(run.exit_status == 0);
    CHECK(contains(run.out, "[Status:32]"));
    CHECK_FALSE(contains(run.out, "256"));
    CHECK(read_file(out + "/" + op_name + ".output.0.npy").substr(1, 5) == "NUMPY");
    CHECK(read_file(victim) == "untouched");
    CHECK(fs::is_regular_file(fs::symlink_status(out + "/" + op_name + ".output.1.npy")));
}

TEST_CASE("overflow: pipes and links to devices in the folder of results are replaced") {
    const TemporaryDirectory directory;
    write_file(directory / ("tree/" + overflow_name()), overflow());
    DumpFile dump = example_op_dump();
    dump.outputs.push_back(example_output());
    write_file(directory / ("tree/" + op_name), build_v2(dump));
    const std::string out = directory / "out";
    fs::create_directories(out);
    const std::string pipe = out + "/" + op_name + ".output.0.npy";
    const std::string link = out + "/" + op_name + ".output.1.npy";
    REQUIRE(::mkfifo(pipe.c_str(), 0600) == 0);  // opened for writing it would wait for a reader for ever
    fs::create_symlink("/dev/null", link);
    CHECK(run_tool({"overflow", "-d", directory / "tree", "-out", out}).exit_status == 0);
    for (const std::string& path : {pipe, link}) {
        CHECK(fs::is_regular_file(fs::symlink_status(path)));
        CHECK(read_file(path).substr(1, 5) == "NUMPY");
    }
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

TEST_CASE("overflow: a summary that cannot be written is not announced") {
    const TemporaryDirectory directory;
    write_file(directory / ("tree/" + overflow_name()), overflow());
    // No file may have a byte; standard output is a pipe.
    const std::string line = std::string("ulimit -f 0; exec '") + tool_path + "' overflow -d '" + (directory / "tree") +
                             "' -out '" + (directory / "out") + "'";
    const ProcessResult run = run_process({"/bin/sh", "-c", line});
    CHECK(run.exit_status == 1);
    CHECK(contains(run.err, "no summary was written"));
    CHECK_FALSE(contains(run.err, "overflows in the summary"));
    CHECK(contains(run.out, "[Status:32]"));
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
